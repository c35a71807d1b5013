// global: 1
// needs: cl_khr_fp16
// arg: int right[1] = 0
// expect: right = 1
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void k(global int *right) {
    *right = HALF_DIG == 3 && HALF_MANT_DIG == 11 && HALF_MAX_10_EXP == 4 && HALF_MAX_EXP == 16 && HALF_MIN_10_EXP == -4 &&
             HALF_MIN_EXP == -13 && HALF_RADIX == 2 && as_ushort((half)HALF_MAX) == 0x7bff &&
             as_ushort((half)HALF_MIN) == 0x0400 && as_ushort((half)HALF_EPSILON) == 0x1400 && sizeof(half3) == 8 &&
             vec_step(half3) == 4 && as_ushort(M_PI_H) == 0x4248;
}
