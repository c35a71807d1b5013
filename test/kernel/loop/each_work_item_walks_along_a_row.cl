// Rows that work-items walk along, up and down, with lengths that no number of rounds divides: sums, rows in place where each element
// needs the one before, indices that may wrap around, bytes, and rows that only some work-items have.
// global: 96
// local: 32 16 7
// arg: int n = 37
// arg: int a[96 * 37] = i
// arg: int b[96 * 37] = 7 * i
// arg: uchar c[96 * 37] = i % 200
// arg: long d[96 * 37] = 3 * i
// arg: int wrong[96]
// expect: wrong = 0
kernel void k(int n, global int *a, global int *b, global uchar *c, global long *d, global int *wrong) {
    int g = get_global_id(0), first = g * n, sum = 0, bad = 0;
    for (int j = 0; j < n; j++)
        sum += a[g * n + j];
    bad += sum != n * first + n * (n - 1) / 2;
    for (uint j = 0; j < (uint)n; j++)
        b[(uint)g * n + j] += a[(uint)g * n + j];
    for (int j = 1; j < n; j++)
        b[g * n + j] = b[g * n + j] - b[g * n + (j - 1)];
    int before = 8 * first;
    bad += b[g * n] != before;
    for (int j = 1; j < n; j++) {
        before = 8 * (first + j) - before;
        bad += b[g * n + j] != before;
    }
    for (int j = n - 1; j >= 1; j--)
        a[g * n + j] = a[g * n + j - 1];
    for (int j = 0; j < n; j++)
        bad += a[g * n + j] != first + (j ? j - 1 : 0);
    for (int j = 0; j < n - 2; j++)
        a[g * n + (n - j - 2)] =
            (a[g * n + (n - 2 - j)] - a[g * n + (n - 2 - j - 1)]) + (int)d[g * n + (n - j - 3)];
    for (int j = 1; j < n - 1; j++)
        bad += a[g * n + j] != (j > 1) + 3 * (first + j - 1);
    for (int j = 0; j < n; j++)
        c[g * n + j] += j;
    for (int j = 0; j < n; j++)
        bad += c[g * n + j] != (uchar)((first + j) % 200 + j);
    if (g % 3)
        for (int j = 0; j < n; j++)
            d[g * n + j] = d[g * n + j] * 2 + b[g * n + j] * 0;
    for (int j = 0; j < g % 5; j++)
        d[g * n + j] = j;
    for (int j = 0; j < n; j++)
        bad += d[g * n + j] != (j < g % 5 ? j : 3 * (first + j) * (g % 3 ? 2 : 1));
    wrong[g] = bad;
}
