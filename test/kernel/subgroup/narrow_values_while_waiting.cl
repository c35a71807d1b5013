// The compiler finds that counters need two bits: they come back as they were, also where rows don't fill packs.
// spirv: clang 22 makes a counter of two bits one of eight
// global: 504
// local: 1 3 16 63 250
// needs: cl_khr_subgroups cl_intel_required_subgroup_size
// arg: int out[504]
// expect: out = 1
__attribute__((intel_reqd_sub_group_size(4))) kernel void k(global uint *out) {
    uint g = get_global_id(0), lane = get_sub_group_local_id(), sum = 0, expected = 0;
    local volatile uint zero;
    if (get_local_id(0) == 0)
        zero = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = 0; i < g % 4; i++) {
        if ((lane + i + g) % 3 != 2) {
            out[g] = i;
        } else {
            for (uint j = 0; j < (g + i) % 4; j++) {
                sum += sub_group_non_uniform_reduce_min(4);
                for (uint t = 59 + lane % 3 * 9; t > atomic_or(&zero, 0); t--)
                    ;
            }
            expected += (g + i) % 4 * 4;
        }
    }
    out[g] = sum == expected;
}
