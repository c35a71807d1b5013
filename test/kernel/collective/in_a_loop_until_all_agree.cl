// global: 504
// needs: collectives
// arg: int out[504]
// expect: out = maxof(j, F, F + S, j % 10)
kernel void k(global int *out) {
    int g = get_global_id(0), rounds = 0, left = g % 10;
    while (work_group_any(left > 0)) {
        left--;
        rounds++;
    }
    out[g] = rounds;
}
