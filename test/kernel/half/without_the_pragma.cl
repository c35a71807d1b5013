// needs: cl_khr_fp16
// build-error: type '[a-z_ ]*half' is not allowed
// global: 1
// arg: half x[1]
kernel void k(global half *x) {
    half y = x[0];
    x[0] = y;
}
