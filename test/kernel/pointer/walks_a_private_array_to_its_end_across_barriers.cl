// Lanes compare pointers into arrays of their own, whose common part LLVM would take out wrongly (post/pointer_numbers.c).
// global: 504
// arg: int in[504] = i
// arg: int out[504]
// expect: out = 3 * (F + (i - F + 1) % S) + 3
kernel void k(global const int *in, global int *out) {
    local int t[512];
    int y[3], l = get_local_id(0), n = get_local_size(0), sum = 0;
    for (int i = 0; i < 3; i++)
        y[i] = in[get_global_id(0)] + i;
    for (int *p = y, *end = y + 3; p != end; p++) {
        t[l] = *p;
        barrier(CLK_LOCAL_MEM_FENCE);
        sum += t[(l + 1) % n];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = sum;
}
