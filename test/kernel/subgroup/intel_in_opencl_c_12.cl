// global: 256
// local: 64
// needs: cl_intel_subgroups
// options: -cl-std=CL1.2
// arg: int in[256] = i * 3
// arg: int out[256]
// expect: out = i * 3 + 1
#ifndef cl_intel_subgroups
#error cl_intel_subgroups
#endif
#pragma OPENCL EXTENSION cl_intel_subgroups : enable
kernel void k(global int *in, global int *out) {
    uint first = get_global_id(0) - get_sub_group_local_id();
    uint x = intel_sub_group_block_read((global uint *)in + first);
    sub_group_barrier(CLK_GLOBAL_MEM_FENCE);
    out[get_global_id(0)] = intel_sub_group_shuffle(x, get_sub_group_local_id()) + (sub_group_all(1) ? 1 : 0);
}
