// finds: misaligned-access 12
// illegal: finishes
// global: 128
// local: 64
// arg: int out[128]
// arg: local t[776]
kernel void k(global int *out, local uint *t) {
    int l = get_local_id(0);
    t[l] = t[l + 64] = t[l + 128] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    local ulong *p = (local ulong *)(t + (l ^ 5) * 2 + 1);
    *p = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = t[2 * l + 1];
}
