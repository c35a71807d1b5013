// Conditions of which a pack shares a part: rows against columns, joined in all ways.
// global: 40,10
// local: 20,5
// arg: int out[400]
// arg: int n = 3
// expect: out = 1
kernel void k(global int *out, int n) {
    int x = get_local_id(0), y = get_local_id(1), right = 1;
    for (int k = -1; k < 21; k += n) {
        int a = 0, b = 0, c = 0, d = 0, e = 5;
        if (y > k && x > k)
            a = 1;
        if (x < k || y == n)
            b = 1;
        else
            b = 2;
        if (!(y >= k && (x & 1) && x <= k))
            c = 1;
        if (y < k && k != 2)
            if (x > 3 && x < 18 - y)
                d = x;
        if ((x >= k || y < 2) && (k < 7 || x % 3 == 0 || y > 3))
            for (int i = 0; i < y; i++)
                e += x;
        right &= a == ((y > k) & (x > k)) && b == 2 - ((x < k) | (y == n));
        right &= c == 1 - ((y >= k) & x & (x <= k)) && d == ((y < k) & (k != 2) & (x > 3) & (x < 18 - y)) * x;
        right &= e == 5 + x * y * (((x >= k) | (y < 2)) & ((k < 7) | (x % 3 == 0) | (y > 3)));
    }
    out[get_global_id(1) * 40 + get_global_id(0)] = right;
}
