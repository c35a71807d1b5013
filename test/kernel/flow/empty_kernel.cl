// global: 504
// local: none any
// arg: int out[4] = i
// expect: out = i
kernel void k(global int *out) {
}
