// global: 504
// arg: int out[504]
// expect: out = i + 3 * (i % 3) + 7
struct s {
    char tag;
    int v;
    short w[3];
};
kernel void k(global int *out) {
    int g = get_global_id(0);
    struct s a[3];
    for (int j = 0; j < 3; j++) {
        a[j].tag = j;
        a[j].v = g;
        a[j].w[j] = 2 * j + 7;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[g] = a[g % 3].tag + a[g % 3].v + a[g % 3].w[g % 3];
}
