// global: 504
// local: 1 3 16 64 250
// needs: __opencl_c_subgroups
// arg: int data[504]
// arg: int out[504]
// expect: out = 1
kernel void k(global int *data, global int *out) {
    int g = get_global_id(0), lane = get_sub_group_local_id(), n = get_sub_group_size(), first = g - lane, sum = 0;
    data[g] = g;
    sub_group_barrier(CLK_GLOBAL_MEM_FENCE);
    int next = data[first + (lane + 1) % n];
    sub_group_barrier(CLK_GLOBAL_MEM_FENCE);
    data[first + n - 1 - lane] = next;
    sub_group_barrier(CLK_GLOBAL_MEM_FENCE);
    out[g] = data[g] == first + (n - lane) % n;
}
