// All of a row at one place, two places in turn, and some of the work-items only.
// global: 512
// local: 512 64 256
// arg: int where[512] = i < 64 ? 3 : i < 128 ? i % 2 : i < 256 ? 5 : i % 8
// arg: int all[8] = 0
// arg: int some[8] = 0
// arg: int least[8] = 1000000
// expect: all = {64, 64, 32, 96, 32, 160, 32, 32}
// expect: some = {0, 64 * 7, 0, 64 * 7, 0, 96 * 7, 0, 32 * 7}
// expect: least = {64, 65, 258, 0, 260, 128, 262, 263}
kernel void k(global const int *where, global int *all, global int *some, global int *least) {
    local int t[24];
    int l = get_local_id(0), g = get_global_id(0);
    if (l < 24)
        t[l] = l < 16 ? 0 : 1000000;
    barrier(CLK_LOCAL_MEM_FENCE);
    int w = where[g];
    atomic_inc(&t[w]);
    if (g % 2)
        atomic_add(&t[8 + w], 7);
    atomic_min(&t[16 + w], g);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < 8) {
        atomic_add(&all[l], t[l]);
        atomic_add(&some[l], t[8 + l]);
        atomic_min(&least[l], t[16 + l]);
    }
}
