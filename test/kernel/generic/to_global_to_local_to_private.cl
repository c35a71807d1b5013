// global: 504
// needs: generic
// arg: int in[504] = i
// arg: int out[504]
// expect: out = i % 3 == 0 ? 1 : i % 3 == 1 ? 2 : 4
int kind(int *p) {
    return (to_global(p) ? 1 : 0) + (to_local(p) ? 2 : 0) + (to_private(p) ? 4 : 0);
}
kernel void k(global int *in, global int *out) {
    local int s[512];
    int mine[4] = {1, 2, 3, 4};
    size_t l = get_local_id(0), g = get_global_id(0);
    s[l] = g * 2;
    barrier(CLK_LOCAL_MEM_FENCE);
    int *p = g % 3 == 0 ? (int *)&in[g] : g % 3 == 1 ? (int *)&s[l] : &mine[g % 4];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[g] = kind(p);
}
