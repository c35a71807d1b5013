// global: 504
// arg: int out[504]
// expect: out = i * 3 + (F + (i - F + 1) % S)
struct pair {
    int mine;
    int4 next;
};
__attribute__((noinline)) struct pair exchange(local int *s, int v) {
    size_t l = get_local_id(0);
    struct pair p = {v * 3, (int4)(0)};
    s[l] = v;
    barrier(CLK_LOCAL_MEM_FENCE);
    p.next.z = s[(l + 1) % get_local_size(0)];
    return p;
}
kernel void k(global int *out) {
    local int s[512];
    struct pair p = exchange(s, get_global_id(0));
    out[get_global_id(0)] = p.mine + p.next.z;
}
