// finds: out-of-bounds 7
// illegal: finishes
// global: 64
// local: 64
// arg: int out[63]
kernel void k(global int *out) {
    out[get_global_id(0) + 8192] = 1;
}
