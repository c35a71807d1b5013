// global: 1008
// arg: float sums[4] = 0
// arg: double wide[2] = 0
// arg: float out[1008]
// expect: sums = {1008, -2016, 504504, 0}
// expect: wide = {2016, -1008}
// expect: out = 3 * S - S
kernel void k(global float *sums, global double *wide, global float *out) {
    local atomic_float near;
    local atomic_double near_wide;
    if (get_local_id(0) == 0) {
        atomic_init(&near, 0);
        atomic_init(&near_wide, 0);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    global atomic_float *s = (global atomic_float *)sums;
    global atomic_double *w = (global atomic_double *)wide;
    atomic_fetch_add(&s[0], 1.0f);
    atomic_fetch_sub_explicit(&s[1], 2.0f, memory_order_relaxed);
    atomic_float *where = &s[2];
    atomic_fetch_add_explicit(where, (float)get_global_id(0) - 3, memory_order_acq_rel, memory_scope_device);
    atomic_fetch_add(&w[0], 2.0);
    atomic_fetch_sub(&w[1], 1.0);
    atomic_fetch_add_explicit(&near, 3.0f, memory_order_relaxed, memory_scope_work_group);
    atomic_fetch_sub(&near_wide, 1.0);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = atomic_load(&near) + (float)atomic_load(&near_wide);
}
