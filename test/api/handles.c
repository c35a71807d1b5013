/* Handles that are none: of objects that are gone, and addresses where nothing lies. Whatever call gets them says so. */
#include "api.h"

#include <sys/mman.h>

/* Sanitizers report what looks at memory that is gone, and they see to it alone. */
#if defined(__SANITIZE_ADDRESS__)
#define NEEDS_OBJECT_MEMORY                                                                                  \
    do                                                                                                       \
        skip();                                                                                              \
    while (0)
#else
#define NEEDS_OBJECT_MEMORY (void)0
#endif

static const char source[] =
    "kernel void k(global int *p, sampler_t s, read_only image1d_buffer_t i) { p[0] = 1; }";

static void *unmapped(void) {
    char *at = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(at != MAP_FAILED);
    OK(munmap(at, 1 << 20));
    return at + 4096;
}

/* Made first: what is made later may lie where something was that is gone. */
static cl_kernel kernel;
static cl_mem mem;

static void make(void) {
    kernel = kernel_of(source, "k");
    mem = zeros(16);
}

static void unmake(void) {
    OK(clReleaseMemObject(mem));
    OK(clReleaseKernel(kernel));
    still_works();
}

/* All that takes a handle behind its first argument and is of the implementation alone: the loader looks at the others. */
static void refuse_behind_the_first(void *bad) {
    cl_event event = bad, list[] = {bad};
    cl_int value = 0;
    size_t one = 1, origin[3] = {0}, region[3] = {4, 1, 1};
    GIVES(CL_INVALID_MEM_OBJECT, clSetKernelArg(kernel, 0, sizeof bad, &bad));
    GIVES(CL_INVALID_SAMPLER, clSetKernelArg(kernel, 1, sizeof bad, &bad));
    GIVES(CL_INVALID_MEM_OBJECT, clSetKernelArg(kernel, 2, sizeof bad, &bad));
    GIVES(CL_INVALID_KERNEL, clEnqueueNDRangeKernel(cl.queue, bad, 1, NULL, &one, NULL, 0, NULL, NULL));
    GIVES(CL_INVALID_EVENT_WAIT_LIST, clEnqueueMarkerWithWaitList(cl.queue, 1, list, NULL));
    GIVES(CL_INVALID_EVENT_WAIT_LIST,
          clEnqueueReadBuffer(cl.queue, mem, CL_TRUE, 0, 4, &value, 1, &event, NULL));
    GIVES(CL_INVALID_MEM_OBJECT, clEnqueueReadBuffer(cl.queue, bad, CL_TRUE, 0, 4, &value, 0, NULL, NULL));
    GIVES(CL_INVALID_MEM_OBJECT, clEnqueueCopyBuffer(cl.queue, mem, bad, 0, 0, 4, 0, NULL, NULL));
    GIVES(CL_INVALID_MEM_OBJECT, clEnqueueUnmapMemObject(cl.queue, bad, &value, 0, NULL, NULL));
    GIVES(CL_INVALID_MEM_OBJECT,
          clEnqueueCopyBufferRect(cl.queue, bad, mem, origin, origin, region, 0, 0, 0, 0, 0, NULL, NULL));
    GIVES(CL_INVALID_MEM_OBJECT, clEnqueueMigrateMemObjects(cl.queue, 1, (cl_mem *)&bad, 0, 0, NULL, NULL));
    REFUSES(CL_INVALID_DEVICE, clCreateCommandQueueWithProperties(cl.context, bad, NULL, &error));
}

TEST(addresses_where_nothing_lies_are_no_handles) {
    NEEDS_OBJECT_MEMORY;
    make();
    refuse_behind_the_first(unmapped());
    refuse_behind_the_first((char *)&cl + 1); /* no object's alignment */
    refuse_behind_the_first((void *)"a string, or a buffer of the host");
    unmake();
}

TEST(a_part_of_an_object_is_none) {
    make();
    refuse_behind_the_first((char *)cl.queue + 16);
    unmake();
}

TEST(what_is_gone_is_no_handle) {
    NEEDS_OBJECT_MEMORY;
    make();
    cl_context context = MADE(clCreateContext(NULL, 1, &cl.device, NULL, NULL, &error));
    OK(clReleaseContext(context));
    GIVES(CL_INVALID_CONTEXT, clReleaseContext(context));
    REFUSES(CL_INVALID_CONTEXT, clCreateBuffer(context, 0, 4, NULL, &error));
    refuse_behind_the_first(context);
    cl_command_queue queue = MADE(clCreateCommandQueueWithProperties(cl.context, cl.device, NULL, &error));
    OK(clReleaseCommandQueue(queue));
    GIVES(CL_INVALID_COMMAND_QUEUE, clFinish(queue));
    cl_mem gone = zeros(4);
    OK(clReleaseMemObject(gone));
    GIVES(CL_INVALID_MEM_OBJECT, clRetainMemObject(gone));
    refuse_behind_the_first(gone);
    cl_event event = MADE(clCreateUserEvent(cl.context, &error));
    OK(clReleaseEvent(event));
    GIVES(CL_INVALID_EVENT, clSetUserEventStatus(event, CL_COMPLETE));
    GIVES(CL_INVALID_EVENT, clWaitForEvents(1, &event));
    refuse_behind_the_first(event);
    cl_kernel other = kernel_of(source, "k");
    OK(clReleaseKernel(other));
    GIVES(CL_INVALID_KERNEL, clSetKernelArg(other, 0, 8, NULL));
    refuse_behind_the_first(other);
    cl_program program = build(source, "");
    OK(clReleaseProgram(program));
    REFUSES(CL_INVALID_PROGRAM, clCreateKernel(program, "k", &error));
    cl_sampler sampler =
        MADE(clCreateSampler(cl.context, CL_FALSE, CL_ADDRESS_NONE, CL_FILTER_NEAREST, &error));
    OK(clReleaseSampler(sampler));
    GIVES(CL_INVALID_SAMPLER, clReleaseSampler(sampler));
    refuse_behind_the_first(sampler);
    unmake();
}

static void CL_CALLBACK do_nothing(void *args) {
}

/* More objects than one chunk of their memory holds, and one with a payload larger than that. */
TEST(many_objects_and_large_ones) {
    enum { MANY = 5000 };
    static cl_mem mems[MANY];
    static char args[512 << 10];
    for (int i = 0; i < MANY; i++)
        mems[i] = buffer_of(0, 4, NULL);
    for (int i = 0; i < MANY; i++)
        OK(clReleaseMemObject(mems[i]));
    for (int i = 0; i < 3; i++)
        OK(clEnqueueNativeKernel(cl.queue, do_nothing, args, sizeof args, 0, NULL, NULL, 0, NULL, NULL));
    OK(clFinish(cl.queue));
    still_works();
}
