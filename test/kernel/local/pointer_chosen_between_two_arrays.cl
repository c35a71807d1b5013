// global: 504
// arg: int out[504]
// arg: int m = 1
// expect: out = (F + (i - F + 1) % S) * 2
kernel void k(global int *out, int m) {
    local int a[512], b[512];
    size_t l = get_local_id(0);
    a[l] = get_global_id(0);
    b[l] = get_global_id(0) * 2;
    barrier(CLK_LOCAL_MEM_FENCE);
    local int *p = m ? b : a;
    out[get_global_id(0)] = p[(l + 1) % get_local_size(0)];
}
