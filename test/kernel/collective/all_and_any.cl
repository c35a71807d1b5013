// global: 504
// needs: collectives
// arg: int out[504]
// expect: out = (F + S <= 100) + 2 * (F < 50)
kernel void k(global int *out) {
    int g = get_global_id(0);
    out[g] = (work_group_all(g < 100) ? 1 : 0) + (work_group_any(g < 50) ? 2 : 0);
}
