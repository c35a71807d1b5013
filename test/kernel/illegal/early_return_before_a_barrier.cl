// global: 504
// arg: int out[504]
// illegal: finishes
kernel void k(global int *out) {
    local int s[512];
    size_t l = get_local_id(0);
    s[l] = l;
    if (get_global_id(0) >= 400)
        return;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = s[(l + 1) % get_local_size(0)];
}
