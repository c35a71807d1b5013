/* Threads that build, enqueue, set callbacks and release at the same time: all that commands use is released before they run, by
 * one thread, while others open what they wait for; callbacks call the API. Nothing is lost, and nothing runs twice. */
#include <pthread.h>
#include <stdatomic.h>
#include "api.h"

enum { THREADS = 4, ROUNDS = 25, DEPTH = 8 };

static _Atomic int ended, destroyed, mistakes;

static void must(cl_int code) {
    mistakes += code != CL_SUCCESS;
}

static void run_threads(void *(*body)(void *)) {
    pthread_t threads[THREADS];
    ended = destroyed = mistakes = 0;
    for (intptr_t i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, body, (void *)i), 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    assert_int_equal(mistakes, 0);
}

/* Without a limit of time: a test that waits for ever is ended by its runner. */
static void wait_for(_Atomic int *count, int wanted) {
    while (*count < wanted)
        usleep(100);
    assert_int_equal(*count, wanted);
}

static void CL_CALLBACK count_end(cl_event event, cl_int status, void *user) {
    cl_int now;
    must(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof now, &now, NULL));
    mistakes += status != CL_COMPLETE;
    ended++;
}

static void CL_CALLBACK count_destroyed(cl_mem mem, void *user) {
    destroyed++;
}

/* ---- released with work pending ---- */

static _Atomic(cl_event) gates[THREADS];

/* Opens the gate that another thread has left, if there is one. */
static void open_gate(int thread) {
    cl_event gate = atomic_exchange(&gates[thread], NULL);
    if (gate) {
        must(clSetUserEventStatus(gate, CL_COMPLETE));
        must(clReleaseEvent(gate));
    }
}

static cl_kernel kernel_for(cl_context context, int value) {
    char text[128];
    const char *source = text;
    cl_int code;
    snprintf(text, sizeof text, "kernel void k(global int *p) { atomic_add(p, %d); }", value);
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &code);
    must(code);
    must(clBuildProgram(program, 0, NULL, "", NULL, NULL));
    cl_kernel kernel = clCreateKernel(program, "k", &code);
    must(code);
    must(clReleaseProgram(program));
    return kernel;
}

static void *release_all(void *arg) {
    int number = (int)(intptr_t)arg;
    for (int i = 0; i < ROUNDS; i++) {
        cl_int code, zero = 0, back = -1;
        size_t items = 64;
        cl_context context = clCreateContext(NULL, 1, &cl.device, NULL, NULL, &code);
        must(code);
        cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, i % 2 ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0,
                                      0};
        cl_command_queue queue = clCreateCommandQueueWithProperties(context, cl.device, list, &code);
        must(code);
        cl_event gate = clCreateUserEvent(context, &code), ran, read;
        must(code);
        cl_mem mem = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof zero, &zero, &code);
        must(code);
        must(clSetMemObjectDestructorCallback(mem, count_destroyed, NULL));
        cl_kernel kernel = kernel_for(context, number + 1);
        must(clSetKernelArg(kernel, 0, sizeof mem, &mem));
        must(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 1, &gate, &ran));
        must(clEnqueueReadBuffer(queue, mem, CL_FALSE, 0, sizeof back, &back, 1, &ran, &read));
        must(clSetEventCallback(ran, CL_COMPLETE, count_end, NULL));
        must(clSetEventCallback(read, CL_COMPLETE, count_end, NULL));
        must(clFlush(queue));
        open_gate(number);
        atomic_store(&gates[number], gate);
        must(clReleaseEvent(ran));
        must(clReleaseKernel(kernel));
        must(clReleaseMemObject(mem));
        must(clReleaseCommandQueue(queue));
        must(clReleaseContext(context));
        open_gate((number + 1) % THREADS);
        open_gate(number);
        must(clWaitForEvents(1, &read));
        mistakes += back != 64 * (number + 1);
        must(clReleaseEvent(read));
    }
    return NULL;
}

TEST(all_that_commands_use_may_be_released_before_they_run) {
    run_threads(release_all);
    wait_for(&ended, 2 * THREADS * ROUNDS);
    wait_for(&destroyed, THREADS * ROUNDS);
    assert_int_equal(mistakes, 0);
}

/* ---- callbacks that call the API ---- */

struct chain { /* commands each of which is enqueued by the callback of the one before */
    cl_program program;
    cl_mem mem;
    cl_event done; /* by the user */
    int left;
};

static void CL_CALLBACK next_in_chain(cl_event event, cl_int status, void *user);

static void enqueue_next(struct chain *c) {
    cl_int code;
    size_t items = 32;
    cl_event event;
    cl_kernel kernel = clCreateKernel(c->program, "k", &code);
    must(code);
    must(clSetKernelArg(kernel, 0, sizeof c->mem, &c->mem));
    must(clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &items, NULL, 0, NULL, &event));
    must(clSetEventCallback(event, CL_COMPLETE, next_in_chain, c));
    must(clFlush(cl.queue));
    must(clReleaseKernel(kernel));
    must(clReleaseEvent(event));
}

static void CL_CALLBACK next_in_chain(cl_event event, cl_int status, void *user) {
    struct chain *c = user;
    must(status);
    if (c->left-- > 0)
        enqueue_next(c);
    else
        must(clSetUserEventStatus(c->done, CL_COMPLETE));
}

static void CL_CALLBACK begin_chain(cl_program program, void *user) {
    struct chain *c = user;
    cl_build_status status;
    must(clGetProgramBuildInfo(program, cl.device, CL_PROGRAM_BUILD_STATUS, sizeof status, &status, NULL));
    must(status);
    enqueue_next(c);
}

static void *run_chains(void *arg) {
    int number = (int)(intptr_t)arg;
    for (int i = 0; i < ROUNDS; i++) {
        char text[128];
        const char *source = text;
        cl_int code, zero = 0, back = -1;
        snprintf(text, sizeof text, "kernel void k(global int *p) { atomic_add(p, %d); }",
                 number * 10 + i % 3);
        struct chain c = {.left = DEPTH};
        c.program = clCreateProgramWithSource(cl.context, 1, &source, NULL, &code);
        must(code);
        c.mem = clCreateBuffer(cl.context, CL_MEM_COPY_HOST_PTR, sizeof zero, &zero, &code);
        must(code);
        c.done = clCreateUserEvent(cl.context, &code);
        must(code);
        must(clBuildProgram(c.program, 0, NULL, "", begin_chain, &c));
        must(clEnqueueReadBuffer(cl.queue, c.mem, CL_TRUE, 0, sizeof back, &back, 0, NULL, NULL));
        must(clWaitForEvents(1, &c.done));
        must(clEnqueueReadBuffer(cl.queue, c.mem, CL_TRUE, 0, sizeof back, &back, 0, NULL, NULL));
        mistakes += back != (DEPTH + 1) * 32 * (number * 10 + i % 3);
        must(clReleaseEvent(c.done));
        must(clReleaseMemObject(c.mem));
        must(clReleaseProgram(c.program));
    }
    return NULL;
}

TEST(callbacks_of_builds_and_commands_enqueue_more_from_many_threads) {
    run_threads(run_chains);
}
