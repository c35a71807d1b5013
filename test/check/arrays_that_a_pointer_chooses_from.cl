// finds: nothing
// global: 64
// local: 64
// arg: int in[64] = i
// arg: int out[64]
// expect: out = i % 2 * 10 + (i + 1) % 4
kernel void k(global const int *in, global int *out) {
    int first[4] = {0, 1, 2, 3}, second[4] = {10, 11, 12, 13};
    int i = in[get_global_id(0)];
    int *p = i & 1 ? second : first;
    for (int n = 0; n < 3; n++)
        p = p == first + 9 ? first : p;
    out[i] = p[(i + 1) & 3];
}
