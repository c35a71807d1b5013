// global: 504
// options: -cl-std=CL3.0
// arg: ushort far[4] = {0, 0x7bff, 0xfbff, 0x7e00}
// arg: float out[504]
// expect: far = {0x5fe0, 0xdfdc, 0x4900, 0x4200}
// expect: out = 2 * S - S + 3
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void k(global ushort *far, global float *out) {
    local atomic_half sum, most;
    if (get_local_id(0) == 0) {
        atomic_store(&sum, 0.0h);
        atomic_store_explicit(&most, -INFINITY, memory_order_relaxed, memory_scope_work_group);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    global atomic_half *p = (global atomic_half *)far;
    atomic_fetch_add(p, 1.0h);
    atomic_fetch_min_explicit(&p[1], -(half)get_global_id(0), memory_order_relaxed);
    atomic_fetch_max_explicit((atomic_half *)&p[2], (half)(get_global_id(0) % 11), memory_order_relaxed, memory_scope_device);
    atomic_fetch_min(&p[3], 3.0h);
    atomic_fetch_add(&sum, 2.0h);
    atomic_fetch_sub_explicit(&sum, 1.0h, memory_order_relaxed, memory_scope_work_group);
    atomic_fetch_max(&most, (half)(get_local_id(0) % 4 ? -1 : 3));
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = (float)(atomic_load(&sum) + atomic_load_explicit(&most, memory_order_relaxed));
}
