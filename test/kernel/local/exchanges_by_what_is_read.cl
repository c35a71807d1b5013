// What some work-items exchange or change by what they have read stays as it was for the others.
// global: 128
// local: any
// arg: int wrong[128]
// expect: wrong = 0
#define MANY 1024
kernel void k(global int *wrong) {
    local int s[2 * MANY], t[MANY], old[2 * MANY];
    local short h[2 * MANY];
    local float f[MANY];
    int l = get_local_linear_id(), n = get_local_size(0) * get_local_size(1) * get_local_size(2), bad = 0;
    int first = l * 37 % 101, second = l * 53 % 89;
    s[l] = old[l] = h[l] = first;
    s[n + l] = old[n + l] = h[n + l] = second;
    t[l] = f[l] = first;
    barrier(CLK_LOCAL_MEM_FENCE);
    int a = s[l], b = s[n + l]; /* two places */
    if (a > b) {
        s[l] = b;
        s[n + l] = a;
    }
    short c = h[2 * l], d = h[2 * l + 1]; /* two apart, and a store between */
    t[l] = 5;
    if (c > d) {
        h[2 * l] = d;
        h[2 * l + 1] = c;
    }
    int x = t[l]; /* one of both ways */
    if (first & 2)
        t[l] = x + first;
    else
        t[l] = x - second;
    float y = f[l]; /* the new value is of the old one, and used afterwards */
    if (y > 50 || y < 20)
        f[l] = y = y * 2 + 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < n; i++) {
        int p = old[i], q = old[n + i], r = old[2 * i], u = old[2 * i + 1];
        bad += s[i] != min(p, q) || s[n + i] != max(p, q);
        bad += h[2 * i] != min(r, u) || h[2 * i + 1] != max(r, u);
        bad += t[i] != (p & 2 ? 5 + p : 5 - q);
        bad += f[i] != (p > 50 || p < 20 ? p * 2 + 1 : p);
    }
    bad += y != f[l];
    wrong[get_global_id(0)] = bad;
}
