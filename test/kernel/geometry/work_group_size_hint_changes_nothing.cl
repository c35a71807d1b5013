// global: 504
// arg: int out[504]
// expect: out = F + (i - F + 1) % S
__attribute__((work_group_size_hint(32, 1, 1))) __attribute__((vec_type_hint(float4))) kernel void k(global int *out) {
    local int s[1024];
    size_t l = get_local_id(0);
    s[l] = get_global_id(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = s[(l + 1) % get_local_size(0)];
}
