// options:
// global: 512
// local: 16 64 none
// arg: int out[512]
// expect: out = 1
kernel void k(global int *out) {
    int g = get_global_id(0);
    out[g] = 3 > g > -1;
}
