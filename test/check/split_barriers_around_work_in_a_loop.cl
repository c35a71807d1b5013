// finds: nothing
// global: 256
// local: 64
// arg: int in[256] = i
// arg: int out[256]
// expect: out = 4 * F + 2 * 63 + i % 64 * 6
// Each round writes one tile, does its own work between the halves, and reads the others' part behind the wait.
kernel void k(global const int *in, global int *out) {
    local int tile[2][64];
    size_t l = get_local_id(0), g = get_global_id(0);
    int sum = 0;
    for (int i = 0; i < 4; i++) {
        tile[i & 1][l] = in[g];
        intel_work_group_barrier_arrive(CLK_LOCAL_MEM_FENCE);
        sum += l;
        intel_work_group_barrier_wait(CLK_LOCAL_MEM_FENCE);
        sum += i & 1 ? tile[i & 1][63 - l] : tile[i & 1][l];
        sum += i & 1 ? l : 0;
    }
    out[g] = sum;
}
