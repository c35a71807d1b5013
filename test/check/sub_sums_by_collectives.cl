// finds: nothing
// needs: collectives
// global: 256
// local: 64
// arg: int in[256] = i
// arg: int out[256]
kernel void k(global const int *in, global int *out) {
    size_t g = get_global_id(0);
    out[g] = work_group_scan_inclusive_add(in[g]) + work_group_broadcast(in[g], 3);
}
