// global: 504
// local: 1 3 16 64 250
// needs: __opencl_c_subgroups
// spirv: clang 22 passes one constant for all of 8, 0 and 1 << 31
// arg: int out[504]
// expect: out = 1
kernel void k(global int *out) {
    int g = get_global_id(0), n = get_sub_group_size(), first = g - get_sub_group_local_id();
    bool all_below = first + n <= 100, any_below = first < 100;
    bool ok = (sub_group_all(g < 100) != 0) == all_below && (sub_group_any(g < 100) != 0) == any_below;
    ok = ok && sub_group_all(8) && !sub_group_any(0) && sub_group_any(1 << 31);
    out[g] = ok;
}
