// The numbers that lanes beyond a group of one work-item would compare are defined for none of them: x < y, 4012 < 1249, doesn't hold.
// global: 1
// local: 1
// needs: cl_khr_subgroup_non_uniform_arithmetic cl_intel_required_subgroup_size
// arg: uint out[2]
// arg: local shared[256]
// expect: out = i ? 1249 : 4012
__attribute__((intel_reqd_sub_group_size(4)))
kernel void k(global uint *out, local uint *shared) {
    uint l = get_local_linear_id(), lane = get_sub_group_local_id(), size = get_sub_group_size();
    uint g = get_group_id(0) * get_local_size(0) + l, id = get_sub_group_id();
    uint z = (g + 14u) * 2654435761u >> 20, x = (g + 21u) * 2654435761u >> 20, y = (g + 28u) * 2654435761u >> 20;
    x += sub_group_non_uniform_scan_inclusive_add((uint)((int)size >> (z & 31)) | (3u ^ g));
    shared[l] = id;
    y += shared[l - lane + (lane + 10u) % size];
    barrier(CLK_LOCAL_MEM_FENCE);
    x += sub_group_any((uint)((int)x < (int)y) % 3 == 0) != 0;
    out[g * 2] = x;
    out[g * 2 + 1] = y;
}
