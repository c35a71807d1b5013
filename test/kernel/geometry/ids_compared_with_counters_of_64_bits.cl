// Each way to compare an id with a number of 64 bits: below, at and above all ids, at the ends of their range, and by steps.
// global: 504
// local: 504 63
// arg: long bound[10] = {0, 1, 5, 64, 503, 504, 1000, -1, -9223372036854775807, 9223372036854775807}
// arg: int wrong[504]
// expect: wrong = 0
kernel void k(global const long *bound, global int *wrong) {
    size_t g = get_global_id(0);
    long s = (long)g - 250;
    int bad = 0;
    for (int n = 0; n < 10; n++) {
        long b = bound[n];
        ulong u = (ulong)b, at = 3 * g + 7;
        bool high = b < 0, top = b > 2000;
        int small = high || top ? 0 : (int)b, i = (int)g, j = 3 * i + 7;
        bad += (g < u) != (high || top || i < small);
        bad += (g <= u) != (high || top || i <= small);
        bad += (g > u) != (!high && !top && i > small);
        bad += (g >= u) != (!high && !top && i >= small);
        bad += (g == u) != (!high && !top && i == small);
        bad += (at < u) != (high || top || j < small);
        bad += (at != u) != (high || top || j != small);
        bad += (u <= at) != (!high && !top && j >= small);
        int low = b < -1000 ? -1000 : top ? 2000 : (int)b, t = i - 250;
        bad += (s < b) != (t < low);
        bad += (s <= b) != (t <= low);
        bad += (s > b) != (t > low);
        bad += (s >= b) != (t >= low);
        if (g % 5 != 2 && g >= 5) {
            bad += (s < b) != (t < low);
            bad += (g - 5 < u) != (high || top || i - 5 < small);
        }
    }
    wrong[g] = bad;
}
