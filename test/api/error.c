/* What the context's callback tells of errors: the call, the argument's value, the limit, the code, and the way out. */
#include "api.h"

static char told[4096];

static void CL_CALLBACK note(const char *text, const void *info, size_t size, void *user) {
    snprintf(told, sizeof told, "%s", text);
}

/* A context whose callback notes what it is told. */
static cl_context context(void) {
    static cl_context kept;
    if (!kept)
        kept = MADE(clCreateContext(NULL, 1, &cl.device, note, NULL, &error));
    *told = 0;
    return kept;
}

static void tells(const char *const *parts, size_t n) {
    if (!is_weir())
        skip();
    for (size_t i = 0; i < n; i++)
        if (!strstr(told, parts[i]))
            fail_msg("\"%s\" isn't in: %s", parts[i], told);
}
#define TELLS(...) tells((const char *const[]){__VA_ARGS__}, COUNT(((const char *const[]){__VA_ARGS__})))

static cl_kernel kernel(void) {
    static cl_kernel kept;
    const char *source = "kernel void k(global int *p, float f, local int *l) { p[0] = (int)f + l[0]; }";
    if (!kept) {
        cl_program program = MADE(clCreateProgramWithSource(context(), 1, &source, NULL, &error));
        OK(clBuildProgram(program, 0, NULL, "", NULL, NULL));
        kept = MADE(clCreateKernel(program, "k", &error));
        OK(clReleaseProgram(program));
    }
    return kept;
}

TEST(a_buffer_that_is_too_large) {
    cl_ulong most;
    OK(clGetDeviceInfo(cl.device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof most, &most, NULL));
    char limit[32];
    snprintf(limit, sizeof limit, "%llu", (unsigned long long)most);
    REFUSES(CL_INVALID_BUFFER_SIZE, clCreateBuffer(context(), 0, most + 1, NULL, &error));
    TELLS("clCreateBuffer: ", limit, "(CL_INVALID_BUFFER_SIZE); split the data");
}

TEST(a_handle_of_another_kind) {
    cl_command_queue queue = MADE(clCreateCommandQueueWithProperties(context(), cl.device, NULL, &error));
    cl_event event = MADE(clCreateUserEvent(context(), &error));
    size_t one = 1;
    GIVES(CL_INVALID_KERNEL,
          clEnqueueNDRangeKernel(queue, (cl_kernel)event, 1, NULL, &one, NULL, 0, NULL, NULL));
    TELLS("is not a valid kernel, but an event (CL_INVALID_KERNEL); pass what clCreateKernel gave");
    GIVES(CL_INVALID_MEM_OBJECT, clEnqueueReadBuffer(queue, NULL, CL_TRUE, 0, 4, &one, 0, NULL, NULL));
    TELLS("the buffer is NULL (CL_INVALID_MEM_OBJECT); check the code");
    OK(clSetUserEventStatus(event, CL_COMPLETE));
    OK(clReleaseEvent(event));
    OK(clReleaseCommandQueue(queue));
}

TEST(the_size_of_an_argument) {
    cl_double d = 1;
    GIVES(CL_INVALID_ARG_SIZE, clSetKernelArg(kernel(), 1, sizeof d, &d));
    TELLS("argument 1 (float f) of k: 8 bytes given, its type has 4", "pass sizeof of the cl_ type");
    GIVES(CL_INVALID_ARG_VALUE, clSetKernelArg(kernel(), 2, 4, &d));
    TELLS("argument 2 (int* l) of k", "pass NULL, and the number of bytes as arg_size");
    GIVES(CL_INVALID_ARG_INDEX, clSetKernelArg(kernel(), 3, 4, &d));
    TELLS("argument 3 of k, which has 3", "count from 0");
}

TEST(sizes_of_a_launch) {
    cl_command_queue queue = MADE(clCreateCommandQueueWithProperties(context(), cl.device, NULL, &error));
    size_t global = 100, local = 10;
    cl_float f = 1;
    cl_mem mem = MADE(clCreateBuffer(context(), 0, 400, NULL, &error));
    OK(clSetKernelArg(kernel(), 1, sizeof f, &f));
    OK(clSetKernelArg(kernel(), 2, 4, NULL));
    GIVES(CL_INVALID_KERNEL_ARGS,
          clEnqueueNDRangeKernel(queue, kernel(), 1, NULL, &global, &local, 0, NULL, NULL));
    TELLS("argument 0 (p) of kernel k isn't set", "call clSetKernelArg for each argument");
    OK(clSetKernelArg(kernel(), 0, sizeof mem, &mem));
    local = 1u << 20;
    GIVES(CL_INVALID_WORK_ITEM_SIZE,
          clEnqueueNDRangeKernel(queue, kernel(), 1, NULL, &global, &local, 0, NULL, NULL));
    TELLS("1048576", "NULL lets Weir choose");
    local = 7;
    GIVES(CL_INVALID_WORK_GROUP_SIZE,
          clEnqueueNDRangeKernel(queue, kernel(), 1, NULL, &global, &local, 0, NULL, NULL));
    TELLS("local size 7 doesn't divide the global size 100 of dimension 0", "round the global size up");
    OK(clReleaseMemObject(mem));
    OK(clReleaseCommandQueue(queue));
}

