// global: 1009
// needs: nonuniform
// arg: int out[1009]
// expect: out = S * 1000 + (i - F)
kernel void k(global int *out) {
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = get_local_size(0) * 1000 + get_local_id(0);
}
