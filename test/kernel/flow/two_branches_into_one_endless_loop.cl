// global: 504
// arg: int in[504] = i * 7 % 97
// arg: int out[504]
// expect: out = i * 7 % 97 + 3
kernel void k(global const int *in, global volatile int *out) {
    size_t g = get_global_id(0);
    int x = in[g];
    if (x > 200)
        goto forever;
    out[g] = x + 1;
    if (x < -5)
        goto forever;
    out[g] += 2;
    return;
forever:
    out[g]++;
    goto forever;
}
