// finds: uninitialized-read 13 14
// global: 16
// local: 16
// arg: int out[16]
// Of elements that a vector has in two words each is looked at in its own.
kernel void k(global int *out) {
    local uchar t[32];
    local short s[32];
    int l = get_local_id(0);
    t[l] = s[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    uchar3 v = vload3(0, t + l % 14);
    short2 w = vload2(0, s + l);
    out[l] = v.x + v.y + v.z + w.y;
}
