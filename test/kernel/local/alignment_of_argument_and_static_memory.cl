// global: 504
// local: any
// arg: int out[504]
// arg: local a[3]
// arg: local b[L * 64]
// expect: out = 0
kernel void k(global int *out, local char *a, local float16 *b) {
    local char one;
    local double16 wide;
    one = 0;
    a[0] = 0;
    out[get_global_id(0)] = ((size_t)b & 63) + ((size_t)&wide & 127);
}
