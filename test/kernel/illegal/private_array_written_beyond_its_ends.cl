// global: 504
// arg: uint out[504]
// arg: uint in[600] = i
// illegal: finishes
uint written_beyond(global const uint *in, uint l) {
    uint a[4], b[3];
    for (int i = 0; i <= 4; i++)
        a[i] = in[l + i];
    for (int i = -1; i < 7; i++)
        b[i] = in[l + 1 + i];
    barrier(CLK_LOCAL_MEM_FENCE);
    return a[l & 3] + b[l % 3];
}
uint in_a_loop(global const uint *in, uint l) {
    uchar c[3];
    uint4 v[2];
    uint s = 0;
    for (uint r = 0; r < in[4]; r++) {
        for (int i = -4; i < 7; i++)
            c[i] = (uchar)in[l + 4 + i];
        for (int i = -2; i < 4; i++)
            v[i] = in[l + 2 + i];
        barrier(CLK_LOCAL_MEM_FENCE);
        s += c[l % 3] + v[l & 1].y;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    return s;
}
uint without_a_barrier(global const uint *in, uint l) {
    ulong d[5];
    for (uint i = 0; i < in[7] + 2; i++)
        d[i] = in[l + i];
    return (uint)d[l % 5];
}
kernel void k(global uint *out, global const uint *in) {
    uint l = get_local_id(0), s = written_beyond(in, l);
    out[get_global_id(0)] = s + in_a_loop(in, l) + without_a_barrier(in, l);
}
