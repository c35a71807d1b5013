// finds: out-of-bounds 7
// illegal: finishes
// global: 64
// local: 64
// arg: int out[64]
kernel void k(global int *out) {
    out[(int)get_global_id(0) - 1] = 1;
}
