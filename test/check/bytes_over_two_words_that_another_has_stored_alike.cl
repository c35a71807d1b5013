// finds: nothing
// global: 8
// local: 8
// arg: int out[8]
kernel void k(global int *out) {
    local uchar t[32];
    int l = get_local_id(0), x = 0;
    vstore4((uchar4)(0), l, t);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 4)
        vstore4((uchar4)(1), 0, t + 2);
    if (l == 1)
        vstore8((uchar8)(1, 1, 1, 2, 1, 1, 2, 2), 0, t + 4);
    if (l == 1) {
        uchar4 v = vload4(0, t + 6); // which are its own
        x = v.x + v.y + v.z + v.w;
    }
    out[l] = x;
}
