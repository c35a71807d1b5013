/* Contexts that are terminated: what becomes of their commands, what is refused afterwards, and that nothing is left. */
#include <pthread.h>
#include <stdatomic.h>
#include "api.h"

EXTENSION(clTerminateContextKHR)
EXTENSION(clCreateSemaphoreWithPropertiesKHR)
EXTENSION(clEnqueueWaitSemaphoresKHR)
EXTENSION(clReleaseSemaphoreKHR)
static atomic_int told, destroyed, called;

static void CL_CALLBACK tell(const char *text, const void *info, size_t size, void *user) {
    atomic_fetch_add(&told, 1);
}

static void CL_CALLBACK note_destroyed(cl_context context, void *user) {
    atomic_fetch_add(&destroyed, 1);
}

static void CL_CALLBACK note_end(cl_event event, cl_int status, void *user) {
    atomic_store(&called, status);
}

static cl_context terminable(void) {
    cl_context_properties list[] = {CL_CONTEXT_TERMINATE_KHR, CL_TRUE, 0};
    FIND(clTerminateContextKHR)
    cl_context context = MADE(clCreateContext(list, 1, &cl.device, tell, NULL, &error));
    OK(clSetContextDestructorCallback(context, note_destroyed, NULL));
    return context;
}

/* Commands let go of their context when they have ended, which may be on another thread. */
static void expect_destroyed(int n) {
    for (int i = 0; i < 10000 && atomic_load(&destroyed) < n; i++)
        usleep(1000);
    assert_int_equal(atomic_load(&destroyed), n);
}

TEST(commands_that_wait_end_when_their_context_does) {
    int before = atomic_load(&destroyed), told_before;
    cl_context context = terminable();
    cl_command_queue queue =
        MADE(clCreateCommandQueue(context, cl.device, CL_QUEUE_PROFILING_ENABLE, &error));
    cl_mem mem = MADE(clCreateBuffer(context, 0, 64, NULL, &error));
    cl_event gate = MADE(clCreateUserEvent(context, &error)), fill, marker;
    cl_int zero = 0;
    cl_ulong time;
    atomic_store(&called, 0);
    OK(clEnqueueFillBuffer(queue, mem, &zero, 4, 0, 64, 1, &gate, &fill));
    OK(clEnqueueMarkerWithWaitList(queue, 0, NULL, &marker));
    OK(clSetEventCallback(marker, CL_COMPLETE, note_end, NULL));
    told_before = atomic_load(&told);
    OK(clTerminateContextKHR_(context));
    assert_true(atomic_load(&told) > told_before);
    assert_int_equal(event_status(fill), CL_CONTEXT_TERMINATED_KHR);
    assert_int_equal(event_status(marker), CL_CONTEXT_TERMINATED_KHR);
    assert_int_equal(atomic_load(&called), CL_CONTEXT_TERMINATED_KHR);
    GIVES(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, &marker));
    GIVES(CL_PROFILING_INFO_NOT_AVAILABLE,
          clGetEventProfilingInfo(fill, CL_PROFILING_COMMAND_END, sizeof time, &time, NULL));
    GIVES(CL_CONTEXT_TERMINATED_KHR, clTerminateContextKHR_(context));
    OK(clSetUserEventStatus(gate, CL_COMPLETE));
    OK(clReleaseEvent(gate));
    OK(clReleaseEvent(fill));
    OK(clReleaseEvent(marker));
    OK(clReleaseMemObject(mem));
    OK(clReleaseCommandQueue(queue));
    OK(clReleaseContext(context));
    expect_destroyed(before + 1);
}

