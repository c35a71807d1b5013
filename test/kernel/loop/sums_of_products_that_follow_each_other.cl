// global: 504
// arg: float a[4032] = (i / 8 + i % 8) % 7
// arg: float b[32] = i % 8 == i / 8
// arg: int out[504]
// expect: out = i % 7 + 10 * ((i + 1) % 7) + 100 * ((i + 2) % 7) + 1000 * ((i + 3) % 7)
kernel void k(global const float *a, global const float *b, global int *out) {
    float q[8], all = 0, scale = 1;
    int i = get_global_id(0);
    for (int j = 0; j < 8; j++)
        q[j] = a[8 * i + j];
    for (int r = 0; r < 4; r++) {
        float sum = 0;
        for (int j = 0; j < 8; j++)
            sum += q[j] * b[8 * r + j];
        all += scale * sum;
        scale *= 10;
    }
    out[i] = all;
}
