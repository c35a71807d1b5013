// global: 15,10
// local: 5,5
// arg: uint in[150] = i * 7 % 31
// arg: uint out[150]
// expect: out = i * 7 % 31 + 3
kernel void k(global const uint *in, global uint *out) {
    local uint shared[25];
    uint l = (uint)get_local_id(1) * 5 + (uint)get_local_id(0);
    uint i = (uint)get_global_id(1) * 15 + (uint)get_global_id(0), v = in[i];
    shared[l] = v;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l > 63) /* a group knows that it doesn't hold, and so do packs, which share the row's number */
        v = shared[l % 25] * in[v];
    out[i] = v + shared[l] - in[i] + 3;
}
