/* Calls while memory runs out: each allocation that a call makes on the application's thread fails once. The call then says
 * so and has done nothing, or does without and has done all.
 */
#include "command_buffer.h"

#include <errno.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { CAN_FAIL = 0 }; /* the sanitizers' own allocators are in the way */
static _Thread_local int countdown;
#else
enum { CAN_FAIL = 1 };
static _Thread_local int countdown; /* this one fails when it is 1; 0: none does */

void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);

static bool fails(void) {
    bool now = countdown > 0 && --countdown == 0;
    errno = now ? ENOMEM : errno; /* which the C library asks for, too */
    return now;
}

void *malloc(size_t n) {
    return fails() ? NULL : __libc_malloc(n);
}

void *calloc(size_t n, size_t size) {
    return fails() ? NULL : __libc_calloc(n, size);
}

void *realloc(void *p, size_t n) {
    return fails() ? NULL : __libc_realloc(p, n);
}

void *aligned_alloc(size_t alignment, size_t n) {
    return fails() ? NULL : __libc_memalign(alignment, n);
}

int posix_memalign(void **p, size_t alignment, size_t n) {
    *p = fails() ? NULL : __libc_memalign(alignment, n);
    return *p ? 0 : 12;
}
#endif

static bool is_of_memory(cl_int code) {
    return code == CL_OUT_OF_HOST_MEMORY || code == CL_OUT_OF_RESOURCES ||
           code == CL_MEM_OBJECT_ALLOCATION_FAILURE;
}

/* Calls with one allocation after the other failing, until none does. Tells whether the call succeeded in `code`. */
#define EACH_FAILS(code, call, then)                                                                         \
    for (int nth = 1, left = 0; CAN_FAIL && !left; nth++) {                                                  \
        assert_true(nth < 10000);                                                                            \
        countdown = nth;                                                                                     \
        code = (call);                                                                                       \
        left = countdown;                                                                                    \
        countdown = 0;                                                                                       \
        if (code != CL_SUCCESS && !is_of_memory(code))                                                       \
            fail_msg("%s gave %d with allocation %d failing", #call, code, nth);                             \
        then                                                                                                 \
    }

/* Commands of several queues may add at once. */
static const char adds[] =
    "kernel void add(global int *p, int n) { if (p) atomic_add(p + get_global_id(0), n); }";

static cl_int enqueue(cl_command_queue queue, cl_kernel kernel, cl_uint nwait, const cl_event *wait,
                      cl_event *event) {
    size_t n = 64, local = 16;
    return clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &n, &local, nwait, wait, event);
}

