// global: 1008
// arg: float far[4] = {1e30, -1e30, 0, 0}
// arg: double wide[2] = {1e300, -1e300}
// arg: int nans[4] = 0x7fc00000
// arg: float out[1008]
// expect: far = {-1007, 0, 0, 0}
// expect: wide = {-2014, 0}
// expect: nans = {0x40400000, 0x40400000, 0x40400000, 0x7fc00000}
// expect: out = S - 1 + 1000
kernel void k(global float *far, global double *wide, global int *nans, global float *out) {
    local atomic_float least, most, nan;
    float x = -(float)get_global_id(0), l = get_local_id(0);
    if (get_local_id(0) == 0) {
        atomic_init(&least, INFINITY);
        atomic_init(&most, -INFINITY);
        atomic_init(&nan, NAN);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_fetch_min((global atomic_float *)&far[0], x);
    atomic_fetch_max((global atomic_float *)&far[1], x);
    atomic_fetch_min((global atomic_double *)&wide[0], 2 * (double)x);
    atomic_fetch_max((global atomic_double *)&wide[1], 2 * (double)x);
    atomic_fetch_max_explicit(&most, l, memory_order_relaxed);
    atomic_fetch_min_explicit(&least, l, memory_order_relaxed, memory_scope_work_group);
    atomic_fetch_min(&nan, 1000.0f);
    atomic_fetch_max(&nan, NAN);
    atomic_fetch_min((global atomic_float *)&nans[0], 3.0f);
    atomic_fetch_max((global atomic_float *)&nans[1], 3.0f);
    atomic_fetch_max((atomic_float *)(global atomic_float *)&nans[2], get_global_id(0) % 2 ? NAN : 3.0f);
    atomic_fetch_min((global atomic_float *)&nans[3], as_float(0x7fc00000));
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = atomic_load(&most) + atomic_load(&least) + atomic_load(&nan);
}
