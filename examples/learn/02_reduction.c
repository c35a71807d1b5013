/* 02: a reduction: each work-group adds its part up as a tree in local memory, with a barrier before each level. */
#include "learn.h"

enum { N = 1 << 20, LOCAL = 256 };
static const char source[] = "kernel void sum(global const int *x, global long *sums, local long *t) {\n"
                             "    size_t l = get_local_id(0);\n"
                             "    t[l] = x[get_global_id(0)];\n"
                             "    for (size_t step = get_local_size(0) / 2; step; step /= 2) {\n"
                             "        barrier(CLK_LOCAL_MEM_FENCE); /* all of the group come here: no "
                             "work-item leaves the loop early */\n"
                             "        if (l < step)\n"
                             "            t[l] += t[l + step];\n"
                             "    }\n"
                             "    if (l == 0)\n"
                             "        sums[get_group_id(0)] = t[0];\n"
                             "}\n";

int main(void) {
    static int x[N];
    static cl_long sums[N / LOCAL];
    cl_long expected = 0, total = 0;
    for (int i = 0; i < N; i++)
        expected += x[i] = i % 1000 - 300;
    start();
    cl_kernel sum = kernel_of(source, "", "sum");
    cl_mem in = buffer_of(sizeof x, x), out = buffer_of(sizeof sums, NULL);
    argument(sum, 0, sizeof in, &in);
    argument(sum, 1, sizeof out, &out);
    argument(sum, 2, LOCAL * sizeof(cl_long), NULL); /* local memory has a size and no contents */
    launch(sum, N, LOCAL);
    read_back(out, sizeof sums, sums);
    for (int g = 0; g < N / LOCAL; g++)
        total += sums[g];
    return verdict("reduction", total == expected);
}