TEST(a_launch_is_done_or_refused) {
    cl_kernel kernel = kernel_of(adds, "add");
    cl_mem mem = zeros(64);
    cl_int one = 1, code, count = 0;
    OK(clSetKernelArg(kernel, 0, sizeof mem, &mem));
    OK(clSetKernelArg(kernel, 1, sizeof one, &one));
    cl_command_queue anyhow = queue_with(cl.device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    EACH_FAILS(code, enqueue(cl.queue, kernel, 0, NULL, NULL), {
        count += !code;
        OK(clFinish(cl.queue));
        assert_int_equal(int_at(mem, 63), count);
    })
    EACH_FAILS(code, enqueue(anyhow, kernel, 0, NULL, NULL), {
        count += !code;
        OK(clFinish(anyhow));
        assert_int_equal(int_at(mem, 63), count);
    })
    EACH_FAILS(code, clEnqueueBarrierWithWaitList(anyhow, 0, NULL, NULL), { OK(clFinish(anyhow)); })
    OK(clReleaseCommandQueue(anyhow));
    OK(clReleaseMemObject(mem));
    OK(clReleaseKernel(kernel));
}

TEST(commands_that_wait_are_done_or_refused) {
    cl_kernel kernel = kernel_of(adds, "add");
    cl_mem mem = zeros(64);
    cl_int one = 1, code, count = 0;
    OK(clSetKernelArg(kernel, 0, sizeof mem, &mem));
    OK(clSetKernelArg(kernel, 1, sizeof one, &one));
    cl_event users[2], event;
    for (int i = 0; i < 2; i++)
        users[i] = MADE(clCreateUserEvent(cl.context, &error));
    EACH_FAILS(code, enqueue(cl.queue, kernel, 2, users, &event), {
        count += !code;
        if (!code)
            OK(clReleaseEvent(event));
    })
    EACH_FAILS(code, clEnqueueMarkerWithWaitList(cl.queue, 2, users, &event), {
        if (!code)
            OK(clReleaseEvent(event));
    })
    for (int i = 0; i < 2; i++) {
        OK(clSetUserEventStatus(users[i], CL_COMPLETE));
        OK(clReleaseEvent(users[i]));
    }
    OK(clFinish(cl.queue));
    assert_int_equal(int_at(mem, 63), count);
    OK(clReleaseMemObject(mem));
    OK(clReleaseKernel(kernel));
}

TEST(a_command_buffer_of_several_queues_runs_or_is_refused) {
    cl_command_queue queues[3];
    for (int i = 0; i < 3; i++)
        queues[i] = queue_with(cl.device, 0);
    cl_command_buffer_khr buffer = recorder(3, queues, CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR);
    cl_kernel kernel = kernel_of(adds, "add");
    cl_mem mem = zeros(64);
    cl_int one = 1, code, count = 0;
    OK(clSetKernelArg(kernel, 0, sizeof mem, &mem));
    OK(clSetKernelArg(kernel, 1, sizeof one, &one));
    for (int i = 0; i < 3; i++)
        record(buffer, queues[i], kernel, 64, 0, NULL);
    OK(clFinalizeCommandBufferKHR_(buffer));
    EACH_FAILS(code, clEnqueueCommandBufferKHR_(0, NULL, buffer, 0, NULL, NULL), {
        count += code ? 0 : 3;
        for (int i = 0; i < 3; i++)
            OK(clFinish(queues[i]));
        assert_int_equal(int_at(mem, 0), count);
    })
    OK(clReleaseCommandBufferKHR_(buffer));
    OK(clReleaseMemObject(mem));
    OK(clReleaseKernel(kernel));
    for (int i = 0; i < 3; i++)
        OK(clReleaseCommandQueue(queues[i]));
}

TEST(a_recorded_command_is_there_or_refused) {
    cl_command_buffer_khr buffer = recorder(1, &cl.queue, 0);
    cl_kernel kernel = kernel_of(adds, "add");
    cl_mem mem = zeros(64);
    cl_int one = 1, code, count = 0;
    size_t n = 64;
    OK(clSetKernelArg(kernel, 0, sizeof mem, &mem));
    OK(clSetKernelArg(kernel, 1, sizeof one, &one));
    for (int i = 0; i < 40; i++)
        EACH_FAILS(
            code,
            clCommandNDRangeKernelKHR_(buffer, NULL, NULL, kernel, 1, NULL, &n, NULL, 0, NULL, NULL, NULL),
            { count += !code; })
    EACH_FAILS(code, clFinalizeCommandBufferKHR_(buffer), {})
    if (CAN_FAIL) {
        run_buffer(buffer);
        assert_int_equal(int_at(mem, 0), count);
    }
    OK(clReleaseCommandBufferKHR_(buffer));
    OK(clReleaseMemObject(mem));
    OK(clReleaseKernel(kernel));
}

/* Whatever fails, nothing crashes, and what was made is released. */
static void live(void) {
    cl_int code;
    size_t n = 64;
    void *mapped;
    cl_context context = clCreateContext(NULL, 1, &cl.device, NULL, NULL, &code);
    cl_command_queue queue = clCreateCommandQueueWithProperties(context, cl.device, NULL, &code);
    cl_mem mem = clCreateBuffer(context, CL_MEM_READ_WRITE, 4096, NULL, &code);
    cl_buffer_region region = {1024, 1024};
    cl_mem sub = clCreateSubBuffer(mem, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
    cl_image_format format = {CL_RGBA, CL_FLOAT};
    cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 8, .image_height = 8};
    cl_mem image = clCreateImage(context, CL_MEM_READ_WRITE, &format, &desc, NULL, &code);
    cl_sampler sampler = clCreateSampler(context, CL_TRUE, CL_ADDRESS_CLAMP, CL_FILTER_LINEAR, &code);
    const char *source = adds;
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &code);
    code = clBuildProgram(program, 0, NULL, "", NULL, NULL);
    cl_kernel kernel = clCreateKernel(program, "add", &code), clone = clCloneKernel(kernel, &code);
    clSetKernelArg(kernel, 0, sizeof sub, &sub);
    clSetKernelArg(kernel, 1, sizeof(int), &(int){1});
    cl_event event = NULL, user = clCreateUserEvent(context, &code);
    clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &n, NULL, user != NULL, user ? &user : NULL, &event);
    clEnqueueFillImage(queue, image, (float[4]){0}, (size_t[3]){0}, (size_t[3]){8, 8, 1}, 0, NULL, NULL);
    mapped = clEnqueueMapBuffer(queue, mem, CL_FALSE, CL_MAP_WRITE, 0, 64, 0, NULL, NULL, &code);
    if (mapped)
        clEnqueueUnmapMemObject(queue, mem, mapped, 0, NULL, NULL);
    if (user)
        clSetUserEventStatus(user, CL_COMPLETE);
    clFinish(queue);
    if (event)
        clReleaseEvent(event);
    if (user)
        clReleaseEvent(user);
    clReleaseKernel(clone);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    clReleaseSampler(sampler);
    clReleaseMemObject(image);
    clReleaseMemObject(sub);
    clReleaseMemObject(mem);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
}

TEST(a_program_without_memory_for_one_thing_does_not_crash) {
    int code = 0;
    EACH_FAILS(code, (live(), 0), {})
    still_works();
}

/* It is written when the process ends. */
TEST(a_profile_without_memory_for_one_object_is_written) {
    int code = 0;
    if (!fresh(__func__, NULL, "WEIR_PROFILE=/dev/null"))
        return;
    EACH_FAILS(code, (live(), 0), {})
    still_works();
}