TEST(queries_that_are_unknown_or_have_too_little_room) {
    char room[2];
    cl_mem mem = MADE(clCreateBuffer(context(), 0, 16, NULL, &error));
    GIVES(CL_INVALID_VALUE, clGetMemObjectInfo(mem, CL_MEM_SIZE, sizeof room, room, NULL));
    TELLS("param_value_size is 2, the answer to 0x1102 has 8 bytes", "ask for the size first");
    GIVES(CL_INVALID_VALUE, clGetMemObjectInfo(mem, 0x9999, sizeof room, room, NULL));
    TELLS("param_name 0x9999 is not a query of this call");
    OK(clReleaseMemObject(mem));
    cl_program program;
    OK(clGetKernelInfo(kernel(), CL_KERNEL_PROGRAM, sizeof program, &program, NULL));
    GIVES(CL_INVALID_VALUE, clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof room, room, NULL));
    TELLS("param_value_size is 2, the answer to 0x1166 has 8 bytes", "ask for the size first");
}

TEST(a_query_of_another_vendor_is_told_to_nobody) {
    cl_uint room;
    OK(clReleaseMemObject(MADE(clCreateBuffer(context(), 0, 16, NULL, &error))));
    GIVES(CL_INVALID_BUFFER_SIZE, (clCreateBuffer(context(), 0, 0, NULL, &error), error));
    GIVES(CL_INVALID_VALUE, clGetDeviceInfo(cl.device, 0x4000, sizeof room, &room, NULL));
    TELLS("size is 0"); /* the last one that was told */
}

TEST(flags_that_exclude_each_other) {
    char host[16];
    GIVES(CL_INVALID_VALUE,
          (clCreateBuffer(context(), CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR | 1u << 30, 16, host, &error),
           error));
    TELLS("flags CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR | 0x40000000 are unknown or exclude each other");
}

TEST(offsets_beyond_a_buffer) {
    cl_command_queue queue = MADE(clCreateCommandQueueWithProperties(context(), cl.device, NULL, &error));
    cl_mem mem = MADE(clCreateBuffer(context(), 0, 16, NULL, &error));
    char host[64] = {0};
    GIVES(CL_INVALID_VALUE, clEnqueueReadBuffer(queue, mem, CL_TRUE, 8, 16, host, 0, NULL, NULL));
    TELLS("offset 8 and size 16 reach beyond the buffer's 16 bytes", "in bytes, not elements");
    OK(clReleaseMemObject(mem));
    OK(clReleaseCommandQueue(queue));
}

/* Of one context's objects with another's: the queue's context is told. */
TEST(objects_of_two_contexts) {
    cl_command_queue queue = MADE(clCreateCommandQueueWithProperties(context(), cl.device, NULL, &error));
    cl_mem mem = zeros(4);
    char host[16] = {0};
    GIVES(CL_INVALID_CONTEXT, clEnqueueReadBuffer(queue, mem, CL_TRUE, 0, 4, host, 0, NULL, NULL));
    TELLS("belong to different contexts", "create both in the same");
    OK(clReleaseMemObject(mem));
    OK(clReleaseCommandQueue(queue));
}

TEST(a_kernel_that_isnt_in_the_program) {
    const char *source = "kernel void other() {}";
    cl_program program = MADE(clCreateProgramWithSource(context(), 1, &source, NULL, &error));
    REFUSES(CL_INVALID_PROGRAM_EXECUTABLE, clCreateKernel(program, "k", &error));
    TELLS("build it by clBuildProgram");
    OK(clBuildProgram(program, 0, NULL, "", NULL, NULL));
    REFUSES(CL_INVALID_KERNEL_NAME, clCreateKernel(program, "k", &error));
    TELLS("the program has no kernel k", "CL_PROGRAM_KERNEL_NAMES");
    OK(clReleaseProgram(program));
}
