// finds: null-access 8
// illegal: finishes
// global: 64
// local: 64
// arg: null p
// arg: int out[64]
kernel void k(global int *p, global int *out) {
    out[get_global_id(0)] = p[3];
}
