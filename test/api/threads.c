/* Many host threads at once: building, launching, sharing objects. */
#include <pthread.h>
#include <stdatomic.h>
#include "api.h"

enum { THREADS = 8 };

/* Runs `body` on all threads; each gets its number and returns how many mistakes it saw. */
static void run_threads(void *(*body)(void *)) {
    pthread_t threads[THREADS];
    for (intptr_t i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, body, (void *)i), 0);
    intptr_t mistakes = 0;
    for (int i = 0; i < THREADS; i++) {
        void *seen;
        pthread_join(threads[i], &seen);
        mistakes += (intptr_t)seen;
    }
    assert_int_equal(mistakes, 0);
}

static void *build_and_run(void *arg) {
    int number = (int)(intptr_t)arg, back = 0, zero = 0;
    intptr_t mistakes = 0;
    for (int i = 0; i < 4; i++) {
        char text[128];
        const char *source = text;
        cl_int code;
        size_t one = 1;
        snprintf(text, sizeof text, "kernel void k(global int *p) { *p = %d; }", number * 100 + i % 2);
        cl_program program = clCreateProgramWithSource(cl.context, 1, &source, NULL, &code);
        mistakes += clBuildProgram(program, 0, NULL, "", NULL, NULL) != CL_SUCCESS;
        cl_kernel kernel = clCreateKernel(program, "k", &code);
        mistakes += code != CL_SUCCESS;
        cl_mem mem = clCreateBuffer(cl.context, CL_MEM_COPY_HOST_PTR, 4, &zero, &code);
        clSetKernelArg(kernel, 0, sizeof mem, &mem);
        mistakes +=
            clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL) != CL_SUCCESS;
        clEnqueueReadBuffer(cl.queue, mem, CL_TRUE, 0, 4, &back, 0, NULL, NULL);
        mistakes += back != number * 100 + i % 2;
        clReleaseMemObject(mem);
        clReleaseKernel(kernel);
        clReleaseProgram(program);
    }
    return (void *)mistakes;
}

TEST(threads_build_and_run_on_one_queue) {
    run_threads(build_and_run);
}

static cl_kernel shared_kernel;
static cl_mem shared_mem;

static void *own_queue(void *arg) {
    cl_int code;
    size_t n = 256;
    intptr_t mistakes = 0;
    cl_command_queue queue = clCreateCommandQueueWithProperties(cl.context, cl.device, NULL, &code);
    cl_kernel kernel = clCloneKernel(shared_kernel, &code);
    mistakes += code != CL_SUCCESS;
    for (int i = 0; i < 200; i++) {
        mistakes += clSetKernelArg(kernel, 0, sizeof shared_mem, &shared_mem) != CL_SUCCESS;
        mistakes += clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &n, NULL, 0, NULL, NULL) != CL_SUCCESS;
        if (i % 16 == 0)
            mistakes += clFinish(queue) != CL_SUCCESS;
    }
    mistakes += clFinish(queue) != CL_SUCCESS;
    clReleaseKernel(kernel);
    clReleaseCommandQueue(queue);
    return (void *)mistakes;
}

TEST(threads_with_their_own_queues_share_a_buffer) {
    int zero = 0, back;
    shared_kernel = kernel_of("kernel void k(global int *p) { atomic_inc(p); }", "k");
    shared_mem = buffer_of(CL_MEM_COPY_HOST_PTR, 4, &zero);
    run_threads(own_queue);
    OK(clEnqueueReadBuffer(cl.queue, shared_mem, CL_TRUE, 0, 4, &back, 0, NULL, NULL));
    assert_int_equal(back, THREADS * 200 * 256);
    OK(clReleaseMemObject(shared_mem));
    OK(clReleaseKernel(shared_kernel));
}

