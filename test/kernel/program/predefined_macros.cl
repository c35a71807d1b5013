// global: 16
// arg: int out[16]
// expect: out = 310
#if !defined(__OPENCL_VERSION__) || !defined(__ENDIAN_LITTLE__) || !defined(__kernel_exec)
#error macro missing
#endif
#if defined(__NVPTX__) || defined(__PTX__) || defined(__CUDA_ARCH__)
#error a macro of the neutral triple shows
#endif
kernel void k(global int *out) {
    out[get_global_id(0)] = __OPENCL_VERSION__;
}
