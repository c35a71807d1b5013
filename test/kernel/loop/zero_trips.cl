// global: 1008
// arg: int out[1008]
// arg: int m = 0
// expect: out = i
kernel void k(global int *out, int m) {
    size_t g = get_global_id(0);
    int r = g;
    for (int j = 0; j < m; j++) {
        r += 1;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[g] = r;
}
