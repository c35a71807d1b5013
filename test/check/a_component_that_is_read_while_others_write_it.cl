// finds: data-race 11 13
// illegal: finishes
// global: 64
// local: 64
// arg: int out[64]
kernel void k(global int *out) {
    local int4 t[64];
    size_t l = get_local_id(0);
    t[l] = (int4)(64, 1, 7, 0);
    barrier(CLK_LOCAL_MEM_FENCE);
    int3 v = t[63 - l].xyz;
    int x = t[63 - l].x;
    t[l].z = v.x + v.y + v.z - 8;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = t[l].w * x + 3 * 64 + t[l].z;
}
