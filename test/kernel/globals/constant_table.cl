// global: 504
// arg: int out[504]
// expect: out = (i % 5 + 1) * 10 + i % 3
constant int table[5] = {10, 20, 30, 40, 50};
constant struct {
    char c;
    int v[3];
} other = {'x', {0, 1, 2}};
kernel void k(global int *out) {
    size_t g = get_global_id(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[g] = table[g % 5] + other.v[g % 3];
}
