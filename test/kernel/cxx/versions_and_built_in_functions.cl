// global: 64
// options: -cl-std=CLC++2021
// arg: int out[64]
// expect: out = 1
#if __OPENCL_CPP_VERSION__ != 202100 || defined(__OPENCL_C_VERSION__) || !defined(__cplusplus) || defined(cl_ext_cxx_for_opencl)
#error language
#endif
kernel void k(global int *out) {
    local atomic_float sum;
    float4 v = {1, 2, 3, 4};
    char2 c = intel_sub_group_shuffle((char2)(3, 4), 0u);
    if (get_local_id(0) == 0)
        atomic_init(&sum, 0.0f);
    work_group_barrier(CLK_LOCAL_MEM_FENCE, memory_scope_work_group);
    atomic_fetch_add(&sum, dot(v, v));
    intel_work_group_barrier_arrive(CLK_LOCAL_MEM_FENCE, memory_scope_work_group);
    int mul = work_group_reduce_mul(1);
    intel_work_group_barrier_wait(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] =
        atomic_load(&sum) == 30.0f * get_local_size(0) && convert_int_sat(3e9f) == INT_MAX && mul == 1 && c.y == 4;
}
