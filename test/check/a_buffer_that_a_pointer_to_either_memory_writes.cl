// finds: inter-group-race 16 17
// needs: generic
// global: 128
// local: 64
// arg: int data[128] = i
// arg: int out[128]
// arg: int where = 1
// What stores by `to` may be the buffer that others read, though most such stores are of local memory.
kernel void k(global int *data, global int *out, int where) {
    local int tile[64];
    uint l = get_local_id(0), g = get_global_id(0);
    int *to = where ? (int *)&data[g] : (int *)&tile[l];

    tile[l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    *to = l + 1000;
    out[g] = tile[l] + data[127 - g];
}
