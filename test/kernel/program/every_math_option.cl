// options: -cl-std=CL3.0 -cl-mad-enable -cl-no-signed-zeros -cl-unsafe-math-optimizations -cl-finite-math-only -cl-fast-relaxed-math -cl-denorms-are-zero -cl-single-precision-constant -cl-kernel-arg-info -w
// global: 504
// arg: float in[504] = i
// arg: float out[504]
// expect: out = i * 2 + 1
kernel void k(global float *in, global float *out) {
    size_t g = get_global_id(0);
    float v = in[g];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[g] = v * 2 + 1;
}
