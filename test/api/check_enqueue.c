/* The checker on commands of command buffers, of semaphores and of kernels that enqueue kernels; on processes that fork. */
#include "check.h"
#include "command_buffer.h"

#include <pthread.h>

#define N 256
#define SOURCE                                                                                               \
    "kernel void put(global int *p) { p[get_global_id(0)] = 1 + get_global_id(0); }\n"                       \
    "kernel void put2(global int *p) { p[get_global_id(0)] = 2; }\n"

static cl_mem ints(void) {
    return buffer_of(CL_MEM_READ_WRITE, N * sizeof(cl_int), NULL);
}

static cl_sync_point_khr add(cl_command_buffer_khr buffer, cl_kernel kernel, cl_uint nsync,
                             const cl_sync_point_khr *sync) {
    static const size_t n = N;
    cl_sync_point_khr point;
    OK(clCommandNDRangeKernelKHR_(buffer, NULL, NULL, kernel, 1, NULL, &n, NULL, nsync, sync, &point, NULL));
    return point;
}

/* ---- command buffers ---- */

TEST(parts_of_a_command_buffer_without_a_sync_point_race) {
    if (!checked(__func__,
                 "inter-command-race|kernel put in clEnqueueCommandBufferKHR, the 1st command of queue 2|"
                 "kernel put2 in clEnqueueCommandBufferKHR"))
        return;
    cl_command_queue queue = queue_of(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    cl_mem mem = ints();
    cl_command_buffer_khr buffer = recorder(1, &queue, 0);
    add(buffer, kernel_on(SOURCE, "put", mem), 0, NULL);
    add(buffer, kernel_on(SOURCE, "put2", mem), 0, NULL);
    OK(clFinalizeCommandBufferKHR_(buffer));
    OK(clEnqueueCommandBufferKHR_(0, NULL, buffer, 0, NULL, NULL));
    OK(clFinish(queue));
}

TEST(sync_points_and_the_end_of_a_command_buffer_are_an_order) {
    if (!checked(__func__, NULL))
        return;
    cl_command_queue queue = queue_of(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE), other = queue_of(0);
    cl_mem mem = ints(), apart = ints();
    cl_event done;
    cl_command_buffer_khr buffer = recorder(1, &queue, CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR);
    cl_sync_point_khr point = add(buffer, kernel_on(SOURCE, "put", mem), 0, NULL);
    add(buffer, kernel_on(SOURCE, "put2", mem), 1, &point);
    add(buffer, kernel_on(SOURCE, "put2", apart), 0, NULL);
    OK(clFinalizeCommandBufferKHR_(buffer));
    OK(clEnqueueCommandBufferKHR_(0, NULL, buffer, 0, NULL, &done));
    launch(other, kernel_on(SOURCE, "put", mem), N, 1, &done, &done);
    OK(clEnqueueCommandBufferKHR_(0, NULL, buffer, 1, &done, NULL));
    OK(clFinish(queue));
}

TEST(a_command_buffer_races_with_another_queue) {
    if (!checked(__func__, "inter-command-race|in clEnqueueCommandBufferKHR, the 1st command of queue 1|"
                           "kernel put2, the 1st command of queue 2"))
        return;
    cl_command_queue other = queue_of(0);
    cl_mem mem = ints();
    cl_command_buffer_khr buffer = recorder(1, &cl.queue, 0);
    add(buffer, kernel_on(SOURCE, "put", mem), 0, NULL);
    OK(clFinalizeCommandBufferKHR_(buffer));
    OK(clEnqueueCommandBufferKHR_(0, NULL, buffer, 0, NULL, NULL));
    launch(other, kernel_on(SOURCE, "put2", mem), N, 0, NULL, NULL);
    OK(clFinish(cl.queue));
    OK(clFinish(other));
}

/* ---- semaphores ---- */

TEST(a_semaphore_is_an_order_also_if_its_wait_comes_first) {
    if (!checked(__func__, NULL))
        return;
    cl_command_queue other = queue_of(0);
    cl_mem mem = ints();
    cl_semaphore_properties_khr list[] = {CL_SEMAPHORE_TYPE_KHR, CL_SEMAPHORE_TYPE_BINARY_KHR, 0};
    __typeof__(clCreateSemaphoreWithPropertiesKHR) *create =
        (void *)clGetExtensionFunctionAddressForPlatform(cl.platform, "clCreateSemaphoreWithPropertiesKHR");
    __typeof__(clEnqueueSignalSemaphoresKHR) *give =
        (void *)clGetExtensionFunctionAddressForPlatform(cl.platform, "clEnqueueSignalSemaphoresKHR");
    __typeof__(clEnqueueWaitSemaphoresKHR) *take =
        (void *)clGetExtensionFunctionAddressForPlatform(cl.platform, "clEnqueueWaitSemaphoresKHR");
    cl_semaphore_khr s = MADE(create(cl.context, list, &error));
    OK(take(other, 1, &s, NULL, 0, NULL, NULL));
    launch(other, kernel_on(SOURCE, "put2", mem), N, 0, NULL, NULL);
    launch(cl.queue, kernel_on(SOURCE, "put", mem), N, 0, NULL, NULL);
    OK(give(cl.queue, 1, &s, NULL, 0, NULL, NULL));
    OK(clFinish(other));
}

/* ---- kernels that enqueue kernels ---- */

#define PARENT(body) "kernel void k(global int *out, queue_t q) {" body "}"
#define BLOCK(flags, value)                                                                                  \
    "enqueue_kernel(q, CLK_ENQUEUE_FLAGS_" flags ", ndrange_1D(64, 64), ^{ out[get_global_id(0)] = " value   \
    "; });"

static void run_parent(const char *source) {
    cl_queue_properties properties[] = {CL_QUEUE_PROPERTIES,
                                        CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_ON_DEVICE, 0};
    cl_command_queue device =
        MADE(clCreateCommandQueueWithProperties(cl.context, cl.device, properties, &error));
    cl_kernel kernel = MADE(clCreateKernel(build(source, "-cl-std=CL3.0"), "k", &error));
    cl_mem mem = ints();
    OK(clSetKernelArg(kernel, 0, sizeof mem, &mem));
    OK(clSetKernelArg(kernel, 1, sizeof device, &device));
    launch(cl.queue, kernel, 1, 0, NULL, NULL);
    launch(cl.queue, kernel_on(SOURCE, "put2", mem), N, 0, NULL, NULL);
    OK(clFinish(cl.queue));
}

TEST(blocks_that_nothing_orders_race) {
    if (!checked(__func__, "inter-command-race|which kernel k enqueues, the 1st command of queue 1"))
        return;
    run_parent(PARENT(BLOCK("NO_WAIT", "7") BLOCK("NO_WAIT", "8")));
}

TEST(blocks_come_after_their_kernel_and_before_what_comes_after_it) {
    if (!checked(__func__, NULL))
        return;
    run_parent(PARENT("out[0] = 1;" BLOCK("WAIT_KERNEL", "7")));
}

TEST(events_of_kernels_are_an_order) {
    if (!checked(__func__, NULL))
        return;
    run_parent(
        PARENT("clk_event_t first, user = create_user_event();"
               "enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(64, 64), 1, &user, &first,"
               "               ^{ out[get_global_id(0)] = 3; });"
               "enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(64, 64), 1, &first, NULL,"
               "               ^{ out[get_global_id(0)] = 4; });"
               "set_user_event_status(user, CL_COMPLETE); release_event(user); release_event(first);"));
}

TEST(local_memory_of_a_block_is_named_by_its_number) {
    if (!checked(__func__, "uninitialized-read|\"variable\":\"#2\",\"element\":\"#2[0]\""))
        return;
    run_parent(PARENT("enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(64, 64),"
                      "^(local void *t) { out[get_global_id(0)] = *(local int *)t; }, 256u);"));
}

/* ---- processes and threads ---- */

TEST(a_forked_process_reports_what_it_finds_itself) {
    if (!checked(__func__, "inter-command-race|\"count\""))
        return;
    cl_command_queue other = queue_of(0);
    cl_mem mem = ints();
    launch(cl.queue, kernel_on(SOURCE, "put", mem), N, 0, NULL, NULL);
    launch(other, kernel_on(SOURCE, "put2", mem), N, 0, NULL, NULL);
    OK(clFinish(cl.queue));
    OK(clFinish(other));
    fflush(NULL);
    pid_t pid = fork();
    int status = -1;
    if (!pid)
        exit(0);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
}

struct user {
    pthread_t thread;
    cl_command_queue queue, other;
    cl_kernel put, put2;
};

static void *use_alone(void *arg) {
    const size_t n = N;
    const struct user *u = arg;
    cl_int bad = 0;
    for (int i = 0; i < 50; i++) {
        cl_event event;
        bad |= clEnqueueNDRangeKernel(u->queue, u->put, 1, NULL, &n, NULL, 0, NULL, &event);
        bad |= clEnqueueNDRangeKernel(u->other, u->put2, 1, NULL, &n, NULL, 1, &event, NULL);
        bad |= clReleaseEvent(event) | clFinish(u->other);
    }
    return bad ? arg : NULL;
}

TEST(threads_with_queues_of_their_own_are_fine) {
    struct user users[6];
    if (!checked(__func__, NULL))
        return;
    for (size_t i = 0; i < COUNT(users); i++) {
        cl_mem mem = ints();
        users[i] = (struct user){0, queue_of(0), queue_of(0), kernel_on(SOURCE, "put", mem),
                                 kernel_on(SOURCE, "put2", mem)};
    }
    for (size_t i = 0; i < COUNT(users); i++)
        assert_int_equal(pthread_create(&users[i].thread, NULL, use_alone, &users[i]), 0);
    for (size_t i = 0; i < COUNT(users); i++) {
        void *bad;
        pthread_join(users[i].thread, &bad);
        assert_null(bad);
    }
}
