/* 09: sub-groups: work-items that run in step add up without local memory or barriers, and one of them goes on. */
#include "learn.h"

enum { N = 1 << 18, LOCAL = 256 };
static const char source[] =
    "kernel void sum(global const int *x, global int *total) {\n"
    "    int own = sub_group_reduce_add(x[get_global_id(0)]);\n"
    "    if (get_sub_group_local_id() == 0)\n"
    "        atomic_add(total, own); /* one for each sub-group instead of one for each work-item */\n"
    "}\n";

int main(void) {
    static int x[N];
    int expected = 0, total = 0;
    for (int i = 0; i < N; i++)
        expected += x[i] = i % 100;
    start();
    cl_kernel sum = kernel_of(source, "-cl-std=CL3.0", "sum");
    cl_mem in = buffer_of(sizeof x, x), out = buffer_of(sizeof total, &total);
    size_t local = LOCAL, size = 0;
    argument(sum, 0, sizeof in, &in);
    argument(sum, 1, sizeof out, &out);
    MUST(clGetKernelSubGroupInfo(sum, device, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, sizeof local, &local,
                                 sizeof size, &size, NULL));
    launch(sum, N, LOCAL);
    read_back(out, sizeof total, &total);
    printf("sub-groups of %zu\n", size);
    return verdict("sub-groups", total == expected);
}
