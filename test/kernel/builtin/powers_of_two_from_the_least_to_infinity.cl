// exp2 of whole numbers is exact, from the least subnormal number on; below it is 0, above all numbers infinite.
// global: 304
// local: 16 19 304
// arg: int out[304] = 0
// expect: out = 1
kernel void k(global int *out) {
    int n = (int)get_global_id(0) - 160;
    out[get_global_id(0)] = exp2((float)n) == ldexp(1.0f, n);
}
