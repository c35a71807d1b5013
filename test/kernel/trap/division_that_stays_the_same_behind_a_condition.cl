// LLVM's loop vectorizer takes the division for the same in all rounds, and computes it only if the first one needs it.
// global: 504
// arg: uint a = 7
// arg: uint d = 2
// arg: uint out[4032] = 0
// expect: out = i < 504 ? 0 : i / 504 == 3 && i % 8 > 1 ? 1 : 0
kernel void k(uint a, uint d, global uint *out) {
    uint g = get_global_id(0), n = g & 7;
    for (uint t = 0; t < n; t++)
        if (t % 3 != 0)
            out[g + 504 * ((a + n - n) / (d & 255 | 2) & 7)] = 1;
}
