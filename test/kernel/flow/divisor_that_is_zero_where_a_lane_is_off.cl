// Work-item 0 of a row doesn't divide by its id, which is 0: what the others get is right, also where a pack is a row whose ids are known.
// global: 64,4
// local: 16,2 8,4 64,1 4,4
// arg: uint out[256]
// arg: uint width = LX
// arg: uint height = LY
// reference: reference
uint rest(ulong number, ulong l) {
    return (int)l ? (uint)(rotate(number, (ulong)32) % l) : 77;
}
kernel void k(global uint *out, uint width, uint height) {
    uint linear = get_local_linear_id();
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_linear_id()] = rest(linear, get_local_id(0));
}
kernel void reference(global uint *out, uint width, uint height) {
    for (uint i = 0; i < 256; i++) {
        uint l = i % 64 % width;
        out[i] = rest(i / 64 % height * width + l, l);
    }
}
