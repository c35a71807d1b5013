// global: 504
// needs: cl_khr_fp16
// arg: float out[504]
// expect: out = i + 0.5
kernel void k(global float *out) {
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
    half h = (half)get_global_id(0) + (half)0.5f;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = h;
}
