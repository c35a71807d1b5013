/* A kernel works on shared virtual memory, which is freed when it isn't needed any more.
 *
 *   weir check -- build/examples/racy/use-after-free wrong
 *
 * Wrong: clSVMFree doesn't wait for the kernel that was enqueued. Right: a command frees it, after the kernel.
 */
#include "start.h"

static const char source[] =
    "kernel void fill(global int *out) { out[get_global_id(0)] = get_global_id(0); }\n";

int main(int argc, char **argv) {
    int is_wrong = start(argc, argv);
    size_t n = N;
    cl_command_queue queue = new_queue();
    void *memory = clSVMAlloc(context, CL_MEM_READ_WRITE, N * sizeof(cl_int), 0);
    cl_kernel fill = new_kernel(source, "fill");
    MUST(clSetKernelArgSVMPointer(fill, 0, memory));
    MUST(clEnqueueNDRangeKernel(queue, fill, 1, NULL, &n, NULL, 0, NULL, NULL));
    if (is_wrong)
        clSVMFree(context, memory);
    else
        MUST(clEnqueueSVMFree(queue, 1, &memory, NULL, NULL, 0, NULL, NULL));
    MUST(clFinish(queue));
    return 0;
}
