// A loop that carries many sums, most independent, two of each other, and a value that only its last round gives.
// global: 64
// local: 64 7 1
// arg: uint in[128] = i + 3
// arg: int rounds = 9
// arg: uint out[64]
// expect: out = sum(r, 0, 9, in[i + r]) * sum(j, 0, 40, (j + 1) * (2 * j + 1)) + 9 + 36 * 2 + in[i + 8] * 3
kernel void k(global const uint *in, int rounds, global uint *out) {
    int i = get_global_id(0);
    uint a[40], last = 0, hash = 0, p = 0, q = 0;
    for (uint j = 0; j < 40; j++)
        a[j] = 0;
    for (int r = 0; r < rounds; r++) {
        last = in[i + r];
        q += p;
        p += 1;
        for (uint j = 0; j < 40; j++)
            a[j] += last * (j + 1);
    }
    for (uint j = 0; j < 40; j++)
        hash += a[j] * (2 * j + 1);
    out[i] = hash + p + q * 2 + last * 3;
}
