// collective.cl: work-group and sub-group functions of OpenCL C 3.0.

#ifdef WORK_GROUP
kernel void work_group(global const uint *in, global uint *out) {
    uint i = get_global_id(0), x = in[i];
    uint sum = work_group_reduce_add(x), prefix = work_group_scan_inclusive_add(x);
    uint most = work_group_reduce_max(prefix ^ x), third = work_group_broadcast(x, 3);
    out[i] = prefix + 3 * sum + 5 * most + 7 * third + (uint)(work_group_any(x == 0) ? 11 : 0);
}
#endif

#ifdef SUB_GROUP
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
// Sums of sub-groups are added up in local memory, so the result doesn't depend on their size.
kernel void sub_group(global const uint *in, global uint *out, local uint *sums) {
    uint i = get_global_id(0), x = in[i], total = 0;
    uint sum = sub_group_reduce_add(x), prefix = sub_group_scan_inclusive_add(x);
    if (get_sub_group_local_id() == 0)
        sums[get_sub_group_id()] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint g = 0; g < get_sub_group_id(); g++)
        total += sums[g];
    out[i] = total + prefix;
}
#endif
