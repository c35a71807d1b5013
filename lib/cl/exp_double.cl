/* exp_double.cl: exponential functions of doubles (OpenCL C 6.15.2) in one straight line of instructions, as those of
 * floats: x is n * log(2) + r, and a polynomial of least relative error gives e^r. No table: packs would gather from it. But with
 * AVX-512 one of sixteen roots of 2 is two registers, of which a permute reads, and half of the polynomial is not needed: kc calls
 * __weir_table_exp for exp there, and so on (kc/lower/math_calls.c). */
#ifndef N
#define FILE "exp_double.cl"
#define DOUBLES
#include "widths.h"
#else
#include "parts_double.h"

/* Off by about one unit in the last place at most (3 are allowed), as exp2 and exp10 are. */
OVERLOAD F exp(F x) {
    x = x > 710 ? (F)710 : x;
    x = x < -746 ? (F)-746 : x;
    F t = x * 0x1.71547652b82fep0 + MAGIC, n = t - MAGIC;
    F r = x - n * 0x1.62e42fefa3p-1;
    r = r - n * 0x1.3de6af278ece6p-42;
    F p = r * 0x1.ad2003badca48p-26 + 0x1.289fb164d24bep-22;
    p = p * r + 0x1.71df5597cd046p-19;
    p = p * r + 0x1.a019ab0987a02p-16;
    p = p * r + 0x1.a01a011bdf282p-13;
    p = p * r + 0x1.6c16c17ccd7f3p-10;
    p = p * r + 0x1.1111111128986p-7;
    p = p * r + 0x1.55555555531eap-5;
    p = p * r + 0x1.5555555555501p-3;
    p = p * r + 0.5;
    p = (r * r) * p + r;
    return scaled(p + 1, t);
}

OVERLOAD F exp2(F x) {
    x = x > 1025 ? (F)1025 : x;
    x = x < -1076 ? (F)-1076 : x;
    F t = x + MAGIC;
    return scaled(exp2_near_0(x - (t - MAGIC)), t);
}

OVERLOAD F exp10(F x) {
    x = x > 309 ? (F)309 : x;
    x = x < -324 ? (F)-324 : x;
    F t = x * 0x1.a934f0979a371p1 + MAGIC, n = t - MAGIC;
    F r = x - n * 0x1.34413509f7p-2;
    r = r - n * 0x1.3fde623e2566bp-43;
    F p = r * 0x1.f9955df041ecdp-13 + 0x1.2f749f3e1dc43p-10;
    p = p * r + 0x1.4898b5116c0dfp-8;
    p = p * r + 0x1.41165e32847ffp-6;
    p = p * r + 0x1.16e4df638e08ap-4;
    p = p * r + 0x1.a7ed70a1fff3ep-3;
    p = p * r + 0x1.1429ffd1f3c02p-1;
    p = p * r + 0x1.2bd7609fd4eep0;
    p = p * r + 0x1.0470591de2c28p1;
    p = p * r + 0x1.53524c73cea78p1;
    p = p * r + 0x1.26bb1bbb55516p1;
    return scaled(p * r + 1, t);
}

OVERLOAD F __weir_table_exp(F x) {
    x = x > 710 ? (F)710 : x;
    x = x < -746 ? (F)-746 : x;
    F t = x * 0x1.71547652b82fep0 + MAGIC_16, n = t - MAGIC_16;
    F r = x - n * 0x1.62e42fefa3p-1;
    return scaled_by_table(r - n * 0x1.3de6af278ece6p-42, t);
}

OVERLOAD F __weir_table_exp2(F x) {
    x = x > 1025 ? (F)1025 : x;
    x = x < -1076 ? (F)-1076 : x;
    F t = x + MAGIC_16;
    return scaled_by_table((x - (t - MAGIC_16)) * 0x1.62e42fefa39efp-1, t);
}

OVERLOAD F __weir_table_exp10(F x) {
    x = x > 309 ? (F)309 : x;
    x = x < -324 ? (F)-324 : x;
    F t = x * 0x1.a934f0979a371p1 + MAGIC_16, n = t - MAGIC_16;
    F r = x - n * 0x1.34413509f7p-2;
    return scaled_by_table((r - n * 0x1.3fde623e2566bp-43) * 0x1.26bb1bbb55516p1, t);
}

#endif
