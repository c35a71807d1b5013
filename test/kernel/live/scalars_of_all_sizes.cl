// global: 504
// arg: ulong out[504]
// expect: out = uchar(i) + ushort(i * 300) + uint(i * 70000) + i * 5000000000
kernel void k(global ulong *out) {
    size_t g = get_global_id(0);
    uchar a = g;
    ushort b = g * 300;
    uint c = g * 70000;
    ulong d = g * 5000000000ul;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[g] = a + b + c + d;
}
