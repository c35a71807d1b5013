// finds: out-of-bounds 12
// illegal: finishes
// global: 64
// local: 64
// arg: int n = 4
// arg: int out[64]
kernel void k(int n, global int *out) {
    char a[16];
    for (int i = 0; i < 16; i++)
        a[i] = (char)i;
    char4 first = vload4(n - 4, a), last = vload4(n - 1, a);
    char4 beyond = vload4(n, a);
    out[get_local_id(0)] = first.x + last.y + beyond.z;
}
