// finds: deadlock 9
// illegal: finishes
// set: WEIR_CHECK_DEADLOCK=200
// global: 64
// local: 32
// arg: int out[64]
// arg: int flag[1] = 0
kernel void k(global int *out, global int *flag) {
    while (flag[0] == 0)
        ;
    out[get_global_id(0)] = 1;
}
