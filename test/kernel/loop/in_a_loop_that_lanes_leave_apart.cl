// A loop whose lanes go around together, in one that they leave in different rounds: what lanes had that have left stays.
// global: 96
// local: 32
// arg: int out[96]
// arg: int n = 5
// expect: out = 1
kernel void k(global int *out, int n) {
    int l = get_local_id(0), sum = 0, rounds = 0, last = 0;
    while (rounds < l % 11) {
        int inner = 0;
        for (int i = 0; i < n; i++) {
            inner += i + rounds;
            last = 100 * rounds + i;
        }
        sum += inner;
        if (sum > 60 && l % 2)
            break;
        rounds++;
    }
    int expected = 0, count = 0;
    for (; count < 11; count++) {
        if (count >= l % 11)
            break;
        expected += n * (n - 1) / 2 + n * count;
        if (expected > 60 && l % 2)
            break;
    }
    int before = count < l % 11 ? count : count - 1;
    out[get_global_id(0)] = sum == expected && rounds == count && last == (before < 0 ? 0 : 100 * before + n - 1);
}
