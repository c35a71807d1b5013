// global: 504
// local: 8
// arg: int out[504]
// expect: out = F + (i - F + 1) % S
__attribute__((reqd_work_group_size(8, 1, 1))) kernel void k(global int *out) {
    local int s[8];
    size_t l = get_local_id(0);
    s[l] = get_global_id(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = s[(l + 1) % 8];
}
