// What is read in a step, where lanes' ways part, is carried to the steps after it.
// global: 64
// local: 32
// arg: uint out[64]
// expect: out = 3 * (i % 32) + 36
kernel void k(global uint *out) {
    local uint s[32];
    uint l = get_local_id(0), above = 0, below = 0;
    for (uint step = 16; step; step /= 2) {
        s[l] = l + 1;
        barrier(CLK_LOCAL_MEM_FENCE);
        uint other = l ^ step, x = s[other];
        if (other > l)
            above += x;
        else
            below = x + below;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = above + below;
}
