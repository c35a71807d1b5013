// Hoisted above `l < some`, the sum wraps around in the others.
// global: 64
// local: 16
// arg: int out[64]
// arg: int some = 3
// arg: int far = 2147483640
// arg: int table[32] = i * 10
// expect: out = i % 16 < 3 ? 7 : 5
kernel void k(global int *out, int some, int far, global const int *table) {
    int l = get_local_id(0), x = l + far, r = 5;
    if (l < some)
        r = x < 100 ? table[l] : 7;
    out[get_global_id(0)] = r;
}
