# A program built with ThreadSanitizer: what Weir's threads copy for it is in order with what it does before and after.
. "$(dirname "$0")/common"
cat >copies.c <<'C'
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <stdio.h>
enum { N = 500000 };
static int calls;
static void CL_CALLBACK count(cl_event event, cl_int status, void *done) {
    calls++;
    clSetUserEventStatus(done, CL_COMPLETE);
}
int main(void) {
    cl_platform_id platform;
    cl_device_id device;
    clGetPlatformIDs(1, &platform, NULL);
    clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL);
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
    cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, NULL, NULL);
    /* structs are copied by calls of memcpy, by all workers */
    const char *source = "typedef struct { int a[2000]; } S;"
                         "kernel void copy(global S *to, global const S *from) { to[get_global_id(0)] = from[get_global_id(0)]; }";
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, NULL);
    clBuildProgram(program, 1, &device, "", NULL, NULL);
    cl_kernel kernel = clCreateKernel(program, "copy", NULL);
    int *from = clSVMAlloc(context, CL_MEM_SVM_FINE_GRAIN_BUFFER, N * sizeof *from, 0);
    int *to = clSVMAlloc(context, CL_MEM_SVM_FINE_GRAIN_BUFFER, N * sizeof *to, 0), wrong = 0;
    clSetKernelArgSVMPointer(kernel, 0, to);
    clSetKernelArgSVMPointer(kernel, 1, from);
    for (int round = 0; round < 40; round++) {
        size_t items = N / 2000, one = 1;
        cl_event event;
        for (int i = 0; i < N; i++)
            from[i] = round + i;
        if (round % 2)
            clEnqueueSVMMemcpy(queue, CL_FALSE, to, from, N * sizeof *to, 0, NULL, &event);
        else
            clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &one, 0, NULL, &event);
        cl_event done = clCreateUserEvent(context, NULL);
        clSetEventCallback(event, CL_COMPLETE, count, done);
        clFinish(queue);
        for (int i = 0; i < N; i++)
            wrong += to[i] != round + i;
        clWaitForEvents(1, &done);
        clReleaseEvent(done);
        clReleaseEvent(event);
    }
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    clSVMFree(context, to);
    clSVMFree(context, from);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    printf("%d wrong, %d calls\n", wrong, calls);
    return wrong;
}
C
echo 'int main(void) { return 0; }' >empty.c
${CC:-cc} -fsanitize=thread empty.c -o empty 2>/dev/null && ./empty || exit 77 # no such sanitizer, or it doesn't run here
${CC:-cc} -g -O1 -fsanitize=thread copies.c -o copies -lOpenCL || exit 2
expect 0 '^0 wrong, 40 calls$' env TSAN_OPTIONS=halt_on_error=1 ./copies
finish
