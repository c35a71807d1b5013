// global: 504
// arg: float c[2] = 1
// expect: c = {2.5, 1}
kernel void k(global float *c) {
    atomic_xchg(&c[0], 2.5f);
}
