// global: 504
// arg: svm int in[504] = i * 2
// arg: svm int out[504]
// expect: out = (F + (i - F + 1) % S) * 2
kernel void k(global int *in, global int *out) {
    size_t l = get_local_id(0), g = get_global_id(0);
    int v = in[g];
    barrier(CLK_GLOBAL_MEM_FENCE);
    out[g - l + (l + get_local_size(0) - 1) % get_local_size(0)] = v;
}
