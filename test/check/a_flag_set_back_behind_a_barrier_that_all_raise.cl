// finds: nothing
// global: 64
// local: 64
// arg: int in[64] = 1
// arg: int out[64]
// expect: out = 3
kernel void k(global const int *in, global int *out) {
    local int raised;
    size_t l = get_local_id(0);
    int seen = 0;
    for (int i = 0; i < 3; i++) {
        if (l == 0) {
            raised = 2;
            raised = 0;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (in[l]) raised = 1;
        if (in[l]) raised = 1;
        barrier(CLK_LOCAL_MEM_FENCE);
        seen += raised;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = seen;
}
