// finds: nothing
// global: 128
// local: 64
// arg: uchar seen[16]
// expect: seen = 1
kernel void k(global uchar *seen) {
    local uchar flags[16];
    size_t l = get_local_id(0);
    flags[l % 16] = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    seen[l % 16] = flags[l % 16];
}
