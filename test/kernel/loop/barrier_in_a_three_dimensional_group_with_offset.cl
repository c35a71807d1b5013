// global: 12,10,6
// offset: 5,6,7
// arg: int out[720]
// expect: out = 1
kernel void k(global int *out) {
    local int s[512];
    size_t l = get_local_linear_id(), n = get_local_size(0) * get_local_size(1) * get_local_size(2);
    int r = l;
    for (int j = 0; j < 3; j++) {
        s[l] = r;
        barrier(CLK_LOCAL_MEM_FENCE);
        r = s[(l + 1) % n];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_linear_id()] = r == (l + 3) % n && get_global_id(0) >= 5 && get_global_id(1) >= 6 && get_global_id(2) >= 7;
}
