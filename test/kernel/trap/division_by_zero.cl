// A division by zero and one that overflows give some value, and the process lives; other items aren't disturbed.
// global: 300
// local: 64 100 1
// arg: int d[300] = i % 3 - 1
// arg: long n[300] = i % 2 ? -9223372036854775807 - 1 : -2147483648
// arg: long wide[300] = 0
// arg: int narrow[300] = 0
// arg: uint rest[300] = 0
// arg: int vectors[300] = 0
// arg: int zero = 0
// expect: narrow = i % 3 == 2 ? 1000 + i : 0
// expect: rest = i % 3 == 2 ? i % 7 : 0
// expect: vectors = i % 3 == 2 ? 100 : 0
kernel void k(global const int *d, global const long *n, global long *wide, global int *narrow, global uint *rest,
              global int *vectors, int zero) {
    int i = get_global_id(0), by = d[i]; /* -1, 0, 1 */
    long some = n[i] / by + n[i] % by + n[i] / zero + (ulong)n[i] % (ulong)by + (1 << 31) / by;
    int also = (int)n[i] / by + (int)n[i] % by + 7 / zero + (i == 77 ? 1 / zero : 0);
    int a = (1000 + i) / by, b = 100 / zero;
    uint c = (uint)i % (uint)(7 * by);
    char4 v = (char4)(100, -128, -128, 100) / (char4)((char)by, (char)by, (char)zero, (char)-by);
    short4 w = (short4)(-32768) % (short4)((short)by);
    long2 l = (long2)(n[i]) / (long2)(by, zero) + convert_long2((int2)(i) % (int2)(zero));
    if (by == 1) {
        narrow[i] = a;
        rest[i] = c;
        vectors[i] = v.x;
    } else if (some == 12345678 && also == b + w.x + (int)l.x + v.y)
        wide[i] = 0;
}
