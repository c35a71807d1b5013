// global: 504
// arg: int in[504] = i
// arg: int out[504]
// expect: out = i < 10 ? i * 50 : -1
kernel void k(global int *in, global int *out) {
    size_t g = get_global_id(0);
    int r = -1;
    if (g < 10)
        r = in[g * 50];
    else if (g > 1000)
        r = in[g * 1000000000ul];
    out[g] = r;
}
