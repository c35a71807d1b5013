// finds: data-race 15 16
// global: 128
// local: 64
// arg: char out[128]
// Each byte is read by its own work-item, then by the one before.
kernel void k(global char *out) {
    local char t[65];
    uint l = get_local_id(0);

    t[l] = (char)l;
    if (l == 0)
        t[64] = 1;
    barrier(CLK_LOCAL_MEM_FENCE);

    char x = t[l] + t[l + 1];
    t[l] = x + 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = t[l] + x;
}
