// finds: nothing
// global: 128
// local: 64
// arg: int in[128] = i
// arg: int out[128]
// expect: out = i / 64 * 64 + 63 - i % 64 + 90
kernel void k(global const int *in, global int *out) {
    local int tile[10][18];
    int l = get_local_id(0), first = get_group_id(0) * 64;
    for (int i = l; i < 180; i += 64)
        tile[i / 18][i % 18] = in[first] + i;
    barrier(CLK_LOCAL_MEM_FENCE);
    int at = 153 - l;
    out[first + l] = tile[at / 18][at % 18];
}
