// Only the work-items that come along count.
// global: 504
// local: 1 3 16 64 250
// needs: cl_khr_subgroup_non_uniform_arithmetic
// arg: int out[504]
// expect: out = 1
kernel void k(global int *out) {
    int g = get_global_id(0), lane = get_sub_group_local_id(), n = get_sub_group_size(), first = g - lane;
    bool ok = true;
    if (g % 3 == 1) {
        int sum = 0, before = 0, most = INT_MIN, odd = 0;
        uint bits = 0, up_to = 0;
        float product = 1, so_far = 1;
        bool every = true, uneven = false, every_before = true;
        for (int i = first; i < first + n; i++) {
            if (i % 3 != 1)
                continue;
            sum += i;
            before += i < g ? i : 0;
            most = max(most, i % 17);
            odd ^= i * 5;
            bits |= 1u << i % 19;
            up_to |= i <= g ? 1u << i % 19 : 0;
            product *= i % 2 ? 2 : 0.5f;
            so_far *= i < g ? i % 2 ? 2 : 0.5f : 1;
            every = every && i % 11;
            every_before = every_before && (i >= g || i % 11);
            uneven ^= i % 4 == 0;
        }
        ok = sub_group_non_uniform_reduce_add(g) == sum && sub_group_non_uniform_scan_exclusive_add(g) == before;
        ok = ok && sub_group_non_uniform_scan_inclusive_add((long)g) == before + g;
        ok = ok && sub_group_non_uniform_reduce_max(g % 17) == most && sub_group_non_uniform_reduce_xor(g * 5) == odd;
        ok = ok && sub_group_non_uniform_reduce_or(1u << g % 19) == bits;
        ok = ok && sub_group_non_uniform_scan_inclusive_or(1u << g % 19) == up_to;
        ok = ok && sub_group_non_uniform_reduce_mul(g % 2 ? 2.0f : 0.5f) == product;
        ok = ok && sub_group_non_uniform_scan_exclusive_mul(g % 2 ? 2.0 : 0.5) == so_far;
        ok = ok && (sub_group_non_uniform_reduce_logical_and(g % 11) != 0) == every;
        ok = ok && (sub_group_non_uniform_scan_exclusive_logical_and(g % 11) != 0) == every_before;
        ok = ok && (sub_group_non_uniform_reduce_logical_xor(g % 4 == 0) != 0) == uneven;
    } else {
        uchar all = 0xff;
        for (int i = first; i < first + n; i++)
            all &= i % 3 == 1 ? 0xff : (uchar)(i | 0x21);
        ok = sub_group_non_uniform_reduce_and((uchar)(g | 0x21)) == all;
    }
    out[g] = ok;
}
