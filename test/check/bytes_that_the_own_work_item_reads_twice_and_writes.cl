// finds: nothing
// global: 128
// local: 64
// arg: char out[128]
// arg: short two[128]
kernel void k(global char *out, global short *two) {
    local char t[66];
    local short s[66];
    uint l = get_local_id(0);

    t[l + 1] = (char)l;
    s[65 - l] = (short)l;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < 3; i++) {
        char x = t[l + 1];
        x += t[l + 1] + i;
        t[l + 1] = x;
        s[65 - l] += s[65 - l];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = t[64 - l];
    two[get_global_id(0)] = s[l + 2];
}
