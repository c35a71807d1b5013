// global: 500
// needs: cl_khr_fp16
// arg: ushort bits[500] = i * 131 % 31744
// arg: int wrong[1] = 0
// expect: wrong = 0
// Each result is that of doubles, which hold it exactly or are far from any tie, rounded once to half.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL FP_CONTRACT OFF
#define WRONG(h, d) (as_ushort((half)(h)) != as_ushort(convert_half(d)))
kernel void k(global ushort *bits, global int *wrong) {
    half x = as_half(bits[get_global_id(0)]), y = as_half(bits[(get_global_id(0) * 7 + 3) % 500]), z = 1.5h;
    double a = x, b = y;
    int n = WRONG(x + y, a + b) + WRONG(x - y, a - b) + WRONG(x * y, a * b) + WRONG(-x, -a);
    n += b != 0 && WRONG(x / y, a / b);
    n += WRONG(x * y + z, (double)(half)(a * b) + 1.5);
    n += WRONG(sqrt(x), sqrt(a)) + WRONG(fma(x, y, z), fma(a, b, 1.5)) + WRONG(fma(x, y, -x), fma(a, b, -a));
    n += (x < y) != (a < b) || (x == y) != (a == b);
    if (n) {
        atomic_add(wrong, n);
    }
}
