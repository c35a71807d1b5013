/* Command buffers: recording, the order of commands, enqueues, what they keep, errors. */
#include <pthread.h>
#include "command_buffer.h"

static const char *const add_source = "kernel void add(global int *p, int n) { p[get_global_id(0)] += n; }";

static void set_add(cl_kernel kernel, cl_mem mem, cl_int n) {
    OK(clSetKernelArg(kernel, 0, sizeof mem, &mem));
    OK(clSetKernelArg(kernel, 1, sizeof n, &n));
}

TEST(a_buffer_in_order_runs_its_commands_one_after_the_other_each_time) {
    cl_command_buffer_khr buffer = recorder(1, &cl.queue, 0);
    cl_kernel add = kernel_of(add_source, "add");
    cl_mem a = zeros(64), b = zeros(64);
    cl_int seven = 7;
    OK(clCommandFillBufferKHR_(buffer, NULL, NULL, a, &seven, sizeof seven, 0, 256, 0, NULL, NULL, NULL));
    set_add(add, a, 1);
    record(buffer, NULL, add, 64, 0, NULL);
    set_add(add, b, 100); /* arguments are those of the time of recording */
    record(buffer, NULL, add, 64, 0, NULL);
    OK(clCommandCopyBufferKHR_(buffer, NULL, NULL, a, b, 4, 0, 4, 0, NULL, NULL, NULL));
    set_add(add, b, 0);
    OK(clFinalizeCommandBufferKHR_(buffer));
    for (int i = 1; i < 5; i++) {
        run_buffer(buffer);
        assert_int_equal(int_at(a, 63), 8);
        assert_int_equal(int_at(b, 63), 100 * i);
        assert_int_equal(int_at(b, 0), 8);
    }
    OK(clReleaseCommandBufferKHR_(buffer));
    OK(clReleaseMemObject(a));
    OK(clReleaseMemObject(b));
    OK(clReleaseKernel(add));
}

/* Each command takes a number when it runs, and waits for a few random ones before it; the order must obey. */
enum { MOST_COMMANDS = 60 };
struct graph {
    int n, ndeps[MOST_COMMANDS], deps[MOST_COMMANDS][4];
};

static void check_graph(const struct graph *g, cl_mem times, int rounds) {
    cl_int at[MOST_COMMANDS];
    OK(clEnqueueReadBuffer(cl.queue, times, CL_TRUE, 0, g->n * sizeof *at, at, 0, NULL, NULL));
    for (int i = 0; i < g->n; i++) {
        assert_in_range(at[i], (rounds - 1) * g->n, rounds * g->n - 1);
        for (int k = 0; k < g->ndeps[i]; k++)
            assert_true(at[g->deps[i][k]] < at[i]);
    }
}

static void random_graph(struct graph *g, cl_command_buffer_khr buffer, cl_kernel stamp, unsigned *seed) {
    cl_sync_point_khr points[MOST_COMMANDS];
    int barrier = -1;
    g->n = 1 + rand_r(seed) % MOST_COMMANDS;
    for (cl_int i = 0; i < g->n; i++) {
        cl_sync_point_khr wait[4];
        g->ndeps[i] = 0;
        for (int k = rand_r(seed) % 4; i && k > 0; k--) {
            g->deps[i][g->ndeps[i]] = rand_r(seed) % i;
            wait[g->ndeps[i]] = points[g->deps[i][g->ndeps[i]]];
            g->ndeps[i]++;
        }
        OK(clSetKernelArg(stamp, 2, sizeof i, &i));
        points[i] = record(buffer, NULL, stamp, 1, (cl_uint)g->ndeps[i], wait);
        if (barrier >= 0)
            g->deps[i][g->ndeps[i]++] =
                barrier; /* all before it, of which the newest stands for the others */
        if (rand_r(seed) % 20 == 0) {
            OK(clCommandBarrierWithWaitListKHR_(buffer, NULL, NULL, 0, NULL, NULL, NULL));
            barrier = i;
        }
    }
}

