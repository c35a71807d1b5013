// global: 64
// local: 64 16
// arg: int pairs[64] = -1
// arg: int fours[64]
// arg: int out[64]
// expect: fours = i
// expect: pairs = i % 4 > 1 ? -1 : i / 4 * 2 + i % 4 < 16 ? i / 4 * 2 + i % 4 : -1
// expect: out = i
kernel void k(global int4 *pairs, global int4 *fours, global int *out) {
    local int4 t[64];
    local int3 u[64];
    size_t l = get_local_id(0), g = get_global_id(0);
    t[l] = -1;
    u[l] = -1;
    barrier(CLK_LOCAL_MEM_FENCE);
    local int4 *p = &t[l / 2];
    if (l & 1)
        p->y = g;
    else
        p->x = g;
    u[l ^ 3].zx = (int2)(g, l);
    u[l].y = g;
    fours[g / 4][g % 4] = g;
    if (g < 16) {
        if (g & 1)
            pairs[g / 2].y = g;
        else
            pairs[g / 2].x = g;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    int4 mine = fours[g / 4];
    int whole = l & 1 ? p->y : p->x;
    bool kept = p->z == -1 && u[l ^ 3].z == g && u[l ^ 3].x == l && u[l].y == g && mine.x + 3 == mine.w;
    out[g] = kept ? whole : -1;
}
