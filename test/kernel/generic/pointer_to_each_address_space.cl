// global: 504
// needs: generic
// arg: int in[504] = i
// arg: int out[504]
// expect: out = i % 3 == 0 ? i : i % 3 == 1 ? i * 2 : i * 3
int load(int *p) {
    return *p;
}
kernel void k(global int *in, global int *out) {
    local int s[512];
    int mine = get_global_id(0) * 3;
    size_t l = get_local_id(0), g = get_global_id(0);
    s[l] = g * 2;
    barrier(CLK_LOCAL_MEM_FENCE);
    int *p = g % 3 == 0 ? (int *)&in[g] : g % 3 == 1 ? (int *)&s[l] : &mine;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[g] = load(p);
}
