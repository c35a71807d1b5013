/* functions.c: what random programs call: control flow and types that are tedious to generate. In: two numbers. Out:
 * one. Those in BOTH are the same text for the OpenCL compiler and for ours; vectors are spelled out in C. */
#include "program.h"

typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
typedef signed char schar;

static inline uint popcount(uint x) {
    return (uint)__builtin_popcount(x);
}
static inline uint clz(uint x) {
    return x ? (uint)__builtin_clz(x) : 32;
}
static inline uint rotate(uint x, uint n) {
    return x << (n & 31) | x >> (-n & 31);
}
static inline uint mul_hi(uint x, uint y) {
    return (uint)((ulong)x * y >> 32);
}
static inline uint add_sat(uint x, uint y) {
    return x + y < x ? UINT32_MAX : x + y;
}

#define BOTH(name, ...)                                                                                      \
    static uint name(uint a, uint b) __VA_ARGS__ static const char name##_text[] = #__VA_ARGS__;

BOTH(f_early, {
    for (uint i = 0; i < (a & 7); i++) {
        b = b * 5 + i;
        if ((b & 15) == 3)
            return b;
        if (b & 64)
            continue;
        a ^= b & ~7u;
    }
    return a - b;
})
BOTH(f_collatz, {
    uint n = 0;
    a = (a & 63) + 1;
    while (a != 1 && n < (b & 31)) {
        a = a & 1 ? 3 * a + 1 : a / 2;
        n++;
    }
    return n * 64 + a;
})
BOTH(f_exits, {
    uint i = 0, x = a, r = 0;
    for (;;) {
        i++;
        if ((x & 7) == 5) {
            x += i * 100;
            break;
        }
        if (i > (b & 15)) {
            x ^= i;
            r = i * 7;
            goto out;
        }
        x = x * 3 + 1;
    }
    x += 7 * i;
out:
    return x + i + r;
})
BOTH(f_uniform_exit, {
    uint x = a, i = 0;
    for (i = 0; i < 9; i++) {
        x = x * 5 + i;
        if (x % 11 == 4) {
            b += i;
            break;
        }
        if (i == 6)
            return x + i * b;
    }
    return x - i + b;
})
BOTH(f_irreducible, {
    uint i = 0;
    if (a & 1)
        goto middle;
top:
    a = a * 3 + i;
    i++;
middle:
    b ^= a + i;
    i += 2;
    if (i < (b & 15))
        goto top;
    if (i < 12 && (b & 16))
        goto middle;
    return (a ^ b) + i;
})
BOTH(f_switch, {
    uint r = 0;
    for (uint i = 0; i < 4; i++) {
        switch ((a >> i * 2) & 3) {
        case 0:
            r += b;
            continue;
        case 1:
            r ^= 3;
            __attribute__((fallthrough));
        case 2:
            r *= 5;
            break;
        default:
            return r + i;
        }
        r++;
    }
    return r;
})
BOTH(f_outer, {
    uint r = 0, j = 0;
    for (uint i = 0; i < (a & 3) + 2; i++) {
        for (j = i; j < 6; j++) {
            if (((b >> j) & 3) == 1)
                goto next;
            r = r * 3 + j;
        }
        r += 1000;
    next:
        r ^= j << 4;
    }
    return r + j;
})
BOTH(f_array, {
    uint t[8];
    for (uint i = 0; i < 8; i++)
        t[i] = a + i * b;
    uint *p = t + (b & 3);
    for (uint i = 0; i < (a & 7); i++)
        p[i & 3] += t[(a >> i) & 7];
    return t[a & 7] ^ *p;
})
BOTH(f_sort, {
    short t[6];
    for (int i = 0; i < 6; i++)
        t[i] = (short)(a * (uint)(i + 1) + (b >> i));
    for (int i = 0; i < 6; i++)
        for (int j = i; j > 0 && t[j - 1] > t[j]; j--) {
            short x = t[j];
            t[j] = t[j - 1];
            t[j - 1] = x;
        }
    return (uint)t[b % 6] ^ (uint)t[2] << 16;
})
BOTH(f_bytes, {
    uchar x = (uchar)a;
    signed char y = (signed char)b;
    for (uchar i = (uchar)(a >> 3); i > 200; i++) {
        x = (uchar)(x + i);
        y = (signed char)(y ^ (x >> 1));
    }
    return (uint)x << 16 | (uint)(ushort)y;
})
BOTH(f_wrap, {
    uchar small = (uchar)(a + 250);
    uint big = a + 0xfffffff0u;
    int low = (int)a - 2147483640;
    return (ulong)big > 100 ? small + (uint)((ulong)(a + b) >> 4) : (uint)((long)low >> 3);
})
BOTH(f_long, {
    long x = (long)(int)a * (int)b;
    ulong y = (ulong)a << 20 | b;
    for (uint i = 0; i < (b & 3); i++)
        y = y * 6364136223846793005ul + (ulong)x;
    return (uint)(x >> 20) ^ (uint)(x % 1000) ^ (uint)(y >> 33) ^ (uint)(y / ((a & 255) + 1));
})
BOTH(f_float, {
    float x = (float)(a & 4095) * 0.25f;
    float y = (float)(b & 255);
    while (x < 4096.0f && y > 1.0f) {
        x += y;
        y = y > 16.0f ? y * 0.5f : y - 1.0f;
    }
    return (uint)(x * 4.0f) + (uint)(y * 256.0f);
})
BOTH(f_double, {
    double x = (double)a / (double)((b & 7) + 1);
    if (x > 1000.0)
        x -= 1000.0 * (double)(uint)(x / 1000.0);
    return (uint)x + (uint)(x < 17.5);
})
BOTH(f_divide, {
    if (b & 7)
        a /= b & 7;
    int x = (int)a;
    if ((int)b < 0)
        x = x % (int)(b >> 28);
    if (b >> 16)
        x += (int)(a % (b >> 16));
    return (uint)x;
})
BOTH(f_bits, {
    uint r = popcount(a) + clz(b) * 32;
    r = rotate(r, a & 31) ^ mul_hi(a, b);
    return b & 1 ? add_sat(a, b) : r;
})
BOTH(f_chase, {
    uchar next[8];
    for (uint i = 0; i < 8; i++)
        next[i] = (uchar)((i * 5 + a) & 7);
    uint at = b & 7;
    uint steps = 0;
    do {
        at = next[at];
        steps++;
    } while (at != (a & 7) && steps < (b & 31));
    return at * 100 + steps;
})
BOTH(f_struct, {
    struct pair {
        uchar x;
        uint y;
    } t[4];
    for (uint i = 0; i < 4; i++) {
        t[i].x = (uchar)(a + i);
        t[i].y = b * i;
    }
    struct pair one = t[b & 3];
    t[a & 3] = one;
    one.y += t[(a >> 2) & 3].x;
    return one.y ^ t[(b >> 2) & 3].y;
})
BOTH(f_pointers, {
    uint t[4] = {1, 2, 3, 4};
    uint s[4] = {9, 8, 7, 6};
    uint *p = t;
    uint *q = s;
    for (uint i = 0; i < (b & 7); i++) {
        if ((a >> i) & 1) {
            uint *x = p;
            p = q;
            q = x;
        }
        p[i & 3] += q[(i + b) & 3];
    }
    return *p * 16 + q[a & 3];
})

