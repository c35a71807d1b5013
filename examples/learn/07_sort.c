/* 07: a bitonic sort: log(n) * (log(n) + 1) / 2 launches, each of which compares and exchanges n / 2 pairs. */
#include "learn.h"

enum { N = 1 << 14, LOCAL = 256 };
static const char source[] = "kernel void exchange(global int *x, uint distance, uint run) {\n"
                             "    uint i = get_global_id(0), low = i / distance * 2 * distance + i % "
                             "distance, high = low + distance;\n"
                             "    bool ascends = (low & run) == 0;\n"
                             "    int a = x[low], b = x[high];\n"
                             "    if ((a > b) == ascends) {\n"
                             "        x[low] = b;\n"
                             "        x[high] = a;\n"
                             "    }\n"
                             "}\n";

static int by_value(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

int main(void) {
    static int data[N], result[N];
    cl_uint state = 3;
    for (int i = 0; i < N; i++)
        data[i] = (int)(state = state * 1664525 + 1013904223);
    start();
    cl_kernel exchange = kernel_of(source, "", "exchange");
    cl_mem x = buffer_of(sizeof data, data);
    argument(exchange, 0, sizeof x, &x);
    for (cl_uint run = 2; run <= N; run *= 2)
        for (cl_uint distance = run / 2; distance; distance /= 2) {
            argument(exchange, 1, sizeof distance, &distance);
            argument(exchange, 2, sizeof run, &run);
            launch(exchange, N / 2, LOCAL);
        }
    read_back(x, sizeof result, result);
    qsort(data, N, sizeof *data, by_value);
    return verdict("sort", !memcmp(data, result, sizeof data));
}
