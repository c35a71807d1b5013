// A compare that holds for a whole pack says nothing about the lanes that the row's end leaves off.
// global: 300
// local: 100 13 12
// arg: uint out[300]
// expect: out = i > 1 ? 3 : 0
uint change(uint a) {
    uint t[8];
    for (uint i = 0; i < 8; i++)
        t[i] = a;
    for (uint i = 0; i < (a & 7); i++)
        t[i & 3] += t[(a >> i) & 7];
    return t[a & 7] ^ t[0];
}
kernel void k(global uint *out) {
    uint x = change((uint)(1 < (int)(uint)get_global_id(0)));
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = x;
}