/* ---- vectors ---- */

static const char f_vec4_text[] = "{ uint4 v = (uint4)(a, b, a ^ b, a + b);"
                                  "v = v * (uint4)(1, 2, 3, 4) + v.wzyx;"
                                  "if (b & 1) v.xy = v.zw; else v.w = v[a & 3];"
                                  "return v.x ^ v.y * 3 ^ v.z * 5 ^ v.w * 7; }";
static uint f_vec4(uint a, uint b) {
    uint u[4] = {a, b, a ^ b, a + b}, v[4];
    for (uint i = 0; i < 4; i++)
        v[i] = u[i] * (i + 1) + u[3 - i];
    if (b & 1)
        v[0] = v[2], v[1] = v[3];
    else
        v[3] = v[a & 3];
    return v[0] ^ v[1] * 3 ^ v[2] * 5 ^ v[3] * 7;
}

static const char f_vec16_text[] =
    "{ uint16 v = (uint16)(a) + (uint16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15) * b;"
    "uint p[16]; vstore16(v, 0, p); for (uint i = 0; i < (b & 3); i++) v += vload16(0, p) ^ v.s0;"
    "return p[a & 15] + v.s9; }";
static uint f_vec16(uint a, uint b) {
    uint v[16], p[16];
    for (uint i = 0; i < 16; i++)
        p[i] = v[i] = a + i * b;
    for (uint j = 0; j < (b & 3); j++) {
        uint zero = v[0];
        for (uint i = 0; i < 16; i++)
            v[i] += p[i] ^ zero;
    }
    return p[a & 15] + v[9];
}

