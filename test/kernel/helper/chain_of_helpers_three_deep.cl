// global: 504
// arg: int out[504]
// expect: out = F + (i - F + 4) % S
int once(local int *s, int v) {
    size_t l = get_local_id(0);
    s[l] = v;
    barrier(CLK_LOCAL_MEM_FENCE);
    int r = s[(l + 1) % get_local_size(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    return r;
}
__attribute__((noinline)) int twice(local int *s, int v) {
    return once(s, once(s, v));
}
static inline int fourfold(local int *s, int v) {
    return twice(s, twice(s, v));
}
kernel void k(global int *out) {
    local int s[1024];
    out[get_global_id(0)] = fourfold(s, get_global_id(0));
}
