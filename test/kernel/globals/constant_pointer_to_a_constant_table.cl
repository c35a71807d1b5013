// global: 504
// arg: int out[504]
// expect: out = i % 2 ? 4 : 2
constant int a[2] = {1, 2}, b[2] = {3, 4};
constant int *constant both[2] = {a, b};
kernel void k(global int *out) {
    size_t g = get_global_id(0);
    out[g] = both[g % 2][1];
}
