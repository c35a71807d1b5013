// kernel: a b
// global: 504
// arg: int out[504] = 0
// expect: out = 2 * (F + (i - F + 1) % S) + 1
kernel void a(global int *out) {
    local int s[512];
    size_t l = get_local_id(0);
    s[l] = get_global_id(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] += s[(l + 1) % get_local_size(0)];
}
kernel void b(global int *out) {
    local long s[512];
    size_t l = get_local_id(0);
    s[l] = get_global_id(0) + 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    size_t next = (l + 1) % get_local_size(0);
    out[get_global_id(0)] += s[next];
}
