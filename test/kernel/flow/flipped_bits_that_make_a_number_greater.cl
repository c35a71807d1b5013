// Comparisons of a number with itself with bits flipped, of all kinds, also of the sign.
// global: 256
// local: any
// arg: int a[256] = (i * 2654435761 + 12345) & 0xffffffff
// arg: int wrong[256] = 0
// arg: int zero[1] = 0
// expect: wrong = 0
#define CHECK(T, C, OP)                                                                                                \
    {                                                                                                                  \
        T x = (T)a[i], y = (T)hidden[0];                                                                               \
        wrong[i] += ((T)(x ^ (T)(C)) OP x) != ((T)(x ^ y ^ (T)(C)) OP(T)(x ^ y));                                      \
        wrong[i] += (x OP(T)(x ^ (T)(C))) != ((T)(x ^ y) OP(T)(x ^ y ^ (T)(C)));                                       \
    }
#define ALL(T, C) CHECK(T, C, <) CHECK(T, C, <=) CHECK(T, C, >) CHECK(T, C, >=)
kernel void k(global int *a, global int *wrong, global volatile int *hidden) {
    int i = get_global_id(0);
    ALL(uint, 6) ALL(uint, 0x80000000) ALL(int, 12) ALL(int, 0x80000001) ALL(char, 0x80) ALL(long, 0x100000001)
}