static void *retain_and_release(void *arg) {
    intptr_t mistakes = 0;
    for (int i = 0; i < 10000; i++) {
        mistakes += clRetainContext(cl.context) != CL_SUCCESS;
        mistakes += clRetainCommandQueue(cl.queue) != CL_SUCCESS;
        mistakes += clReleaseCommandQueue(cl.queue) != CL_SUCCESS;
        mistakes += clReleaseContext(cl.context) != CL_SUCCESS;
    }
    return (void *)mistakes;
}

TEST(counts_are_right_after_threads_retained_and_released) {
    cl_uint before, after;
    OK(clGetContextInfo(cl.context, CL_CONTEXT_REFERENCE_COUNT, sizeof before, &before, NULL));
    run_threads(retain_and_release);
    OK(clGetContextInfo(cl.context, CL_CONTEXT_REFERENCE_COUNT, sizeof after, &after, NULL));
    assert_int_equal(before, after);
}

static cl_event gates[THREADS], marks[THREADS];

static void *wait_in_a_ring(void *arg) {
    int number = (int)(intptr_t)arg;
    intptr_t mistakes = 0;
    if (number)
        mistakes += clWaitForEvents(1, &gates[number - 1]) != CL_SUCCESS;
    mistakes += clSetUserEventStatus(gates[number], CL_COMPLETE) != CL_SUCCESS;
    mistakes += clWaitForEvents(1, &marks[number]) != CL_SUCCESS;
    return (void *)mistakes;
}

TEST(threads_wait_for_each_other_through_events) {
    cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
    cl_command_queue queue = MADE(clCreateCommandQueueWithProperties(cl.context, cl.device, list, &error));
    for (int i = 0; i < THREADS; i++)
        gates[i] = MADE(clCreateUserEvent(cl.context, &error));
    for (int i = 0; i < THREADS; i++)
        OK(clEnqueueMarkerWithWaitList(queue, 1, &gates[THREADS - 1 - i], &marks[i]));
    run_threads(wait_in_a_ring);
    OK(clFinish(queue));
    for (int i = 0; i < THREADS; i++) {
        OK(clReleaseEvent(gates[i]));
        OK(clReleaseEvent(marks[i]));
    }
    OK(clReleaseCommandQueue(queue));
}

/* One program object, built from one thread while others ask about it. */
static cl_program asked;
static int stop;

static void *ask(void *arg) {
    intptr_t mistakes = 0;
    if (!arg) {
        for (int i = 0; i < 5; i++)
            mistakes += clBuildProgram(asked, 0, NULL, i % 2 ? "-DV=1" : "-DV=2", NULL, NULL) != CL_SUCCESS;
        __atomic_store_n(&stop, 1, __ATOMIC_SEQ_CST);
        return (void *)mistakes;
    }
    while (!__atomic_load_n(&stop, __ATOMIC_SEQ_CST)) {
        char text[4096];
        cl_build_status status;
        mistakes += clGetProgramBuildInfo(asked, cl.device, CL_PROGRAM_BUILD_STATUS, sizeof status, &status,
                                          NULL) != 0;
        clGetProgramBuildInfo(asked, cl.device, CL_PROGRAM_BUILD_LOG, sizeof text, text, NULL);
        clGetProgramBuildInfo(asked, cl.device, CL_PROGRAM_BUILD_OPTIONS, sizeof text, text, NULL);
        clGetProgramInfo(asked, CL_PROGRAM_KERNEL_NAMES, sizeof text, text, NULL);
    }
    return (void *)mistakes;
}

TEST(a_program_can_be_asked_while_it_is_built) {
    asked = program_of("kernel void k(global int *p) { *p = V; }");
    run_threads(ask);
    OK(clReleaseProgram(asked));
}

static void CL_CALLBACK sleep_long(void *args) {
    sleep(1000);
}

TEST(a_process_may_end_while_a_command_runs) {
    if (!fresh("a_process_may_end_while_a_command_runs", NULL, NULL))
        return;
    OK(clEnqueueNativeKernel(cl.queue, sleep_long, NULL, 0, 0, NULL, NULL, 0, NULL, NULL));
    OK(clFlush(cl.queue));
    usleep(20000);
    exit(0);
}

