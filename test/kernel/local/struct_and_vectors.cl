// global: 504
// arg: int out[504]
// expect: out = (F + (i - F + 1) % S) * 4 + 3
struct pair {
    char tag;
    int4 v;
};
kernel void k(global int *out) {
    local struct pair p[512];
    local float3 f[512];
    size_t l = get_local_id(0), g = get_global_id(0), next = (l + 1) % get_local_size(0);
    p[l].tag = 3;
    p[l].v = (int4)(g, g, g, 0);
    f[l] = (float3)(0, g, 0);
    barrier(CLK_LOCAL_MEM_FENCE);
    int4 v = p[next].v;
    out[g] = v.x + v.y + v.z + v.w + p[next].tag + (int)f[next].y;
}
