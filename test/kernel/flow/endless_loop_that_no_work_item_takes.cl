// global: 504
// arg: int in[504] = i * 7 % 97
// arg: int out[504]
// expect: out = (i * 7 % 97 < 50 ? i * 7 % 97 : 100) + 1
kernel void k(global const int *in, global volatile int *out) {
    size_t g = get_global_id(0);
    int x = in[g];
    if (x > 200)
        for (;;)
            out[g] = x;
    if (x < 50)
        out[g] = x + 1;
    else
        out[g] = 101;
}
