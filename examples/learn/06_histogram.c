/* 06: a histogram: atomics in local memory, one histogram for each work-group, then atomics in global memory, a few. */
#include "learn.h"

enum { N = 1 << 20, LOCAL = 256, GROUPS = 64, BINS = 256 };
static const char source[] = "kernel void histogram(global const uchar *bytes, global uint *bins, uint n) {\n"
                             "    local uint own[256];\n"
                             "    for (uint b = get_local_id(0); b < 256; b += get_local_size(0))\n"
                             "        own[b] = 0;\n"
                             "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                             "    for (uint i = get_global_id(0); i < n; i += get_global_size(0))\n"
                             "        atomic_inc(&own[bytes[i]]);\n"
                             "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                             "    for (uint b = get_local_id(0); b < 256; b += get_local_size(0))\n"
                             "        atomic_add(&bins[b], own[b]);\n"
                             "}\n";

int main(void) {
    static cl_uchar bytes[N];
    cl_uint bins[BINS] = {0}, expected[BINS] = {0}, state = 1;
    const cl_uint n = N;
    for (int i = 0; i < N; i++) {
        state = state * 1664525 + 1013904223;
        bytes[i] = (cl_uchar)(state >> 24);
        expected[bytes[i]]++;
    }
    start();
    cl_kernel histogram = kernel_of(source, "", "histogram");
    cl_mem in = buffer_of(sizeof bytes, bytes), out = buffer_of(sizeof bins, bins);
    argument(histogram, 0, sizeof in, &in);
    argument(histogram, 1, sizeof out, &out);
    argument(histogram, 2, sizeof n, &n);
    launch(histogram, LOCAL * GROUPS, LOCAL);
    read_back(out, sizeof bins, bins);
    return verdict("histogram", !memcmp(bins, expected, sizeof bins));
}
