// Subnormal results, huge exponents, table look-ups of infinities and NaNs, signs of zeros.
// global: 13
// local: 13 4
// arg: int bad[13]
// expect: bad = 0
#define SAME(x, y)        (as_uint(x) != as_uint(y))
#define SAMED(x, y)       (as_ulong(x) != as_ulong(y))
#define NEAR(x, y, ulps)  (abs(as_int(x) - as_int(y)) > (ulps))
#define NEARD(x, y, ulps) (abs(as_long(x) - as_long(y)) > (ulps))

int check(uint i, float zero) {
    double zerod = zero;
    switch (i) {
    case 0:
        return NEAR(exp(zero - 90.0f), 0x1.1d8508p-130f, 2) || !isnan(exp(zero + NAN)) ||
               exp(zero - INFINITY) != 0;
    case 1:
        return SAME(exp2(zero - 149.0f), 0x1p-149f) || SAME(exp2(zero + 127.0f), 0x1p127f) ||
               exp2(zero + 128.0f) != INFINITY;
    case 2:
        return !isnan(cosh(zero + NAN)) || cosh(zero - INFINITY) != INFINITY ||
               sinh(zero - 1e30f) != -INFINITY;
    case 3:
        return !isnan(cosh(zerod + NAN)) || cosh(zerod - INFINITY) != INFINITY ||
               sinh(zerod - 1e300) != -INFINITY;
    case 4:
        return SAME(fmod(0x1.8p-125f, zero + 0x1p-126f), 0.0f) || SAME(fmod(zero - 5.5f, 2.0f), -1.5f) ||
               SAME(fmod(zero + 0x1p127f, 0x1.8p-148f), 0x1p-149f) || !isnan(fmod(1.0f, zero));
    case 5:
        return SAME(remainder(zero + 3.0f, 2.0f), -1.0f) ||
               SAME(remainder(zero + 0x1.8p-148f, 0x1p-148f), -0x1p-149f) ||
               SAMED(remainder(zerod - 0x1p1000, 3.0), -1.0) ||
               SAMED(fmod(zerod + 0x1p-1074, 0x1p1000), 0x1p-1074);
    case 6: {
        int q, r;
        return SAME(remquo(zero - 29.0f, 3.0f, &q), 1.0f) || q != -10 ||
               SAMED(remquo(zerod + 7.5, (double)-INFINITY, &r), 7.5) || r != 0;
    }
    case 7:
        return SAME(ldexp(zero + 0x1p-149f, 276), 0x1p127f) || SAME(ldexp(1.5f + zero, -149), 0x1p-148f) ||
               SAME(ldexp(1.0f + zero, INT_MIN), 0.0f) || !isnan(ldexp(zero + NAN, 3));
    case 8:
        return SAMED(ldexp(zerod + 0x1p-1074, 2097), 0x1p1023) ||
               SAMED(ldexp(zerod + 1.5, -1074), 0x1p-1073) || ldexp(zerod + 3.5, 1023) != INFINITY ||
               SAMED(ldexp(zerod + 0x1.8p1023, -2098), 0x1p-1074);
    case 9:
        return pow(zerod + 0x1p975, -0x1p311) != 0 || pow(zerod + 0x1p-9, -0x1p311) != INFINITY ||
               powr(zerod + 0x1p130, -0x1p219) != 0 || pow(zerod - 2.0, 0x1p52 + 1) != -INFINITY;
    case 10:
        return NEARD(tgamma(zerod + 5.0), 24.0, 4) || NEARD(tgamma(zerod + 0.5), 0x1.c5bf891b4ef6bp+0, 4) ||
               NEARD(tgamma(zerod - 0.5), -0x1.c5bf891b4ef6bp+1, 6) || !isnan(tgamma(zerod - 3.0)) ||
               tgamma(zerod + 172.0) != INFINITY || tgamma(-zerod) != -INFINITY;
    case 11:
        return SAME(cospi(zero + 0.5f), 0.0f) || SAME(sinpi(zero - 1.0f), -0.0f) ||
               SAME(tanpi(zero + 1.0f), -0.0f) || SAME(tanpi(zero + 2.0f), 0.0f) ||
               SAMED(atanpi(-zerod), -0.0) || SAMED(asinpi(-zerod), -0.0);
    default:
        return NEAR(erfc(zero + 9.5f), as_float(26898), 16) ||
               NEAR(rootn(zero - 0x1p-140f, 1), -0x1p-140f, 0);
    }
}

kernel void k(global int *bad) {
    uint i = get_global_id(0);
    bad[i] = check(i, (float)(i / 1000));
}
