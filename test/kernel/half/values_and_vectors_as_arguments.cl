// global: 8
// needs: cl_khr_fp16
// arg: half s = 1.5
// arg: half3 t = 1, 2, 3
// arg: half16 v = 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
// arg: half buffer[8] = i * 0.25
// arg: float out[8]
// expect: out = i * 3.25 + 7.5
// expect: buffer = i * 0.5
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void k(half s, half3 t, half16 v, global half *buffer, global float *out) {
    size_t i = get_global_id(0);
    half8 part = v.lo;
    half mine = i < 4 ? (i < 2 ? (i ? part.s1 : part.s0) : i == 2 ? part.s2 : part.s3) : i < 6 ? (i == 4 ? part.s4 : part.s5) : i == 6 ? part.s6 : part.s7;
    out[i] = mine * t.z + s * (t.x + t.y + 2.0h) + buffer[i];
    buffer[i] = buffer[i] * t.y;
}
