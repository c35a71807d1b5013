/* Native kernels. */
#include "api.h"

struct job {
    int *from, *to;
    int n;
};
static int calls;

static void CL_CALLBACK add_one(void *args) {
    struct job *job = args;
    for (int i = 0; i < job->n; i++)
        job->to[i] = job->from[i] + 1;
    calls++;
}

static bool able(void) {
    cl_device_exec_capabilities bits;
    OK(clGetDeviceInfo(cl.device, CL_DEVICE_EXECUTION_CAPABILITIES, sizeof bits, &bits, NULL));
    return bits & CL_EXEC_NATIVE_KERNEL;
}

TEST(a_native_kernel_gets_its_arguments_and_buffers) {
    if (!able())
        skip();
    int values[64], back[64];
    for (int i = 0; i < 64; i++)
        values[i] = i;
    cl_mem list[] = {buffer_of(CL_MEM_COPY_HOST_PTR, sizeof values, values),
                     buffer_of(0, sizeof values, NULL)};
    struct job job = {NULL, NULL, 64};
    const void *places[] = {&job.from, &job.to};
    cl_event event;
    cl_command_type type;
    OK(clEnqueueNativeKernel(cl.queue, add_one, &job, sizeof job, 2, list, places, 0, NULL, &event));
    job.n = 0; /* the block was copied */
    OK(clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL));
    assert_int_equal(type, CL_COMMAND_NATIVE_KERNEL);
    OK(clEnqueueReadBuffer(cl.queue, list[1], CL_TRUE, 0, sizeof back, back, 0, NULL, NULL));
    for (int i = 0; i < 64; i++)
        assert_int_equal(back[i], i + 1);
    assert_int_equal(calls, 1);
    OK(clReleaseEvent(event));
    OK(clReleaseMemObject(list[0]));
    OK(clReleaseMemObject(list[1]));
}

static void CL_CALLBACK count(void *args) {
    calls += args ? 100 : 10;
}

TEST(a_native_kernel_may_have_no_arguments) {
    if (!able())
        skip();
    calls = 0;
    OK(clEnqueueNativeKernel(cl.queue, count, NULL, 0, 0, NULL, NULL, 0, NULL, NULL));
    OK(clFinish(cl.queue));
    assert_int_equal(calls, 10);
}

TEST(native_kernels_check_their_arguments) {
    if (!able())
        skip();
    struct job job = {0};
    cl_mem mem = buffer_of(0, 16, NULL), wrong = (cl_mem)cl.context;
    const void *place = &job.from;
#define NATIVE(code, queue, function, args, size, n, list, places, nwait)                                    \
    GIVES(code, clEnqueueNativeKernel(queue, function, args, size, n, list, places, nwait, NULL, NULL))
    NATIVE(CL_INVALID_COMMAND_QUEUE, (cl_command_queue)cl.context, count, NULL, 0, 0, NULL, NULL, 0);
    NATIVE(CL_INVALID_VALUE, cl.queue, NULL, NULL, 0, 0, NULL, NULL, 0);
    NATIVE(CL_INVALID_VALUE, cl.queue, count, NULL, 8, 0, NULL, NULL, 0);
    NATIVE(CL_INVALID_VALUE, cl.queue, count, NULL, 0, 1, &mem, &place, 0);
    NATIVE(CL_INVALID_VALUE, cl.queue, count, &job, 0, 0, NULL, NULL, 0);
    NATIVE(CL_INVALID_VALUE, cl.queue, count, &job, sizeof job, 1, NULL, &place, 0);
    NATIVE(CL_INVALID_VALUE, cl.queue, count, &job, sizeof job, 1, &mem, NULL, 0);
    NATIVE(CL_INVALID_VALUE, cl.queue, count, &job, sizeof job, 0, &mem, NULL, 0);
    NATIVE(CL_INVALID_VALUE, cl.queue, count, &job, sizeof job, 0, NULL, &place, 0);
    NATIVE(CL_INVALID_MEM_OBJECT, cl.queue, count, &job, sizeof job, 1, &wrong, &place, 0);
    NATIVE(CL_INVALID_EVENT_WAIT_LIST, cl.queue, count, NULL, 0, 0, NULL, NULL, 1);
    OK(clReleaseMemObject(mem));
}
