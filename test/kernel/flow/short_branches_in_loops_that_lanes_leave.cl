// Short ways that only some lanes take, of which one would overflow in the others: all shapes, in loops left at different times.
// global: 192
// local: 48
// arg: float a[64] = i
// arg: int out[192]
// expect: out = 1
kernel void k(global const float *a, global int *out) {
    int i = get_global_id(0), x = i, y = -i, z = 3, right = 1;
    float key = i % 7 == 6 ? NAN : (i * 37 % 640) * 0.1f;
    ulong first = 0, n = 64, plain = 0;
    while (n > 0) { /* the first one that isn't less; NaNs come last */
        ulong middle = n / 2, it = first + middle;
        float here = a[it];
        if (!isnan(here) && (isnan(key) || here < key)) {
            n -= middle + 1;
            first = it + 1;
        } else {
            n = middle;
        }
    }
    for (int e = 0; e < 64; e++)
        plain += isnan(key) | (a[e] < key);
    right &= first == plain;
    int wx = x, wy = y, wz = z;
    for (int k = 0; k < i % 13; k++) {
        if (x & 1)
            x += 3;
        else
            x /= 2;
        if (y < k)
            y = min(y * y + 1, 50) - k;
        if (x > 20) {
            z ^= x;
            if (z > 9)
                z -= y;
        } else if (x < 5) {
            y++;
        }
    }
    for (int k = 0; k < i % 13; k++) { /* the same without branches */
        int odd = wx & 1;
        wx = odd * (wx + 3) + (1 - odd) * (wx / 2);
        int less = wy < k, to = (int)((uint)wy * (uint)wy + 1u);
        wy = less * ((to < 50) * to + (to >= 50) * 50 - k) + (1 - less) * wy;
        int above = wx > 20, t = wz ^ (above * wx), far = above * (t > 9);
        wz = t - far * wy;
        wy += wx < 5;
    }
    out[i] = right & (x == wx) & (y == wy) & (z == wz);
}