TEST(a_terminated_context_makes_and_enqueues_nothing) {
    int before = atomic_load(&destroyed);
    const char *source = "kernel void k(global int *p) { *p = 1; }";
    cl_context context = terminable(), same;
    cl_command_queue queue = MADE(clCreateCommandQueue(context, cl.device, 0, &error));
    cl_mem mem = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
    cl_program program = MADE(clCreateProgramWithSource(context, 1, &source, NULL, &error));
    OK(clBuildProgram(program, 1, &cl.device, "", NULL, NULL));
    cl_kernel kernel = MADE(clCreateKernel(program, "k", &error));
    cl_buffer_region part = {0, 128};
    cl_int value = 0;
    cl_uint refs;
    size_t one = 1;
    OK(clSetKernelArg(kernel, 0, sizeof mem, &mem));
    OK(clTerminateContextKHR_(context));
    const cl_int dead = CL_CONTEXT_TERMINATED_KHR;
    REFUSES(dead, clCreateBuffer(context, 0, 64, NULL, &error));
    REFUSES(dead, clCreateSubBuffer(mem, 0, CL_BUFFER_CREATE_TYPE_REGION, &part, &error));
    REFUSES(dead, clCreateCommandQueue(context, cl.device, 0, &error));
    REFUSES(dead, clCreateUserEvent(context, &error));
    REFUSES(dead, clCreateProgramWithSource(context, 1, &source, NULL, &error));
    REFUSES(dead, clCreateKernel(program, "k", &error));
    REFUSES(dead, clCloneKernel(kernel, &error));
    assert_null(clSVMAlloc(context, 0, 64, 0));
    GIVES(dead, clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
    GIVES(dead, clEnqueueReadBuffer(queue, mem, CL_TRUE, 0, 4, &value, 0, NULL, NULL));
    GIVES(dead, clEnqueueMarkerWithWaitList(queue, 0, NULL, NULL));
    GIVES(dead, clFinish(queue));
    OK(clGetContextInfo(context, CL_CONTEXT_REFERENCE_COUNT, sizeof refs, &refs, NULL));
    OK(clGetMemObjectInfo(mem, CL_MEM_CONTEXT, sizeof same, &same, NULL));
    assert_ptr_equal(same, context);
    OK(clRetainMemObject(mem));
    OK(clReleaseMemObject(mem));
    OK(clReleaseMemObject(mem));
    OK(clReleaseKernel(kernel));
    OK(clReleaseProgram(program));
    OK(clReleaseCommandQueue(queue));
    OK(clReleaseContext(context));
    expect_destroyed(before + 1);
}

/* All work-groups together would take many minutes. */
TEST(a_kernel_that_runs_stops_between_its_work_groups) {
    int before = atomic_load(&destroyed);
    const char *source =
        "kernel void slow(volatile global int *p) { for (int i = 0; i < 100000; i++) p[0] = i; }";
    cl_context context = terminable();
    cl_command_queue queue = MADE(clCreateCommandQueue(context, cl.device, 0, &error));
    cl_mem mem = MADE(clCreateBuffer(context, 0, 64, NULL, &error));
    cl_program program = MADE(clCreateProgramWithSource(context, 1, &source, NULL, &error));
    OK(clBuildProgram(program, 1, &cl.device, "", NULL, NULL));
    cl_kernel kernel = MADE(clCreateKernel(program, "slow", &error));
    cl_event event;
    size_t n = (size_t)1 << 30, single = 1;
    OK(clSetKernelArg(kernel, 0, sizeof mem, &mem));
    OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &n, &single, 0, NULL, &event));
    OK(clFlush(queue));
    while (event_status(event) != CL_RUNNING)
        usleep(1000);
    OK(clTerminateContextKHR_(context));
    assert_int_equal(event_status(event), CL_CONTEXT_TERMINATED_KHR);
    OK(clReleaseEvent(event));
    OK(clReleaseMemObject(mem));
    OK(clReleaseKernel(kernel));
    OK(clReleaseProgram(program));
    OK(clReleaseCommandQueue(queue));
    OK(clReleaseContext(context));
    expect_destroyed(before + 1);
}

TEST(a_wait_for_a_semaphore_ends_with_the_context) {
    int before = atomic_load(&destroyed);
    const cl_semaphore_properties_khr binary[] = {CL_SEMAPHORE_TYPE_KHR, CL_SEMAPHORE_TYPE_BINARY_KHR, 0};
    cl_context context = terminable();
    cl_command_queue queue = MADE(clCreateCommandQueue(context, cl.device, 0, &error));
    FIND(clCreateSemaphoreWithPropertiesKHR)
    FIND(clEnqueueWaitSemaphoresKHR)
    FIND(clReleaseSemaphoreKHR)
    cl_semaphore_khr semaphore = MADE(clCreateSemaphoreWithPropertiesKHR_(context, binary, &error));
    cl_event event;
    OK(clEnqueueWaitSemaphoresKHR_(queue, 1, &semaphore, NULL, 0, NULL, &event));
    OK(clTerminateContextKHR_(context));
    assert_int_equal(event_status(event), CL_CONTEXT_TERMINATED_KHR);
    REFUSES(CL_CONTEXT_TERMINATED_KHR, clCreateSemaphoreWithPropertiesKHR_(context, binary, &error));
    OK(clReleaseEvent(event));
    OK(clReleaseSemaphoreKHR_(semaphore));
    OK(clReleaseCommandQueue(queue));
    OK(clReleaseContext(context));
    expect_destroyed(before + 1);
}

