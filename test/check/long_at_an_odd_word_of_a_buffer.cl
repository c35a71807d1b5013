// finds: misaligned-access 7
// illegal: finishes
// global: 128
// local: 64
// arg: int out[512]
kernel void k(global int *out) {
    *(global ulong *)(out + get_global_id(0) * 2 + 1) = 1;
}
