// global: 128
// local: 128
// arg: uint data[128] = i * 167 * 2654435761
// reference: reference
kernel void k(global uint *data) {
    local uint keys[128], ones[128];
    size_t l = get_local_id(0);
    uint key = data[l];
    for (uint bit = 0; bit < 32; bit++) {
        uint one = key >> bit & 1;
        ones[l] = one;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint step = 1; step < 128; step *= 2) {
            uint add = l >= step ? ones[l - step] : 0;
            barrier(CLK_LOCAL_MEM_FENCE);
            ones[l] += add;
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        uint before = ones[l] - one, zeros = 128 - ones[127];
        keys[one ? zeros + before : l - before] = key;
        barrier(CLK_LOCAL_MEM_FENCE);
        key = keys[l];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    data[l] = key;
}
kernel void reference(global uint *data) {
    for (int x = 1; x < 128; x++)
        for (int y = x; y > 0 && data[y - 1] > data[y]; y--) {
            uint t = data[y];
            data[y] = data[y - 1];
            data[y - 1] = t;
        }
}
