// global: 504
// arg: int in[64] = i + 1
// arg: int out[504]
// arg: int m = 8
// expect: out = 36
kernel void k(global int *in, global int *out, int m) {
    global int *p = in, *end = in + m;
    int sum = 0;
    while (p != end) {
        sum += *p++;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = sum;
}
