// finds: out-of-bounds 9
// needs: generic
// illegal: finishes
// global: 64
// local: 32
// arg: int in[64] = i
// arg: int out[64]
int get(const int *p, int i) {
    return p[i];
}
kernel void k(global const int *in, global int *out) {
    local int t[32];
    int l = get_local_id(0), g = get_global_id(0);
    t[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    const int *p = g < 32 ? (const int *)t : (const int *)in;
    out[g] = get(p, (g + 1) % 64);
}
