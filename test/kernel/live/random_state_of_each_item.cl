// global: 504
// arg: uint out[504]
// reference: reference
// arg: uint count = 504
uint step(uint x) {
    x ^= x << 13;
    x ^= x >> 17;
    return x ^ x << 5;
}
kernel void k(global uint *out, uint count) {
    uint x = get_global_id(0) + 1;
    for (int j = 0; j < 20; j++) {
        for (uint n = x % 7; n > 0; n--)
            x = step(x);
        barrier(CLK_LOCAL_MEM_FENCE);
        x = step(x);
    }
    out[get_global_id(0)] = x;
}
kernel void reference(global uint *out, uint count) {
    for (uint g = 0; g < count; g++) {
        uint x = g + 1;
        for (int j = 0; j < 20; j++) {
            for (uint n = x % 7; n > 0; n--)
                x = step(x);
            x = step(x);
        }
        out[g] = x;
    }
}
