// options: -cl-std=CL1.2
// global: 512
// local: 16 64 none
// arg: int out[512]
// expect: out = i % 4 * 3
int entry(int i) {
    static constant int table[4] = {0, 3, 6, 9};
    return table[i % 4];
}
kernel void k(global int *out) {
    int g = get_global_id(0);
    out[g] = entry(g);
}