/* The last of a diamond is waited for: the waiting thread may run all of it. */
TEST(waiting_out_of_order_runs_what_comes_before) {
    static const char source[] = "kernel void k(global int *p, int i) { p[i] = p[i ? (i - 1) / 2 : 0] + 1; }";
    cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
    cl_command_queue queue = MADE(clCreateCommandQueueWithProperties(cl.context, cl.device, list, &error));
    cl_kernel kernel = kernel_of(source, "k");
    enum { N = 63 };
    int zeros[N] = {0}, back[N];
    cl_mem mem = buffer_of(CL_MEM_COPY_HOST_PTR, sizeof zeros, zeros);
    size_t one = 1;
    OK(clSetKernelArg(kernel, 0, sizeof mem, &mem));
    for (int round = 0; round < 200; round++) {
        cl_event tree[N], all;
        for (int i = 0; i < N; i++) {
            OK(clSetKernelArg(kernel, 1, sizeof i, &i));
            OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, &one, i > 0,
                                      i ? &tree[(i - 1) / 2] : NULL, &tree[i]));
        }
        OK(clEnqueueReadBuffer(queue, mem, CL_FALSE, 0, sizeof back, back, N, tree, &all));
        OK(clWaitForEvents(1, &all));
        for (int i = 1; i < N; i++)
            assert_int_equal(back[i], back[(i - 1) / 2] + 1);
        for (int i = 0; i < N; i++)
            OK(clReleaseEvent(tree[i]));
        OK(clReleaseEvent(all));
    }
    OK(clReleaseMemObject(mem));
    OK(clReleaseKernel(kernel));
    OK(clReleaseCommandQueue(queue));
}

/* Waits until pthread_cancel has been called for it, but ends no earlier than at the next call that may end it. */
static atomic_bool is_cancelled;

static void *build_cancelled(void *program) {
    while (!atomic_load(&is_cancelled))
        continue;
    clBuildProgram(program, 0, NULL, "", NULL, NULL);
    pthread_testcancel();
    return NULL;
}

static void *launch_cancelled(void *kernel) {
    size_t one = 1;
    while (!atomic_load(&is_cancelled))
        continue;
    clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &one, &one, 0, NULL, NULL);
    pthread_testcancel();
    return NULL;
}

static void cancel(void *(*body)(void *), void *arg) {
    pthread_t thread;
    void *end;
    atomic_store(&is_cancelled, false);
    assert_int_equal(pthread_create(&thread, NULL, body, arg), 0);
    pthread_cancel(thread);
    atomic_store(&is_cancelled, true);
    pthread_join(thread, &end);
    assert_ptr_equal(end, PTHREAD_CANCELED);
}

TEST(a_cancelled_thread_ends_its_build_and_its_launch_first) {
    char text[128];
    const char *source = text;
    size_t one = 1;
    int back = 0;
    snprintf(text, sizeof text, "kernel void k(global int *p) { *p = %d; }",
             (int)getpid()); /* not in the cache */
    cl_program program = MADE(clCreateProgramWithSource(cl.context, 1, &source, NULL, &error));
    cancel(build_cancelled, program);
    cl_kernel kernel = MADE(clCreateKernel(program, "k", &error));
    cl_mem mem = buffer_of(CL_MEM_COPY_HOST_PTR, 4, &back);
    OK(clSetKernelArg(kernel, 0, sizeof mem, &mem));
    cancel(launch_cancelled, kernel);
    OK(clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &one, &one, 0, NULL, NULL));
    OK(clEnqueueReadBuffer(cl.queue, mem, CL_TRUE, 0, 4, &back, 0, NULL, NULL));
    assert_int_equal(back, getpid());
    OK(clReleaseMemObject(mem));
    OK(clReleaseKernel(kernel));
    OK(clReleaseProgram(program));
}
