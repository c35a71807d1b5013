// options: -cl-std=CLC++
// build-error: exceptions disabled
kernel void k(global int *out) {
    try {
        out[0] = 1;
    } catch (...) {
    }
}
