// kernel: a b a
// global: 504
// arg: int out[504] = 0
// expect: out = 2 * (F + (i - F + 1) % S) + (F + (i - F + 2) % S)
int rotate_by(local int *s, int by) {
    size_t l = get_local_id(0);
    s[l] = get_global_id(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    return s[(l + by) % get_local_size(0)];
}
kernel void a(global int *out) {
    local int s[1024];
    out[get_global_id(0)] += rotate_by(s, 1);
}
kernel void b(global int *out) {
    local int s[1024];
    out[get_global_id(0)] += rotate_by(s, 2);
}
