/* 01: a first kernel: one work-item for each element, which adds two vectors. */
#include "learn.h"

enum { N = 1000 };
static const char source[] =
    "kernel void add(global const float *a, global const float *b, global float *sum) {\n"
    "    size_t i = get_global_id(0);\n"
    "    sum[i] = a[i] + b[i];\n"
    "}\n";

int main(void) {
    float a[N], b[N], sum[N];
    int is_right = 1;
    for (int i = 0; i < N; i++) {
        a[i] = (float)i;
        b[i] = 2 * (float)i;
    }
    start();
    cl_kernel add = kernel_of(source, "", "add");
    cl_mem buffers[] = {buffer_of(sizeof a, a), buffer_of(sizeof b, b), buffer_of(sizeof sum, NULL)};
    for (cl_uint i = 0; i < 3; i++)
        argument(add, i, sizeof buffers[i], &buffers[i]);
    size_t n = N;
    MUST(clEnqueueNDRangeKernel(queue, add, 1, NULL, &n, NULL, 0, NULL,
                                NULL)); /* NULL: the platform takes a size */
    read_back(buffers[2], sizeof sum, sum);
    for (int i = 0; i < N; i++)
        is_right &= sum[i] == 3 * (float)i;
    return verdict("first kernel", is_right);
}
