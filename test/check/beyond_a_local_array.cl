// finds: out-of-bounds 10
// illegal: finishes
// global: 64
// local: 64
// arg: int out[64]
kernel void k(global int *out) {
    local int a[64], b[64];
    size_t l = get_local_id(0);
    b[l] = l;
    a[l + 1] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = a[l] + b[l];
}
