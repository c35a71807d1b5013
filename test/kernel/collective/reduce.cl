// global: 504
// needs: collectives
// arg: int in[504] = i * 7 % 31
// arg: int out[504]
// expect: out = sum(j, F, F + S, j * 7 % 31) + 1000 * maxof(j, F, F + S, j * 7 % 31) + 100000 * minof(j, F, F + S, j * 7 % 31)
kernel void k(global int *in, global int *out) {
    int v = in[get_global_id(0)];
    out[get_global_id(0)] = work_group_reduce_add(v) + 1000 * work_group_reduce_max(v) + 100000 * work_group_reduce_min(v);
}
