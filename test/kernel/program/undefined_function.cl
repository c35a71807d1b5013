// build-error: missing_function
int missing_function(int);
kernel void k(global int *out) {
    out[0] = missing_function(1);
}