TEST(sync_points_and_barriers_order_the_commands_of_an_out_of_order_buffer) {
    cl_command_queue queue = queue_with(cl.device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    cl_kernel stamp = kernel_of("kernel void stamp(global int *clock, global int *at, int i) {"
                                " at[i] = atomic_inc(clock); }",
                                "stamp");
    cl_mem clock = zeros(1), times = zeros(MOST_COMMANDS);
    OK(clSetKernelArg(stamp, 0, sizeof clock, &clock));
    OK(clSetKernelArg(stamp, 1, sizeof times, &times));
    for (unsigned seed = 1, i = 0; i < 60; i++) {
        struct graph g;
        cl_int zero = 0;
        cl_command_buffer_khr buffer = recorder(1, &queue, 0);
        random_graph(&g, buffer, stamp, &seed);
        OK(clFinalizeCommandBufferKHR_(buffer));
        OK(clEnqueueFillBuffer(cl.queue, clock, &zero, 4, 0, 4, 0, NULL, NULL));
        OK(clFinish(cl.queue));
        for (int round = 1; round < 4; round++) {
            run_buffer(buffer);
            check_graph(&g, times, round);
        }
        OK(clReleaseCommandBufferKHR_(buffer));
    }
    OK(clReleaseMemObject(clock));
    OK(clReleaseMemObject(times));
    OK(clReleaseKernel(stamp));
    OK(clReleaseCommandQueue(queue));
}

TEST(a_barrier_with_a_wait_list_holds_back_what_follows) {
    cl_command_queue queue = queue_with(cl.device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    cl_command_buffer_khr buffer = recorder(1, &queue, 0);
    cl_kernel add = kernel_of("kernel void add(global int *p, int n) { for (int i = 0; i < 100; i++)"
                              " p[get_global_id(0)] += n; }",
                              "add");
    cl_mem mem = zeros(4096), out = zeros(1);
    set_add(add, mem, 1);
    cl_sync_point_khr first = record(buffer, NULL, add, 4096, 0, NULL);
    OK(clCommandBarrierWithWaitListKHR_(buffer, NULL, NULL, 1, &first, NULL, NULL));
    OK(clCommandCopyBufferKHR_(buffer, NULL, NULL, mem, out, 4095 * 4, 0, 4, 0, NULL, NULL, NULL));
    OK(clFinalizeCommandBufferKHR_(buffer));
    for (int i = 1; i < 20; i++) {
        run_buffer(buffer);
        assert_int_equal(int_at(out, 0), 100 * i);
    }
    OK(clReleaseCommandBufferKHR_(buffer));
    OK(clReleaseMemObject(mem));
    OK(clReleaseMemObject(out));
    OK(clReleaseKernel(add));
    OK(clReleaseCommandQueue(queue));
}

TEST(rectangles_and_shared_virtual_memory_are_recorded_too) {
    cl_command_buffer_khr buffer = recorder(1, &cl.queue, 0);
    size_t from[3] = {4, 1, 0}, to[3] = {0, 0, 0}, region[3] = {4, 2, 1};
    cl_int grid[16], small[4] = {0}, host[4] = {0}, copy[4] = {0}, five = 5;
    for (int i = 0; i < 16; i++)
        grid[i] = i;
    cl_mem a = buffer_of(CL_MEM_COPY_HOST_PTR, sizeof grid, grid), b = buffer_of(0, sizeof small, NULL);
    OK(clCommandCopyBufferRectKHR_(buffer, NULL, NULL, a, b, from, to, region, 16, 0, 4, 0, 0, NULL, NULL,
                                   NULL));
    OK(clCommandSVMMemFillKHR_(buffer, NULL, NULL, host, &five, sizeof five, sizeof host, 0, NULL, NULL,
                               NULL));
    OK(clCommandSVMMemcpyKHR_(buffer, NULL, NULL, copy, host, sizeof host, 0, NULL, NULL, NULL));
    OK(clFinalizeCommandBufferKHR_(buffer));
    for (int round = 0; round < 2; round++) {
        memset(host, 0, sizeof host);
        memset(copy, 0, sizeof copy);
        run_buffer(buffer);
        assert_int_equal(int_at(b, 0), 5);
        assert_int_equal(int_at(b, 1), 9);
        assert_int_equal(copy[3], 5);
    }
    OK(clReleaseCommandBufferKHR_(buffer));
    OK(clReleaseMemObject(a));
    OK(clReleaseMemObject(b));
}

TEST(a_buffer_keeps_what_it_records) {
    cl_command_queue queue = queue_with(cl.device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    cl_command_buffer_khr buffer = recorder(1, &queue, 0);
    cl_kernel add = kernel_of(add_source, "add");
    cl_mem mem = zeros(64), copy = zeros(64), other = zeros(1);
    cl_event event = NULL, next;
    set_add(add, mem, 3);
    cl_sync_point_khr point = record(buffer, NULL, add, 64, 0, NULL);
    OK(clCommandCopyBufferKHR_(buffer, NULL, NULL, mem, copy, 0, 0, 256, 1, &point, NULL, NULL));
    OK(clFinalizeCommandBufferKHR_(buffer));
    OK(clReleaseKernel(add));
    OK(clReleaseCommandQueue(queue));
    for (int i = 0; i < 50; i++) { /* in order, as all change the same memory */
        OK(clEnqueueCommandBufferKHR_(0, NULL, buffer, event != NULL, event ? &event : NULL, &next));
        if (event)
            OK(clReleaseEvent(event));
        event = next;
    }
    OK(clReleaseCommandBufferKHR_(buffer)); /* while it runs */
    OK(clWaitForEvents(1, &event));
    OK(clReleaseEvent(event));
    assert_int_equal(int_at(other, 0), 0);
    assert_int_equal(int_at(copy, 63), 150);
    OK(clReleaseMemObject(mem));
    OK(clReleaseMemObject(copy));
    OK(clReleaseMemObject(other));
}

TEST(a_buffer_runs_several_times_at_once) {
    enum { ROUNDS = 200 };
    cl_command_queue queue = queue_with(cl.device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    cl_command_buffer_khr buffer = recorder(1, &queue, CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR);
    cl_kernel count = kernel_of("kernel void count(global int *p) { atomic_inc(p); }", "count");
    cl_mem mem = zeros(1);
    OK(clSetKernelArg(count, 0, sizeof mem, &mem));
    cl_sync_point_khr first = record(buffer, NULL, count, 16, 0, NULL);
    record(buffer, NULL, count, 16, 1, &first);
    record(buffer, NULL, count, 16, 1, &first);
    OK(clFinalizeCommandBufferKHR_(buffer));
    for (int i = 0; i < ROUNDS; i++)
        OK(clEnqueueCommandBufferKHR_(0, NULL, buffer, 0, NULL, NULL));
    OK(clFinish(queue));
    assert_int_equal(int_at(mem, 0), ROUNDS * 48);
    OK(clReleaseCommandBufferKHR_(buffer));
    OK(clReleaseMemObject(mem));
    OK(clReleaseKernel(count));
    OK(clReleaseCommandQueue(queue));
}

static void *enqueue_often(void *buffer) {
    for (int i = 0; i < 100; i++)
        if (clEnqueueCommandBufferKHR_(0, NULL, buffer, 0, NULL, NULL))
            return buffer;
    return NULL;
}

TEST(threads_enqueue_one_buffer) {
    cl_command_buffer_khr buffer = recorder(1, &cl.queue, CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR);
    cl_kernel add = kernel_of(add_source, "add");
    cl_mem mem = zeros(64);
    pthread_t threads[4];
    void *failed;
    set_add(add, mem, 1);
    record(buffer, NULL, add, 64, 0, NULL);
    record(buffer, NULL, add, 64, 0, NULL);
    OK(clFinalizeCommandBufferKHR_(buffer));
    for (size_t i = 0; i < COUNT(threads); i++)
        assert_int_equal(pthread_create(&threads[i], NULL, enqueue_often, buffer), 0);
    for (size_t i = 0; i < COUNT(threads); i++) {
        pthread_join(threads[i], &failed);
        assert_null(failed);
    }
    OK(clFinish(cl.queue));
    assert_int_equal(int_at(mem, 63), 800);
    OK(clReleaseCommandBufferKHR_(buffer));
    OK(clReleaseMemObject(mem));
    OK(clReleaseKernel(add));
}

TEST(an_enqueue_waits_for_its_list_and_is_one_command) {
    cl_command_queue queue =
        queue_with(cl.device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE);
    cl_command_buffer_khr buffer = recorder(1, &queue, 0);
    cl_kernel add = kernel_of(add_source, "add");
    cl_mem mem = zeros(64), other = zeros(64);
    cl_event gate = MADE(clCreateUserEvent(cl.context, &error)), event;
    cl_command_type type;
    cl_ulong times[2];
    cl_command_queue its_queue;
    set_add(add, mem, 1);
    record(buffer, NULL, add, 64, 0, NULL);
    set_add(add, other, 1);
    record(buffer, NULL, add, 64, 0, NULL);
    OK(clFinalizeCommandBufferKHR_(buffer));
    OK(clEnqueueCommandBufferKHR_(0, NULL, buffer, 1, &gate, &event));
    OK(clFlush(queue));
    usleep(20000);
    assert_true(event_status(event) > CL_RUNNING);
    OK(clSetUserEventStatus(gate, CL_COMPLETE));
    OK(clFinish(queue));
    assert_int_equal(int_at(mem, 0) + int_at(other, 0), 2);
    assert_int_equal(event_status(event), CL_COMPLETE);
    OK(clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL));
    assert_int_equal(type, CL_COMMAND_COMMAND_BUFFER_KHR);
    OK(clGetEventInfo(event, CL_EVENT_COMMAND_QUEUE, sizeof its_queue, &its_queue, NULL));
    assert_ptr_equal(its_queue, queue);
    OK(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof times[0], &times[0], NULL));
    OK(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof times[1], &times[1], NULL));
    assert_true(times[0] < times[1]);
    OK(clReleaseEvent(event));
    OK(clReleaseEvent(gate));
    OK(clReleaseCommandBufferKHR_(buffer));
    OK(clReleaseMemObject(mem));
    OK(clReleaseMemObject(other));
    OK(clReleaseKernel(add));
    OK(clReleaseCommandQueue(queue));
}

TEST(an_enqueue_behind_a_failed_event_does_not_run) {
    cl_command_buffer_khr buffer = recorder(1, &cl.queue, 0);
    cl_kernel add = kernel_of(add_source, "add");
    cl_mem mem = zeros(64);
    cl_event gate = MADE(clCreateUserEvent(cl.context, &error)), event;
    set_add(add, mem, 1);
    record(buffer, NULL, add, 64, 0, NULL);
    OK(clFinalizeCommandBufferKHR_(buffer));
    OK(clEnqueueCommandBufferKHR_(0, NULL, buffer, 1, &gate, &event));
    OK(clSetUserEventStatus(gate, -5));
    GIVES(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, &event));
    assert_int_equal(int_at(mem, 0), 0);
    OK(clReleaseEvent(event));
    OK(clReleaseEvent(gate));
    OK(clReleaseCommandBufferKHR_(buffer));
    OK(clReleaseMemObject(mem));
    OK(clReleaseKernel(add));
}

