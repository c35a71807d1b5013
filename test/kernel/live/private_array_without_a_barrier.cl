// global: 504
// arg: int out[504]
// expect: out = (i * 5) % 16 + i
kernel void k(global int *out) {
    int a[16], g = get_global_id(0);
    for (int j = 0; j < 16; j++)
        a[j] = j + g;
    out[g] = a[(g * 5) % 16];
}
