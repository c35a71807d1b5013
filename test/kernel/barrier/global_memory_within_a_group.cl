// global: 1008
// arg: int tmp[1008]
// arg: int out[1008]
// expect: out = (F + S - 1 - (i - F)) * 7
kernel void k(global int *tmp, global int *out) {
    size_t l = get_local_id(0), n = get_local_size(0), g = get_global_id(0), first = g - l;
    tmp[g] = g * 7;
    barrier(CLK_GLOBAL_MEM_FENCE);
    out[g] = tmp[first + n - 1 - l];
}