TEST(a_buffer_runs_on_another_queue_of_the_device) {
    cl_command_queue queue = queue_with(cl.device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE), its_queue;
    cl_command_buffer_khr buffer = recorder(1, &cl.queue, 0);
    cl_kernel add = kernel_of(add_source, "add");
    cl_mem mem = zeros(64);
    cl_event event;
    set_add(add, mem, 1);
    record(buffer, NULL, add, 64, 0, NULL);
    OK(clFinalizeCommandBufferKHR_(buffer));
    OK(clEnqueueCommandBufferKHR_(1, &queue, buffer, 0, NULL, &event));
    OK(clGetEventInfo(event, CL_EVENT_COMMAND_QUEUE, sizeof its_queue, &its_queue, NULL));
    assert_ptr_equal(its_queue, queue);
    OK(clWaitForEvents(1, &event));
    assert_int_equal(int_at(mem, 0), 1);
    OK(clReleaseEvent(event));
    OK(clReleaseCommandBufferKHR_(buffer));
    OK(clReleaseMemObject(mem));
    OK(clReleaseKernel(add));
    OK(clReleaseCommandQueue(queue));
}

TEST(a_buffer_of_no_commands_takes_its_place_in_the_order) {
    cl_command_buffer_khr buffer = recorder(1, &cl.queue, 0);
    OK(clFinalizeCommandBufferKHR_(buffer));
    run_buffer(buffer);
    OK(clReleaseCommandBufferKHR_(buffer));
}

