// global: 504
// arg: int out[504]
// arg: int m = 5
// expect: out = i + 5
kernel void k(global int *out, int m) {
    int a[2] = {get_global_id(0), 0}, b[2] = {0, 0};
    int *from = a, *to = b;
    for (int j = 0; j < m; j++) {
        to[0] = from[0] + 1;
        barrier(CLK_LOCAL_MEM_FENCE);
        int *t = from;
        from = to;
        to = t;
    }
    out[get_global_id(0)] = from[0];
}
