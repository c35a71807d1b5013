// Lanes that take a branch go around the loops in it together. Each sum is known in closed form.
// spirv: clang 22 makes a counter of two bits one of eight
// global: 200
// local: 40
// arg: int out[200]
// arg: int n = 13
// expect: out = 1
static int triangle(int n) { return n * (n - 1) / 2; }
kernel void k(global int *out, int n) {
    int g = get_global_id(0), l = get_local_id(0), right = 1;
    if (l % 3 == 1) {
        int sum = 0, odd = 0;
        for (int i = 0; i < n; i++) {
            sum += i * l;
            if ((i + l) % 2) // lanes part in a round, and meet again
                odd++;
        }
        right &= sum == l * triangle(n) && odd == (n + l % 2) / 2;
    } else if (l % 3 == 2) {
        int sum = 0, last = -1, rounds = 0;
        for (int i = 0; i < n; i++) {
            int j;
            for (j = 0; j < 3 + i % 4; j++) // all leave it in the same round
                sum += j + l;
            if (i % 5 == 4)
                continue;
            for (j = 0; j < l % 7; j++) // each in one of its own
                last = j;
            rounds += j;
            if (i == n - 2)
                break;
        }
        int expected = 0;
        for (int i = 0; i < n - 1; i++)
            expected += triangle(3 + i % 4) + (3 + i % 4) * l;
        right &= sum == expected && last == l % 7 - 1 && rounds == (l % 7) * (n - 1 - (n - 1) / 5);
    } else {
        for (int i = 0;; i++) {
            if (i == n) {
                right &= i == n;
                break;
            }
            if (l == 39 && i == 3) { // one leaves alone
                right &= i == 3;
                out[g] = right;
                return;
            }
        }
    }
    out[g] = right;
}
