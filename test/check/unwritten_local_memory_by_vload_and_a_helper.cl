// finds: uninitialized-read 7 19, uninitialized-read 16 20
// global: 16
// local: 16
// arg: int out[16]
int sum(const int *p, int n) { // generic pointers
    int s = 0;
    for (const int *end = p + n; p != end; s += *p++) {
    }
    return s;
}
kernel void k(global int *out) {
    local int t[64], u[64];
    int l = get_local_id(0);
    t[l] = u[2 * l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    int2 v = vload2(0, u + 2 * l);
    int2 w = vload2(l / 2, t);
    out[l] = w.x + w.y;
    out[l] += sum(t + 16, 3);
    out[l] += v.y;
}
