// Where work-items jump among many labels, a pack has to ask at the end of each of the loops that this makes, which lie within each
// other, who waits at any label of it: the code would grow with the square of the labels.
// RUN: %weirc %s --local 64 --cpu x86-64-v4 --stop-after regions | FileCheck %s
// CHECK-NOT: <16 x i1>
#define ONE(n, m)   L##n: x += 1.5f; if (++steps > 50) goto done; if (u & (1 << (n & 30))) goto L##m; u ^= n;
#define TEN(d, e)   ONE(1##d##0, 1##e##3) ONE(1##d##1, 1##e##0) ONE(1##d##2, 1##e##7) ONE(1##d##3, 1##e##4) ONE(1##d##4, 1##e##1) \
                    ONE(1##d##5, 1##e##8) ONE(1##d##6, 1##e##5) ONE(1##d##7, 1##e##2) ONE(1##d##8, 1##e##9) ONE(1##d##9, 1##e##6)
#define HUNDRED(d, e) TEN(d##0, e##5) TEN(d##1, e##2) TEN(d##2, e##9) TEN(d##3, e##6) TEN(d##4, e##3) TEN(d##5, e##0) \
                    TEN(d##6, e##7) TEN(d##7, e##4) TEN(d##8, e##1) TEN(d##9, e##8)
kernel void k(global float *a, global uint *b) {
    int g = get_global_id(0), steps = 0;
    float x = a[g];
    uint u = b[g];
    HUNDRED(0, 3) HUNDRED(1, 0) HUNDRED(2, 1) HUNDRED(3, 2)
done:
    a[g] = x;
}
