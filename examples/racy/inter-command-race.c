/* A kernel fills a buffer, and another queue reads it.
 *
 *   weir check -- build/examples/racy/inter-command-race wrong
 *
 * Wrong: nothing says that the read comes after the kernel, for queues are in no order. Right: it waits for the kernel's event.
 */
#include "start.h"

static const char source[] =
    "kernel void fill(global int *out) { out[get_global_id(0)] = get_global_id(0); }\n";

int main(int argc, char **argv) {
    int is_wrong = start(argc, argv);
    static cl_int result[N];
    size_t n = N;
    cl_int error;
    cl_event filled;
    cl_command_queue computes = new_queue(), transfers = new_queue();
    cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof result, NULL, &error);
    must(error, "clCreateBuffer");
    cl_kernel fill = new_kernel(source, "fill");
    MUST(clSetKernelArg(fill, 0, sizeof buffer, &buffer));
    MUST(clEnqueueNDRangeKernel(computes, fill, 1, NULL, &n, NULL, 0, NULL, &filled));
    MUST(clFlush(computes));
    if (is_wrong)
        MUST(clEnqueueReadBuffer(transfers, buffer, CL_TRUE, 0, sizeof result, result, 0, NULL, NULL));
    else
        MUST(clEnqueueReadBuffer(transfers, buffer, CL_TRUE, 0, sizeof result, result, 1, &filled, NULL));
    MUST(clFinish(computes));
    printf("the last number is %d\n", result[N - 1]);
    return 0;
}
