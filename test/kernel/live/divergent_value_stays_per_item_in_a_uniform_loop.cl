// global: 504
// arg: int out[504]
// arg: int m = 6
// expect: out = sum(j, 0, 6, (i + j) % 4 == 0 ? 100 : i % 3)
kernel void k(global int *out, int m) {
    int g = get_global_id(0), sum = 0;
    for (int j = 0; j < m; j++) {
        if ((g + j) % 4 == 0)
            sum += 100;
        else
            sum += g % 3;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[g] = sum;
}
