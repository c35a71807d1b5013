// global: 504
// needs: collectives
// arg: int out[504]
// arg: int = 1
// expect: out = i < S ? 7 : maxof(j, F, F + S, j % 5 + 4)
kernel void k(global int *out, int reduces) {
    int g = get_global_id(0), x;
    if (reduces && get_group_id(0))
        x = work_group_reduce_max(g % 5 + 4);
    else
        x = work_group_broadcast(g % 4 + 7, 0);
    out[g] = x;
}
