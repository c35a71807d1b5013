// finds: inter-group-race 8 12
// global: 8
// local: 1
// arg: char p[32] = 0
// arg: int out[8]
kernel void k(global uchar *p, global int *out) {
    int g = get_global_id(0), x = 0;
    if (g == 2) x = p[16];
    if (g == 5)
        x = vload2(0, p + 19).x + vload2(0, p + 19).y;
    if (g == 6)
        vstore3((uchar3)(1, 2, 1), 0, p + 16);
    out[g] = x;
}
