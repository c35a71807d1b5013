// global: 504
// arg: int out[504]
// arg: int m = 5
// expect: out = (i + 100) * 1000 + i
kernel void k(global int *out, int m) {
    int a = get_global_id(0), b = a + 100;
    for (int j = 0; j < m; j++) {
        int t = a;
        a = b;
        b = t;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = a * 1000 + b;
}
