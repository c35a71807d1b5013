// global: 504
// arg: int out[504]
// arg: int m = 7
// expect: out = 7 * 100 + 127
kernel void k(global int *out, int m) {
    int carried = 1, rounds = 0;
    for (int j = 0; j < m; j++) {
        carried = carried * 2;
        rounds++;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = rounds * 100 + carried - 1;
}
