// build-error: error: .*(undeclared|unknown|expected)
kernel void k(global int *out) {
    out[0] = nonsense +;
}
