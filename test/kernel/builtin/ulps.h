/* ulps.h: how tests of built-in functions compare floats. */

/* How far off the result is, in units in the last place of what it should be. */
float ulps(float got, double want) {
    int e = max(ilogb((float)want), -126);
    return got == (float)want ? 0 : (float)(fabs((double)got - want) / ldexp(1.0, e - 23));
}

bool same(float a, float b) {
    return as_uint(a) == as_uint(b);
}
