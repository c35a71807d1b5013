// finds: deadlock 8
// illegal: finishes
// set: WEIR_CHECK_DEADLOCK=200
// global: 64
// local: 32
// arg: int out[64]
kernel void k(global int *out) {
    for (int i = 0;; i++)
        out[get_global_id(0)] = i;
}