static void *read_behind(void *args) {
    void **a = args;
    cl_int value;
    return (void *)(intptr_t)clEnqueueReadBuffer(a[0], a[1], CL_TRUE, 0, 4, &value, 1, (cl_event *)&a[2],
                                                 NULL);
}

TEST(a_thread_in_a_blocking_read_comes_back) {
    int before = atomic_load(&destroyed);
    cl_context context = terminable();
    cl_command_queue queue = MADE(clCreateCommandQueue(context, cl.device, 0, &error));
    cl_mem mem = MADE(clCreateBuffer(context, 0, 64, NULL, &error));
    cl_event gate = MADE(clCreateUserEvent(context, &error));
    void *args[] = {queue, mem, gate}, *code;
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, read_behind, args), 0);
    usleep(30000);
    OK(clTerminateContextKHR_(context));
    pthread_join(thread, &code);
    assert_int_equal((intptr_t)code, CL_CONTEXT_TERMINATED_KHR);
    OK(clReleaseEvent(gate)); /* never set */
    OK(clReleaseMemObject(mem));
    OK(clReleaseCommandQueue(queue));
    OK(clReleaseContext(context));
    expect_destroyed(before + 1);
}

TEST(headers_of_opencl_1_2_have_other_values_for_terminating) {
    cl_context_properties old[] = {0x2010, CL_TRUE, 0}, both[] = {0x2010, 1, CL_CONTEXT_TERMINATE_KHR, 1, 0};
    cl_device_terminate_capability_khr able = 0;
    OK(clGetDeviceInfo(cl.device, 0x200F, sizeof able, &able, NULL));
    assert_int_equal(able, CL_DEVICE_TERMINATE_CAPABILITY_CONTEXT_KHR);
    cl_context context = MADE(clCreateContext(old, 1, &cl.device, NULL, NULL, &error));
    OK(clTerminateContextKHR_(context));
    OK(clReleaseContext(context));
    REFUSES(CL_INVALID_PROPERTY, clCreateContext(both, 1, &cl.device, NULL, NULL, &error));
}

TEST(only_contexts_that_were_made_for_it_are_terminated) {
    cl_context context = terminable();
    cl_context_properties odd[] = {CL_CONTEXT_TERMINATE_KHR, 7, 0},
                          no[] = {CL_CONTEXT_TERMINATE_KHR, CL_FALSE, 0},
                          twice[] = {CL_CONTEXT_TERMINATE_KHR, 1, CL_CONTEXT_TERMINATE_KHR, 1, 0};
    cl_device_terminate_capability_khr able = 0;
    OK(clGetDeviceInfo(cl.device, CL_DEVICE_TERMINATE_CAPABILITY_KHR, sizeof able, &able, NULL));
    assert_int_equal(able, CL_DEVICE_TERMINATE_CAPABILITY_CONTEXT_KHR);
    REFUSES(CL_INVALID_PROPERTY, clCreateContext(odd, 1, &cl.device, NULL, NULL, &error));
    REFUSES(CL_INVALID_PROPERTY, clCreateContext(twice, 1, &cl.device, NULL, NULL, &error));
    cl_context other = MADE(clCreateContext(no, 1, &cl.device, NULL, NULL, &error));
    GIVES(CL_INVALID_OPERATION, clTerminateContextKHR_(other));
    GIVES(CL_INVALID_OPERATION, clTerminateContextKHR_(cl.context));
    GIVES(CL_INVALID_CONTEXT, clTerminateContextKHR_((cl_context)cl.queue));
    OK(clReleaseContext(other));
    OK(clReleaseContext(context));
    still_works();
}
