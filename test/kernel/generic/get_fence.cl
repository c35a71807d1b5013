// global: 504
// needs: generic
// arg: int in[504] = i
// arg: int out[504]
// expect: out = i % 2 ? 1 : 2
kernel void k(global int *in, global int *out) {
    local int s[512];
    size_t l = get_local_id(0), g = get_global_id(0);
    s[l] = 0;
    int *p = g % 2 ? (int *)&s[l] : (int *)&in[g];
    cl_mem_fence_flags f = get_fence(p);
    out[g] = (f & CLK_LOCAL_MEM_FENCE ? 1 : 0) + (f & CLK_GLOBAL_MEM_FENCE ? 2 : 0);
}
