// build-error: no_such_file.h
#include "no_such_file.h"
kernel void k(global int *out) {
}
