// finds: uninitialized-read 11 12
// illegal: finishes
// global: 64
// local: 64
// arg: int table[16] = i
// arg: int out[64]
kernel void k(global const int *table, global int *out) {
    local uchar key[64];
    size_t l = get_local_id(0);
    if (l < 32) key[l] = (uchar)l; barrier(CLK_LOCAL_MEM_FENCE);
    uint which = key[(l + 1) % 64] & 15;
    out[l] = table[which];
}
