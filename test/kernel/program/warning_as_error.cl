// options: -cl-std=CL3.0 -Werror
// build-error: (unused|result)
kernel void k(global int *out) {
    out[0] == 3;
}