TEST(a_buffer_tells_of_itself) {
    cl_command_buffer_khr buffer = recorder(1, &cl.queue, CL_COMMAND_BUFFER_MUTABLE_KHR);
    cl_command_buffer_properties_khr list[3];
    cl_command_queue queue;
    cl_context context;
    cl_uint n;
    size_t size;
    OK(clGetCommandBufferInfoKHR_(buffer, CL_COMMAND_BUFFER_NUM_QUEUES_KHR, sizeof n, &n, NULL));
    assert_int_equal(n, 1);
    OK(clGetCommandBufferInfoKHR_(buffer, CL_COMMAND_BUFFER_QUEUES_KHR, sizeof queue, &queue, NULL));
    assert_ptr_equal(queue, cl.queue);
    OK(clGetCommandBufferInfoKHR_(buffer, CL_COMMAND_BUFFER_CONTEXT_KHR, sizeof context, &context, NULL));
    assert_ptr_equal(context, cl.context);
    OK(clGetCommandBufferInfoKHR_(buffer, CL_COMMAND_BUFFER_PROPERTIES_ARRAY_KHR, sizeof list, list, &size));
    assert_int_equal(size, sizeof list);
    assert_int_equal(list[1], CL_COMMAND_BUFFER_MUTABLE_KHR);
    OK(clRetainCommandBufferKHR_(buffer));
    OK(clGetCommandBufferInfoKHR_(buffer, CL_COMMAND_BUFFER_REFERENCE_COUNT_KHR, sizeof n, &n, NULL));
    assert_int_equal(n, 2);
    OK(clReleaseCommandBufferKHR_(buffer));
    assert_int_equal(state_of(buffer), CL_COMMAND_BUFFER_STATE_RECORDING_KHR);
    OK(clFinalizeCommandBufferKHR_(buffer));
    assert_int_equal(state_of(buffer), CL_COMMAND_BUFFER_STATE_EXECUTABLE_KHR);
    GIVES(CL_INVALID_VALUE, clGetCommandBufferInfoKHR_(buffer, CL_QUEUE_CONTEXT, sizeof n, &n, NULL));
    GIVES(CL_INVALID_VALUE, clGetCommandBufferInfoKHR_(buffer, CL_COMMAND_BUFFER_QUEUES_KHR, 1, &n, NULL));
    OK(clReleaseCommandBufferKHR_(buffer));
}

