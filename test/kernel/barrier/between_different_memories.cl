// A barrier between accesses to global and to local memory may order nothing; the others around it order what they did.
// global: 504
// local: any
// arg: int out[504] = 0
// expect: out = 0
kernel void k(global int *out) {
    local int s[504];
    size_t l = get_local_id(0), n = get_local_size(0), first = get_global_id(0) - l, next = (l + 1) % n;
    int bad = 0;
    for (int i = 1; i < 4; i++) {
        out[first + l] = (int)l * i;
        barrier(CLK_GLOBAL_MEM_FENCE);
        s[l] = (int)l + i;
        barrier(CLK_LOCAL_MEM_FENCE);
        int x = (int)next * i;
        barrier(CLK_LOCAL_MEM_FENCE);
        bad += out[first + next] != x;
        barrier(CLK_GLOBAL_MEM_FENCE);
        bad += s[next] != (int)next + i;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    barrier(CLK_GLOBAL_MEM_FENCE);
    out[first + l] = bad;
}
