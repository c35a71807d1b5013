// finds: nothing
// global: 8
// local: 8
// arg: int p[8] = 0
// arg: int out[8]
kernel void k(global uint *p, global int *out) {
    int l = get_local_id(0), x = 0;
    if (l == 3) p[0] = 1;
    if (l == 0) vstore2((uint2)(1, 2), 0, p);
    if (l == 0) x += p[1];
    out[l] = x;
}