TEST(creation_checks_its_arguments) {
    OK(clReleaseCommandBufferKHR_(recorder(1, &cl.queue, 0)));
    cl_command_queue wrong = (cl_command_queue)cl.context;
    cl_command_buffer_properties_khr unknown[] = {0x4242, 1, 0},
                                     bits[] = {CL_COMMAND_BUFFER_FLAGS_KHR, (cl_properties)1 << 40, 0},
                                     twice[] = {CL_COMMAND_BUFFER_FLAGS_KHR, 1, CL_COMMAND_BUFFER_FLAGS_KHR,
                                                1, 0};
    cl_context other = MADE(clCreateContext(NULL, 1, &cl.device, NULL, NULL, &error));
    cl_command_queue queues[2] = {cl.queue, MADE(clCreateCommandQueue(other, cl.device, 0, &error))};
    REFUSES(CL_INVALID_VALUE, clCreateCommandBufferKHR_(0, &cl.queue, NULL, &error));
    REFUSES(CL_INVALID_VALUE, clCreateCommandBufferKHR_(1, NULL, NULL, &error));
    REFUSES(CL_INVALID_COMMAND_QUEUE, clCreateCommandBufferKHR_(1, &wrong, NULL, &error));
    REFUSES(CL_INVALID_VALUE, clCreateCommandBufferKHR_(1, &cl.queue, unknown, &error));
    REFUSES(CL_INVALID_VALUE, clCreateCommandBufferKHR_(1, &cl.queue, bits, &error));
    REFUSES(CL_INVALID_VALUE, clCreateCommandBufferKHR_(1, &cl.queue, twice, &error));
    REFUSES(CL_INVALID_CONTEXT, clCreateCommandBufferKHR_(2, queues, NULL, &error));
    OK(clReleaseCommandQueue(queues[1]));
    OK(clReleaseContext(other));
}

