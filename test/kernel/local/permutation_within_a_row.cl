// Elements of a row that its work-items read and write in another order.
// global: 64
// local: 16 8 4
// arg: uint out[64]
// expect: out = i / 4 * 4 + (i % 4 + 1) % 4 + 100 * (i / 4 * 4 + 3 - i % 4)
kernel void k(global uint *out) {
    local uint s[16], t[16];
    uint l = get_local_id(0), first = get_global_id(0) - l;
    s[l / 4 * 4 + (l % 4 + 3) % 4] = first + l;
    t[l ^ 3] = first + l;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = first + l / 4 * 4 + (l % 4 + 1) % 4 + 100 * t[l];
    if (s[l] != out[get_global_id(0)] - 100 * t[l])
        out[get_global_id(0)] = s[(l + 5) % 16];
}
