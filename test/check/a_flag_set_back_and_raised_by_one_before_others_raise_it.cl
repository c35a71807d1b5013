// The first work-item sets a flag back and then raises it, as all others do: they may come before it is set back.
// finds: data-race 10 11
// global: 64
// local: 64
// arg: int in[64] = 1
// arg: int out[64]
kernel void k(global const int *in, global int *out) {
    local int raised;
    size_t l = get_local_id(0);
    if (l == 0) raised = 0;
    if (in[l]) raised = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = raised;
}
