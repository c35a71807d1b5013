// The compiler can't know that all agree on the barrier; the sub-groups stay as they are.
// global: 504
// local: 1 3 16 64 250
// needs: __opencl_c_subgroups
// arg: int in[504] = 3
// arg: int out[504]
// arg: local shared[2000]
// expect: out = 3 * (i + 1 == F + S ? i : i + 1)
kernel void k(global int *in, global int *out, local int *shared) {
    int g = get_global_id(0), l = get_local_id(0), last = get_local_size(0) - 1, sum = 0;
    for (int i = 0; i < in[g]; i++) {
        shared[l] = sub_group_broadcast(g, get_sub_group_size() - 1) + get_sub_group_local_id();
        barrier(CLK_LOCAL_MEM_FENCE);
        int next = min(l + 1, last), lane = next % get_max_sub_group_size(), most = get_max_sub_group_size();
        sum += shared[next] - lane - min(next - lane + most - 1, last) + next;
        barrier(CLK_LOCAL_MEM_FENCE);
        sum -= sub_group_any(g < 0);
    }
    out[g] = sum;
}
