// finds: nothing
// global: 64
// local: 64
// arg: int out[64]
// expect: out = 2 * (i ^ 1) + 2 * (i ^ 1)
kernel void k(global int *out) {
    local int4 tile[64];
    size_t l = get_local_id(0);
    tile[l].y = (int)l;
    tile[l].xz = (int2)((int)l);
    tile[l].w = (int)l;
    barrier(CLK_LOCAL_MEM_FENCE);
    int4 v = tile[l ^ 1];
    out[l] = v.x + v.y + v.z + v.w;
}
