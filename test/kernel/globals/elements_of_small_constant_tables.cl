// Elements of tables of constants at numbers that each work-item has read: tables of all sizes up to what registers hold, and
// beyond, of all types, in structs and of two dimensions, also where work-items are off.
// global: 1000
// local: 1 40 250
// arg: int numbers[1000] = i
// arg: int out[1000]
// expect: out = 1
#define R4(F, x)  F(x), F(x + 1), F(x + 2), F(x + 3)
#define R16(F, x) R4(F, x), R4(F, x + 4), R4(F, x + 8), R4(F, x + 12)
#define R64(F, x) R16(F, x), R16(F, x + 16), R16(F, x + 32), R16(F, x + 48)
#define WIDE(i)   ((i) * (i) * 7 - (i) * 300 + 5)
#define SMALL(i)  ((i) * 37 % 101 - 50)
#define TABLES(T, F)                                                                                                   \
    constant T T##_3[3] = {F(0), F(1), F(2)};                                                                          \
    constant T T##_16[16] = {R16(F, 0)};                                                                               \
    constant T T##_20[20] = {R16(F, 0), R4(F, 16)};                                                                    \
    constant T T##_64[64] = {R64(F, 0)};                                                                               \
    constant T T##_84[84] = {R64(F, 0), R16(F, 64), R4(F, 80)};                                                        \
    constant T T##_256[256] = {R64(F, 0), R64(F, 64), R64(F, 128), R64(F, 192)};                                       \
    bool are_##T(uint n) {                                                                                             \
        int a = n % 3, b = n % 16, c = n % 20, d = n & 63, e = n % 84, f = n >> 24;                                    \
        return T##_3[a] == (T)F(a) && T##_16[b] == (T)F(b) && T##_20[c] == (T)F(c) && T##_64[d] == (T)F(d) &&          \
               T##_84[e] == (T)F(e) && T##_256[f] == (T)F(f);                                                          \
    }
TABLES(int, WIDE)
TABLES(long, WIDE)
TABLES(float, WIDE)
TABLES(char, SMALL)
TABLES(short, SMALL)
struct pair {
    int a;
    short b;
    char c;
    float d;
};
constant struct pair pairs[5] = {{0, 10, 20, 30}, {1, 11, 21, 31}, {2, 12, 22, 32}, {3, 13, 23, 33}, {4, 14, 24, 34}};
constant int grid[3][5] = {{0, 1, 2, 3, 4}, {5, 6, 7, 8, 9}, {10, 11, 12, 13, 14}};
constant uchar4 colours[4] = {(uchar4)(0, 1, 2, 3), (uchar4)(4, 5, 6, 7), (uchar4)(8, 9, 10, 11), (uchar4)(12, 13, 14, 15)};
constant float4 points[3] = {(float4)(0, 1, 2, 3), (float4)(4, 5, 6, 7), (float4)(8, 9, 10, 11)};

bool are_parts(uint n) {
    int p = n % 5, c = n & 3, q = n % 3;
    constant struct pair *pair = &pairs[p];
    uchar4 colour = colours[c];
    float4 point = points[q];
    return pair->a == p && pair->b == 10 + p && pair->c == 20 + p && pair->d == 30 + p && grid[q][p] == 5 * q + p &&
           grid[2][p] == 10 + p && grid[q][3] == 5 * q + 3 && colour.x == 4 * c && colour.y == 4 * c + 1 &&
           colour.z == 4 * c + 2 && colour.w == 4 * c + 3 && point.x == 4 * q && point.y == 4 * q + 1 &&
           point.z == 4 * q + 2 && point.w == 4 * q + 3;
}

kernel void k(global const int *numbers, global int *out) {
    const int steps[4] = {1, 0, -1, 7};
    uint n = (uint)numbers[get_global_id(0)] * 2654435761u, m = n & 3;
    bool ok = are_int(n) && are_long(n) && are_float(n) && are_char(n) && are_short(n) && are_parts(n);
    ok = ok && steps[m] == (m == 3 ? 7 : 1 - (int)m);
    if (n & 8) {
        for (uint i = 0; i < (n & 7); i++) {
            int c = (n + i) % 20;
            ok = ok && int_20[c] == WIDE(c) && grid[i % 3][n % 5] == 5 * (i % 3) + n % 5;
        }
    }
    out[get_global_id(0)] = ok;
}