static const char f_select_text[] =
    "{ int2 c = (int2)(a, b) > (int2)(b, 100); int2 r = select((int2)(a, 5), (int2)(b, 6), c);"
    "if (any(c)) r.x++; if (all(c)) r.y--; return r.x * 3 + r.y; }";
static uint f_select(uint a, uint b) {
    int c0 = (int)a > (int)b, c1 = (int)b > 100;
    uint x = c0 ? b : a, y = c1 ? 6 : 5;
    return (x + (uint)(c0 | c1)) * 3 + y - (uint)(c0 & c1);
}

static const char f_char8_text[] =
    "{ int8 v = (int8)(int)(a & 1023) - (int8)(0, 100, 200, 300, 400, 500, 600, 700);"
    "uchar8 c = convert_uchar8_sat(v); char8 d = convert_char8(v); c += as_uchar8(d).s76543210;"
    "return c[b & 7] + ((uint)c.s3 << 8) + ((uint)as_uint2(c).y << 3); }";
static uint f_char8(uint a, uint b) {
    uchar c[8], d[8];
    for (int i = 0; i < 8; i++) {
        int v = (int)(a & 1023) - 100 * i;
        c[i] = (uchar)(v < 0 ? 0 : v > 255 ? 255 : v);
        d[7 - i] = (uchar)v;
    }
    for (int i = 0; i < 8; i++)
        c[i] = (uchar)(c[i] + d[i]);
    uint y = (uint)c[4] | (uint)c[5] << 8 | (uint)c[6] << 16 | (uint)c[7] << 24;
    return c[b & 7] + ((uint)c[3] << 8) + (y << 3);
}

static const char f_float4_text[] =
    "{ float4 v = convert_float4((uint4)(a & 255, b & 255, 3, a & 15)); float t[4];"
    "v = v.y > v.x ? v * 2.0f : v.wzyx + 0.5f; vstore4(v, 0, t);"
    "return (uint)(t[b & 3] * 4.0f) + (uint)dot(v, (float4)(1, 2, 1, 0)); }";
static uint f_float4(uint a, uint b) {
    float u[4] = {(float)(a & 255), (float)(b & 255), 3, (float)(a & 15)}, v[4];
    for (int i = 0; i < 4; i++)
        v[i] = u[1] > u[0] ? u[i] * 2.0f : u[3 - i] + 0.5f;
    return (uint)(v[b & 3] * 4.0f) + (uint)(v[0] + v[1] * 2 + v[2]);
}

static const char f_vecarray_text[] =
    "{ ushort3 t[4]; for (uint i = 0; i < 4; i++) t[i] = (ushort3)(a + i, b * i, i);"
    "for (uint i = 0; i < (a & 7); i++) t[(a + i) & 3].yz += t[(b >> i) & 3].xy;"
    "return (uint)t[b & 3].x << 16 ^ t[a & 3].y ^ t[1].z << 3; }";
static uint f_vecarray(uint a, uint b) {
    ushort t[4][3];
    for (uint i = 0; i < 4; i++)
        t[i][0] = (ushort)(a + i), t[i][1] = (ushort)(b * i), t[i][2] = (ushort)i;
    for (uint i = 0; i < (a & 7); i++) {
        ushort x = t[(b >> i) & 3][0], y = t[(b >> i) & 3][1];
        ushort *to = t[(a + i) & 3];
        to[1] = (ushort)(to[1] + x), to[2] = (ushort)(to[2] + y);
    }
    return (uint)t[b & 3][0] << 16 ^ t[a & 3][1] ^ (uint)t[1][2] << 3;
}

#define F(name) {#name, name##_text, name}
const struct function functions[] = {
    F(f_early),  F(f_collatz), F(f_exits),  F(f_uniform_exit), F(f_irreducible), F(f_switch), F(f_outer),
    F(f_array),  F(f_sort),    F(f_bytes),  F(f_wrap),         F(f_long),        F(f_float),  F(f_double),
    F(f_divide), F(f_bits),    F(f_chase),  F(f_struct),       F(f_pointers),    F(f_vec4),   F(f_vec16),
    F(f_select), F(f_char8),   F(f_float4), F(f_vecarray),
};
const uint32_t nfunctions = sizeof functions / sizeof *functions;
