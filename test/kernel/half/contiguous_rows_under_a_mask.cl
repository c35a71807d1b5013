// global: 130
// needs: cl_khr_fp16
// arg: half in[140] = i
// arg: half out[140] = 7
// expect: out = i >= 130 ? 7 : i % 5 == 2 ? 7 : i * 2 + 1
// Lanes that are off write nothing.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void k(global const half *in, global half *out) {
    size_t i = get_global_id(0);
    if (i % 5 != 2) {
        out[i] = in[i] + in[i + 1];
    }
}
