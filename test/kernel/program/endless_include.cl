// build-error: error
#include __FILE__
#define A B
kernel void k(global int *out) {
    A
}