TEST(recording_checks_its_arguments) {
    cl_command_buffer_khr buffer = recorder(1, &cl.queue, 0), wrong = (cl_command_buffer_khr)cl.queue;
    cl_command_queue other = queue_with(cl.device, 0);
    cl_mem mem = zeros(16);
    cl_int zero = 0;
    cl_sync_point_khr point, unknown[] = {1}, none[] = {0};
    cl_mutable_command_khr handle;
    cl_command_properties_khr odd[] = {0x4242, 1, 0}, empty[] = {0};
#define FILL(b, q, p, n, list, h) clCommandFillBufferKHR_(b, q, p, mem, &zero, 4, 0, 64, n, list, &point, h)
    GIVES(CL_INVALID_COMMAND_BUFFER_KHR, FILL(NULL, NULL, NULL, 0, NULL, NULL));
    GIVES(CL_INVALID_COMMAND_BUFFER_KHR, FILL(wrong, NULL, NULL, 0, NULL, NULL));
    GIVES(CL_INVALID_COMMAND_QUEUE, FILL(buffer, other, NULL, 0, NULL, NULL));
    GIVES(CL_INVALID_VALUE, FILL(buffer, NULL, odd, 0, NULL, NULL));
    GIVES(CL_INVALID_VALUE, FILL(buffer, NULL, NULL, 0, NULL, &handle));
    GIVES(CL_INVALID_SYNC_POINT_WAIT_LIST_KHR, FILL(buffer, NULL, NULL, 1, NULL, NULL));
    GIVES(CL_INVALID_SYNC_POINT_WAIT_LIST_KHR, FILL(buffer, NULL, NULL, 0, unknown, NULL));
    GIVES(CL_INVALID_SYNC_POINT_WAIT_LIST_KHR, FILL(buffer, NULL, NULL, 1, unknown, NULL));
    GIVES(CL_INVALID_SYNC_POINT_WAIT_LIST_KHR, FILL(buffer, NULL, NULL, 1, none, NULL));
    OK(FILL(buffer, cl.queue, empty, 0, NULL, NULL));
    OK(FILL(buffer, NULL, NULL, 1, &point, NULL));
    /* What the command itself checks. */
    GIVES(CL_INVALID_VALUE,
          clCommandFillBufferKHR_(buffer, NULL, NULL, mem, &zero, 3, 0, 64, 0, NULL, NULL, NULL));
    GIVES(CL_MEM_COPY_OVERLAP,
          clCommandCopyBufferKHR_(buffer, NULL, NULL, mem, mem, 0, 4, 8, 0, NULL, NULL, NULL));
    OK(clFinalizeCommandBufferKHR_(buffer));
    GIVES(CL_INVALID_OPERATION, clFinalizeCommandBufferKHR_(buffer));
    GIVES(CL_INVALID_OPERATION, FILL(buffer, NULL, NULL, 0, NULL, NULL));
    GIVES(CL_INVALID_COMMAND_BUFFER_KHR, clFinalizeCommandBufferKHR_(wrong));
    GIVES(CL_INVALID_COMMAND_BUFFER_KHR, clRetainCommandBufferKHR_(wrong));
    GIVES(CL_INVALID_COMMAND_BUFFER_KHR, clReleaseCommandBufferKHR_(wrong));
    OK(clReleaseCommandBufferKHR_(buffer));
    OK(clReleaseMemObject(mem));
    OK(clReleaseCommandQueue(other));
}

TEST(recording_a_launch_checks_as_an_enqueue_does) {
    cl_command_buffer_khr buffer = recorder(1, &cl.queue, 0);
    cl_kernel add = kernel_of(add_source, "add");
    cl_mem mem = zeros(64);
    size_t n = 64, odd = 7, large = 1 << 20;
    cl_command_properties_khr fields[] = {CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR, 1 << 10, 0};
#define LAUNCH(k, dim, local, props)                                                                         \
    clCommandNDRangeKernelKHR_(buffer, NULL, props, k, dim, NULL, &n, local, 0, NULL, NULL, NULL)
    GIVES(CL_INVALID_KERNEL_ARGS, LAUNCH(add, 1, NULL, NULL));
    set_add(add, mem, 1);
    GIVES(CL_INVALID_KERNEL, LAUNCH(NULL, 1, NULL, NULL));
    GIVES(CL_INVALID_WORK_DIMENSION, LAUNCH(add, 0, NULL, NULL));
    GIVES(CL_INVALID_WORK_GROUP_SIZE, LAUNCH(add, 1, &odd, NULL));
    GIVES(CL_INVALID_WORK_ITEM_SIZE, LAUNCH(add, 1, &large, NULL));
    GIVES(CL_INVALID_VALUE, LAUNCH(add, 1, NULL, fields));
    OK(LAUNCH(add, 1, NULL, NULL));
    OK(clReleaseCommandBufferKHR_(buffer)); /* recorded, never run */
    OK(clReleaseMemObject(mem));
    OK(clReleaseKernel(add));
}

