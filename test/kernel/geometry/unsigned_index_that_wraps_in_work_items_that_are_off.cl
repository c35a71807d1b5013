// Indices of 32 bits wrap around in work-items that access nothing, before and after those that do, up and down.
// global: 96
// local: any
// arg: int in[96] = i + 1
// arg: int out[96] = 0
// arg: uint first = 37
// arg: uint rest = 59
// expect: out = (i > 37 ? i - 37 : 0) + (i < 59 ? 1000 * (59 - i) : 0) + (i >= 20 && i < 41 ? 100000 * (i - 19) : 0)
kernel void k(global const int *in, global int *out, uint first, uint rest) {
    uint i = get_global_id(0);
    int x = 0;
    if (i > first)
        x = in[i - first - 1];
    if (i < rest)
        x += 1000 * in[rest - 1 - i];
    if (i - 20 < first - 16)
        x += 100000 * in[i - 20];
    out[i] = x;
}
