// finds: nothing
// global: 64
// local: 64
// arg: int out[64]
// expect: out = 5 + i
kernel void k(global int *out) {
    local int tile[128];
    int l = (int)get_local_id(0), from = 64 + l;
    for (int round = 0; round < 2; round++) {
        int x = tile[from]; // which nobody writes
        tile[l] = round ? 5 + l : x;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    int x = tile[l];
    out[l] = x;
}
