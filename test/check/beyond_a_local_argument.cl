// finds: out-of-bounds 9
// illegal: finishes
// global: 64
// local: 64
// arg: int out[64]
// arg: local a[256]
kernel void k(global int *out, local int *a) {
    size_t l = get_local_id(0);
    a[l * 2] = l;
    out[l] = l;
}
