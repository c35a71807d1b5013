/* 03: a scan, the sums of all elements before each: of each block, of the blocks' totals, and both added. */
#include "learn.h"

enum { BLOCK = 256, N = BLOCK * BLOCK };
static const char source[] =
    "kernel void scan(global uint *x, global uint *totals) {\n"
    "    uint own = x[get_global_id(0)], before = work_group_scan_exclusive_add(own);\n"
    "    x[get_global_id(0)] = before;\n"
    "    if (totals && get_local_id(0) == get_local_size(0) - 1)\n"
    "        totals[get_group_id(0)] = before + own;\n"
    "}\n"
    "kernel void add(global uint *x, global const uint *before) {\n"
    "    x[get_global_id(0)] += before[get_group_id(0)];\n"
    "}\n";

int main(void) {
    static cl_uint x[N], sums[N];
    cl_uint before = 0;
    int is_right = 1;
    for (cl_uint i = 0; i < N; i++)
        x[i] = i * 7 % 13;
    start();
    cl_kernel scan = kernel_of(source, "-cl-std=CL3.0", "scan"),
              add = kernel_of(source, "-cl-std=CL3.0", "add");
    cl_mem all = buffer_of(sizeof x, x), totals = buffer_of(BLOCK * sizeof *x, NULL), none = NULL;
    argument(scan, 0, sizeof all, &all);
    argument(scan, 1, sizeof totals, &totals);
    launch(scan, N, BLOCK);
    argument(scan, 0, sizeof totals, &totals);
    argument(scan, 1, sizeof none, &none); /* a NULL buffer is a NULL pointer */
    launch(scan, BLOCK, BLOCK);
    argument(add, 0, sizeof all, &all);
    argument(add, 1, sizeof totals, &totals);
    launch(add, N, BLOCK); /* the queue is in order: each launch sees what the one before has written */
    read_back(all, sizeof sums, sums);
    for (int i = 0; i < N; before += x[i++])
        is_right &= sums[i] == before;
    return verdict("scan", is_right);
}
