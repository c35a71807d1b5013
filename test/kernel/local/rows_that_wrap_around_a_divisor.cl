// Rows of which lanes are on either side of a multiple of a divisor: all divisors, also negative ones, and powers of two.
// global: 256
// local: 64
// arg: int a[600] = i * 7 + 3
// arg: int wrong[256] = 0
// arg: int zero = 0
// expect: wrong = 0
int rest(int x, int n) { /* as the specification of C has it */
    int q = 0, m = abs(n), y = abs(x);
    while (y >= m)
        y -= m;
    return x < 0 ? -y : y;
}
kernel void k(global int *a, global int *wrong, int zero) {
    local int t[300];
    int i = get_global_id(0), l = get_local_id(0), bad = 0;
    for (int j = l; j < 300; j += 64)
        t[j] = a[j];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int n = 1; n < 80; n += n < 20 ? 1 : 7) {
        int m = n + zero, signed_x = l - 20 + n % 3;
        uint x = l + n / 3;
        bad += t[x % (uint)m] != rest(x, n) * 7 + 3;
        bad += t[100 + signed_x % m] != (100 + rest(signed_x, n)) * 7 + 3;
        bad += t[100 + signed_x % -m] != (100 + rest(signed_x, n)) * 7 + 3;
        bad += a[(x + 4294967290u) % (uint)m] != rest(x < 6 ? (4294967290u + x) % (uint)n : x - 6, n) * 7 + 3;
        bad += t[(x + n) & 31] != ((x + n) - (x + n) / 32 * 32) * 7 + 3;
        bad += t[(l - n) & 63] != (l - n + 128 - (l - n + 128) / 64 * 64) * 7 + 3;
    }
    wrong[i] = bad;
}
