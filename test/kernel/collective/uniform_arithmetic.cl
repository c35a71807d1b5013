// global: 504
// needs: cl_khr_work_group_uniform_arithmetic
// arg: int out[504]
// expect: out = 1
kernel void k(global int *out) {
    int g = get_global_id(0), first = g - get_local_id(0), n = get_local_size(0);
    uint all = ~0u, up_to = ~0u, any = 0;
    long odd = 0, odd_before = 0;
    double product = 1, before = 1;
    bool every = true, every_before = true, uneven = false;
    for (int i = first; i < first + n; i++) {
        all &= i | 0xf0;
        up_to &= i <= g ? i | 0xf0 : ~0u;
        any |= 1u << i % 31;
        odd ^= i * 3l;
        odd_before ^= i < g ? i * 3l : 0;
        product *= i % 2 ? 2 : 0.5;
        before *= i < g ? i % 2 ? 2 : 0.5 : 1;
        every = every && i % 50;
        every_before = every_before && (i >= g || i % 50);
        uneven ^= i % 3 == 0;
    }
    bool ok = work_group_reduce_and((uint)g | 0xf0) == all && work_group_scan_inclusive_and((uint)g | 0xf0) == up_to;
    ok = ok & work_group_reduce_or(1u << g % 31) == any;
    ok = ok & work_group_reduce_xor(g * 3l) == odd;
    ok = ok & work_group_scan_exclusive_xor(g * 3l) == odd_before;
    ok = ok & work_group_reduce_mul(g % 2 ? 2 : 0.5) == product;
    ok = ok & work_group_scan_exclusive_mul(g % 2 ? 2.0f : 0.5f) == (float)before;
    ok = ok & (work_group_reduce_logical_and(g % 50) != 0) == every;
    ok = ok & (work_group_scan_exclusive_logical_and(g % 50) != 0) == every_before;
    ok = ok & (work_group_reduce_logical_xor(g % 3 == 0) != 0) == uneven;
    ok = ok & work_group_scan_inclusive_logical_or(1) != 0;
    out[g] = ok;
}