TEST(enqueueing_checks_its_arguments) {
    cl_command_buffer_khr buffer = recorder(1, &cl.queue, 0);
    cl_command_queue two[2] = {cl.queue, cl.queue}, wrong = (cl_command_queue)cl.context;
    cl_event bad = (cl_event)cl.queue;
    GIVES(CL_INVALID_COMMAND_BUFFER_KHR, clEnqueueCommandBufferKHR_(0, NULL, NULL, 0, NULL, NULL));
    GIVES(CL_INVALID_OPERATION, clEnqueueCommandBufferKHR_(0, NULL, buffer, 0, NULL, NULL));
    OK(clFinalizeCommandBufferKHR_(buffer));
    GIVES(CL_INVALID_VALUE, clEnqueueCommandBufferKHR_(1, NULL, buffer, 0, NULL, NULL));
    GIVES(CL_INVALID_VALUE, clEnqueueCommandBufferKHR_(0, two, buffer, 0, NULL, NULL));
    GIVES(CL_INVALID_VALUE, clEnqueueCommandBufferKHR_(2, two, buffer, 0, NULL, NULL));
    GIVES(CL_INVALID_COMMAND_QUEUE, clEnqueueCommandBufferKHR_(1, &wrong, buffer, 0, NULL, NULL));
    GIVES(CL_INVALID_EVENT_WAIT_LIST, clEnqueueCommandBufferKHR_(0, NULL, buffer, 1, NULL, NULL));
    GIVES(CL_INVALID_EVENT_WAIT_LIST, clEnqueueCommandBufferKHR_(0, NULL, buffer, 1, &bad, NULL));
    OK(clReleaseCommandBufferKHR_(buffer));
}

/* Of two launches recorded in order the first enqueues children, of which one waits for it: the second one sees what all of
 * them wrote, each time. */
TEST(a_command_waits_for_the_children_of_the_one_before_it) {
    cl_queue_properties on_device[] = {CL_QUEUE_PROPERTIES,
                                       CL_QUEUE_ON_DEVICE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
    cl_program program =
        build("kernel void parent(global int *p, queue_t q) {"
              "    int g = get_global_id(0);"
              "    enqueue_kernel(q, CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1), ^{ p[g]++; });"
              "}"
              "kernel void next(global int *p, int n) {"
              "    int g = get_global_id(0); p[n + g] = p[g];"
              "}",
              "-cl-std=CL3.0");
    cl_command_queue queue =
        MADE(clCreateCommandQueueWithProperties(cl.context, cl.device, on_device, &error));
    cl_kernel parent = MADE(clCreateKernel(program, "parent", &error));
    cl_kernel next = MADE(clCreateKernel(program, "next", &error));
    cl_command_buffer_khr buffer = recorder(1, &cl.queue, 0);
    cl_mem mem = zeros(128);
    cl_int n = 64;
    OK(clSetKernelArg(parent, 0, sizeof mem, &mem));
    OK(clSetKernelArg(parent, 1, sizeof queue, &queue));
    OK(clSetKernelArg(next, 0, sizeof mem, &mem));
    OK(clSetKernelArg(next, 1, sizeof n, &n));
    record(buffer, NULL, parent, 64, 0, NULL);
    record(buffer, NULL, next, 64, 0, NULL);
    record(buffer, NULL, parent, 64, 0, NULL);
    OK(clFinalizeCommandBufferKHR_(buffer));
    for (int i = 0; i < 4; i++) {
        run_buffer(buffer);
        for (size_t g = 0; g < 64; g += 9) {
            assert_int_equal(int_at(mem, 64 + g), 2 * i + 1);
            assert_int_equal(int_at(mem, g), 2 * i + 2);
        }
    }
    OK(clReleaseCommandBufferKHR_(buffer));
    OK(clReleaseKernel(parent));
    OK(clReleaseKernel(next));
    OK(clReleaseProgram(program));
    OK(clReleaseMemObject(mem));
    OK(clReleaseCommandQueue(queue));
}
