/* 10: shared virtual memory: a kernel follows the host's own pointers, through a list that the host has made. */
#include "learn.h"

enum { N = 1000 };
struct node {
    struct node *next;
    int value;
};
static const char source[] = "struct node { global struct node *next; int value; };\n"
                             "kernel void twice(global struct node *first) {\n"
                             "    for (global struct node *n = first; n; n = n->next)\n"
                             "        n->value *= 2;\n"
                             "}\n";

int main(void) {
    int is_right = 1, count = 0;
    start();
    cl_kernel twice = kernel_of(source, "-cl-std=CL3.0", "twice");
    struct node *nodes = clSVMAlloc(context, CL_MEM_READ_WRITE, N * sizeof *nodes, 0);
    if (!nodes)
        must(CL_MEM_OBJECT_ALLOCATION_FAILURE, "clSVMAlloc");
    MUST(clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_WRITE, nodes, N * sizeof *nodes, 0, NULL, NULL));
    for (int i = 0; i < N; i++)
        nodes[i] = (struct node){i + 1 < N ? &nodes[i + 1] : NULL, i};
    MUST(clEnqueueSVMUnmap(queue, nodes, 0, NULL, NULL));
    MUST(clSetKernelArgSVMPointer(twice, 0, nodes));
    launch(twice, 1, 1);
    MUST(clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_READ, nodes, N * sizeof *nodes, 0, NULL, NULL));
    for (const struct node *n = nodes; n; n = n->next)
        is_right &= n->value == 2 * count++;
    MUST(clEnqueueSVMUnmap(queue, nodes, 0, NULL, NULL));
    MUST(clFinish(queue));
    clSVMFree(context, nodes);
    return verdict("shared memory", is_right && count == N);
}
