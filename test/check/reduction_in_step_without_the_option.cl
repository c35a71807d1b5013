// finds: data-race 13 13
// illegal: finishes
// global: 64
// local: 32
// arg: int out[64]
// arg: local t[256]
kernel void k(global int *out, local int *t) {
    size_t l = get_local_id(0);
    t[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int s = 8; s > 0; s /= 2)
        if (l % 16 < s)
            t[l] += t[l + s];
    out[get_global_id(0)] = l % 16 == 0 ? t[l] : 0;
}
