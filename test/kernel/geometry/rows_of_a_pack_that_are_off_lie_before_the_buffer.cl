// Of a pack's rows some are on. The first one is not, and its index of 32 bits would have wrapped around.
// global: 4,16
// local: 4,16
// arg: float in[700] = i
// arg: int out[64] = 0
// expect: out = i / 4 == 5 || i / 4 == 6 ? (i / 4 - 5) * 300 + i % 4 + 1 : 1
kernel void k(global const float *in, global int *out) {
    int linear = get_local_linear_id(), sum = 1;
    if (((linear / 4) < 7) & (5u < ((linear / 4) + 1)))
        sum += in[(((linear / 4) - 5u) * 300) + (linear % 4)];
    out[linear] = sum;
}
