// finds: data-race 10 12
// illegal: finishes
// needs: __opencl_c_subgroups
// global: 64
// local: 32
// arg: int out[64]
// arg: local tile[128]
__attribute__((intel_reqd_sub_group_size(8)))
kernel void k(global int *out, local int *tile) {
    tile[get_local_id(0)] = 1;
    sub_group_barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = tile[31 - get_local_id(0)];
}
