/* Threads that hammer shared and own queues with random graphs of commands: kernels, transfers, mappings, native
 * kernels, markers, barriers, user events (some of which fail), callbacks, sub-devices, and releases of all of it in
 * flight. What ran is counted on both sides; chains of kernels check their order. No two commands that touch the same
 * memory may run at once, so that ThreadSanitizer and the like see only the runtime's own mistakes.
 * STRESS_SECONDS (20; 5 in quick runs), STRESS_SEED (printed) and STRESS_LAUNCHES (a million) change the defaults. */
#define _GNU_SOURCE
#include <pthread.h>
#include <time.h>
#include "api.h"

enum {
    THREADS = 8,
    SHARED_EVENTS = 64,
    SHARED_QUEUES = 6,
    KEPT = 12,
    WORDS = 4096,
    MOST_ITEMS = 512,
    BLOCKS = 6,
    PENDING = 5
};

static const char source[] = "kernel void count(global uint *ran, global uint *data) {\n"
                             "    atomic_inc(ran);\n"
                             "    data[get_global_id(0)] += 1;\n"
                             "}\n"
                             "kernel void meet(global uint *ran, global uint *data, local uint *l) {\n"
                             "    l[get_local_id(0)] = 1;\n"
                             "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                             "    atomic_add(ran, l[get_local_size(0) - 1 - get_local_id(0)]);\n"
                             "}\n"
                             "kernel void step(global uint *chain, uint place) {\n"
                             "    if (chain[0] != place)\n"
                             "        atomic_inc(&chain[1]);\n"
                             "    chain[0] = place + 1;\n"
                             "}\n";

static unsigned seconds_of(const char *variable, unsigned standard) {
    const char *value = getenv(variable);
    return value ? (unsigned)strtoul(value, NULL, 0) : standard;
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* ---- what the threads share ---- */

static cl_program program;
static cl_command_queue shared_queues[SHARED_QUEUES];
static cl_device_id parts[2];
static cl_uint nparts;
static cl_mem ran_mem;
static cl_event shared_events[SHARED_EVENTS];
static pthread_mutex_t shared_lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic unsigned expected, called, asked, natives_ran, natives_expected, mistakes;
static double end_time;

#define MUST(call)                                                                                           \
    do {                                                                                                     \
        cl_int code_ = (call);                                                                               \
        if (code_ && mistakes++ < 10)                                                                        \
            fprintf(stderr, "%s gave %d, line %d\n", #call, code_, __LINE__);                                \
    } while (0)

/* Memory for one command at a time. */
struct block {
    cl_mem mem;
    cl_event pending[PENDING]; /* what uses it or will; NULL: none */
    char host[WORDS * 4];
};

struct thread {
    pthread_t id;
    unsigned number;
    uint64_t random;
    cl_command_queue queue, own_queue; /* the one of the next command; in-order, for chains */
    cl_kernel count, meet, step;
    cl_mem chain;
    cl_uint place; /* of the chain */
    cl_event kept[KEPT], users[4];
    unsigned commands;
    struct block blocks[BLOCKS];
};

static unsigned dice(struct thread *t, unsigned n) {
    t->random ^= t->random << 13;
    t->random ^= t->random >> 7;
    t->random ^= t->random << 17;
    return (unsigned)(t->random >> 33) % n;
}

/* ---- events ---- */

static void CL_CALLBACK on_end(cl_event event, cl_int status, void *items) {
    if (status == CL_COMPLETE)
        expected += (unsigned)(uintptr_t)items;
    called++;
}

/* Keeps the event, and lets others wait for it sometimes. */
static void keep(struct thread *t, cl_event event) {
    cl_event *slot = &t->kept[dice(t, KEPT)];
    if (*slot)
        MUST(clReleaseEvent(*slot));
    *slot = event;
    if (dice(t, 4))
        return;
    MUST(clRetainEvent(event));
    pthread_mutex_lock(&shared_lock);
    slot = &shared_events[dice(t, SHARED_EVENTS)];
    cl_event old = *slot;
    *slot = event;
    pthread_mutex_unlock(&shared_lock);
    if (old)
        MUST(clReleaseEvent(old));
}

/* A random wait list: events of this thread, of others, and user events; all retained. */
static cl_uint wait_list(struct thread *t, cl_event list[4]) {
    cl_uint n = 0, want = dice(t, 3) ? 0 : 1 + dice(t, 3);
    for (cl_uint i = 0; i < want; i++) {
        unsigned kind = dice(t, 5);
        pthread_mutex_lock(&shared_lock);
        cl_event event = kind == 0   ? t->users[dice(t, COUNT(t->users))]
                         : kind == 1 ? shared_events[dice(t, SHARED_EVENTS)]
                                     : t->kept[dice(t, KEPT)];
        if (event) {
            MUST(clRetainEvent(event));
            list[n++] = event;
        }
        pthread_mutex_unlock(&shared_lock);
    }
    return n;
}

static void let_go_of_users(struct thread *t) {
    for (size_t i = 0; i < COUNT(t->users); i++) {
        if (!t->users[i])
            continue;
        MUST(clSetUserEventStatus(t->users[i], dice(t, 8) ? CL_COMPLETE : -1000));
        MUST(clReleaseEvent(t->users[i]));
        t->users[i] = NULL;
    }
}

static void new_user(struct thread *t) {
    cl_event *slot = &t->users[dice(t, COUNT(t->users))];
    cl_int code;
    if (*slot) {
        let_go_of_users(t);
        return;
    }
    *slot = clCreateUserEvent(cl.context, &code);
    MUST(code);
}

/* Puts the block's pending events behind the n of the list. One that has ended, whichever way, needn't be waited for;
 * one that fails may end before those that it waits for, and doesn't stand for them. */
static cl_uint wait_for_block(struct thread *t, struct block *b, cl_uint n, cl_event *list) {
    cl_uint all = n;
    for (int i = 0; i < PENDING; i++) {
        cl_int status = CL_COMPLETE;
        if (!b->pending[i])
            continue;
        MUST(clGetEventInfo(b->pending[i], CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
        if (status > CL_COMPLETE && all - n == PENDING - 1) { /* room is needed for the next one */
            let_go_of_users(t);
            clWaitForEvents(1, &b->pending[i]);
            status = CL_COMPLETE;
        }
        if (status > CL_COMPLETE) {
            MUST(clRetainEvent(b->pending[i]));
            list[all++] = b->pending[i];
        } else {
            MUST(clReleaseEvent(b->pending[i]));
            b->pending[i] = NULL;
        }
    }
    return all;
}

static void use_block(struct block *b, cl_event event) {
    int i = 0;
    while (b->pending[i])
        i++;
    MUST(clRetainEvent(event));
    b->pending[i] = event;
}

/* ---- commands ---- */

static void CL_CALLBACK native(void *args) {
    natives_ran++;
}

static void launch(struct thread *t, cl_kernel kernel, cl_mem data, cl_uint n, const cl_event *list,
                   cl_event *event) {
    size_t local = 1 + dice(t, 3) * 31, items = local * (1 + dice(t, (unsigned)(MOST_ITEMS / local))),
           from = 0;
    MUST(clSetKernelArg(kernel, 0, sizeof ran_mem, &ran_mem));
    MUST(clSetKernelArg(kernel, 1, sizeof data, &data));
    if (kernel == t->meet)
        MUST(clSetKernelArg(kernel, 2, local * 4, NULL));
    MUST(clEnqueueNDRangeKernel(t->queue, kernel, 1, &from, &items,
                                kernel == t->meet || dice(t, 4) ? &local : NULL, n, list, event));
    asked++;
    MUST(clSetEventCallback(*event, CL_COMPLETE, on_end, (void *)(uintptr_t)items));
}

static void chain(struct thread *t, cl_event *event) {
    MUST(clSetKernelArg(t->step, 0, sizeof t->chain, &t->chain));
    MUST(clSetKernelArg(t->step, 1, sizeof t->place, &t->place));
    t->place++;
    size_t one = 1;
    MUST(clEnqueueNDRangeKernel(t->own_queue, t->step, 1, NULL, &one, &one, 0, NULL, event));
}

static void map_and_unmap(struct thread *t, cl_mem data, cl_uint n, const cl_event *list, cl_event *event) {
    cl_int code;
    cl_event mapped;
    void *p = clEnqueueMapBuffer(t->queue, data, CL_FALSE, CL_MAP_READ, 0, 256, n, list, &mapped, &code);
    MUST(code);
    code = clEnqueueUnmapMemObject(t->queue, data, p, 1, &mapped, event);
    if (code == CL_INVALID_VALUE) { /* what the mapping waited for has failed by now: there is none */
        *event = mapped;
        return;
    }
    MUST(code);
    MUST(clReleaseEvent(mapped));
}

/* Touches the block's memory. */
static void block_command(struct thread *t, struct block *b, cl_uint n, const cl_event *list,
                          cl_event *event) {
    static const cl_uint zero = 0;
    size_t at = dice(t, WORDS / 2) * 4, bytes = (1 + dice(t, WORDS / 4)) * 4;
    switch (dice(t, 6)) {
    case 0:
        MUST(clEnqueueFillBuffer(t->queue, b->mem, &zero, 4, at, bytes, n, list, event));
        break;
    case 1:
        MUST(clEnqueueReadBuffer(t->queue, b->mem, CL_FALSE, 0, bytes, b->host, n, list, event));
        break;
    case 2:
        MUST(clEnqueueWriteBuffer(t->queue, b->mem, CL_FALSE, at, bytes, b->host, n, list, event));
        break;
    case 3:
        MUST(clEnqueueCopyBuffer(t->queue, b->mem, b->mem, 0, WORDS * 2, bytes, n, list, event));
        break;
    default:
        launch(t, t->count, b->mem, n, list, event);
        break;
    }
    use_block(b, *event);
}

static void other_command(struct thread *t, struct block *b, cl_uint n, const cl_event *list,
                          cl_event *event) {
    switch (dice(t, 7)) {
    case 0:
        map_and_unmap(t, b->mem, n, list, event);
        break;
    case 1:
        MUST(clEnqueueMarkerWithWaitList(t->queue, n, n ? list : NULL, event));
        break;
    case 2:
        MUST(clEnqueueBarrierWithWaitList(t->queue, n, n ? list : NULL, event));
        break;
    case 3:
        MUST(clEnqueueNativeKernel(t->queue, native, NULL, 0, 0, NULL, NULL, 0, NULL, event));
        natives_expected++;
        break;
    case 4:
        launch(t, t->meet, b->mem, n, list, event);
        break;
    default:
        chain(t, event);
        break;
    }
}

static cl_command_queue queue_new(struct thread *t, cl_command_queue_properties bits) {
    cl_int code;
    cl_device_id device = nparts && !dice(t, 3) ? parts[dice(t, nparts)] : cl.device;
    cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, bits, 0};
    cl_command_queue queue = clCreateCommandQueueWithProperties(cl.context, device, list, &code);
    MUST(code);
    return queue;
}

/* Waits in one of several ways. First everything that others might wait for is let go. */
static void wait_somehow(struct thread *t) {
    cl_event list[4];
    let_go_of_users(t);
    cl_uint n = wait_list(t, list);
    if (!dice(t, 3)) {
        MUST(clFinish(dice(t, 2) ? t->queue : t->own_queue));
    } else if (n) {
        cl_int code = clWaitForEvents(n, list);
        MUST(code == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST ? CL_SUCCESS : code);
    }
    for (cl_uint i = 0; i < n; i++)
        MUST(clReleaseEvent(list[i]));
}

/* Objects that commands in flight use are released and made anew. */
static void renew(struct thread *t) {
    struct block *b = &t->blocks[dice(t, BLOCKS)];
    cl_int code = CL_SUCCESS;
    switch (dice(t, 3)) {
    case 0:
        MUST(clReleaseMemObject(b->mem));
        b->mem = clCreateBuffer(cl.context, CL_MEM_READ_WRITE, WORDS * 4, NULL, &code);
        break;
    case 1:
        MUST(clReleaseKernel(t->meet));
        t->meet = clCreateKernel(program, "meet", &code);
        break;
    default: /* the order of the chain is that of one queue: a successor starts when it is through */
        MUST(clFinish(t->own_queue));
        MUST(clReleaseCommandQueue(t->own_queue));
        t->own_queue = queue_new(t, 0);
        break;
    }
    MUST(code);
}

static void one_step(struct thread *t) {
    cl_event list[4 + PENDING], event = NULL;
    struct block *b = &t->blocks[dice(t, BLOCKS)];
    t->queue = dice(t, 4) ? shared_queues[dice(t, SHARED_QUEUES)] : t->own_queue;
    unsigned kind = dice(t, 64);
    if (kind < 2) {
        wait_somehow(t);
    } else if (kind == 2) {
        let_go_of_users(t);
        renew(t);
    } else if (kind < 7) {
        new_user(t);
    } else if (kind == 7) {
        MUST(clFlush(t->queue));
    } else {
        bool touches = dice(t, 13) < 6;
        cl_uint n = wait_list(t, list);
        if (touches)
            n = wait_for_block(t, b, n, list);
        (touches ? block_command : other_command)(t, b, n, n ? list : NULL, &event);
        for (cl_uint i = 0; i < n; i++)
            MUST(clReleaseEvent(list[i]));
        if (event)
            keep(t, event);
        t->commands++;
    }
}

/* ---- a run ---- */

static void *hammer(void *arg) {
    struct thread *t = arg;
    cl_int code;
    static const cl_uint zeros[2];
    t->count = clCreateKernel(program, "count", &code);
    t->meet = clCreateKernel(program, "meet", &code);
    t->step = clCreateKernel(program, "step", &code);
    for (int i = 0; i < BLOCKS; i++)
        t->blocks[i].mem = clCreateBuffer(cl.context, CL_MEM_READ_WRITE, WORDS * 4, NULL, &code);
    t->chain = clCreateBuffer(cl.context, CL_MEM_COPY_HOST_PTR, sizeof zeros, (void *)zeros, &code);
    t->own_queue = queue_new(t, 0);
    MUST(code);
    while (now() < end_time && !mistakes)
        for (int i = 0; i < 100; i++)
            one_step(t);
    let_go_of_users(t);
    cl_uint seen[2] = {0};
    MUST(clEnqueueReadBuffer(t->own_queue, t->chain, CL_TRUE, 0, sizeof seen, seen, 0, NULL, NULL));
    if (seen[0] != t->place || seen[1]) {
        fprintf(stderr, "a chain of %u got to %u with %u out of order\n", t->place, seen[0], seen[1]);
        mistakes++;
    }
    for (int i = 0; i < SHARED_QUEUES; i++)
        MUST(clFinish(shared_queues[i]));
    for (int i = 0; i < KEPT; i++)
        if (t->kept[i])
            MUST(clReleaseEvent(t->kept[i]));
    for (int i = 0; i < BLOCKS; i++) {
        MUST(clReleaseMemObject(t->blocks[i].mem));
        for (int k = 0; k < PENDING; k++)
            if (t->blocks[i].pending[k])
                MUST(clReleaseEvent(t->blocks[i].pending[k]));
    }
    MUST(clReleaseMemObject(t->chain));
    MUST(clReleaseKernel(t->count));
    MUST(clReleaseKernel(t->meet));
    MUST(clReleaseKernel(t->step));
    MUST(clReleaseCommandQueue(t->own_queue));
    return NULL;
}

static void make_shared(struct thread *t) {
    static const cl_uint zero = 0;
    cl_uint units;
    OK(clGetDeviceInfo(cl.device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, NULL));
    cl_device_partition_property split[] = {CL_DEVICE_PARTITION_EQUALLY, units / 2, 0};
    cl_device_id devices[3] = {cl.device};
    if (units > 1) {
        OK(clCreateSubDevices(cl.device, split, units % 2 ? 0 : 2, units % 2 ? NULL : parts, &nparts));
        nparts = units % 2 ? 0 : 2;
    }
    for (cl_uint i = 0; i < nparts; i++)
        devices[1 + i] = parts[i];
    OK(clReleaseCommandQueue(cl.queue));
    OK(clReleaseContext(cl.context));
    cl.context = MADE(clCreateContext(NULL, 1 + nparts, devices, NULL, NULL, &error));
    cl.queue = MADE(clCreateCommandQueueWithProperties(cl.context, cl.device, NULL, &error));
    program = program_of(source);
    OK(clBuildProgram(program, 0, NULL, "", NULL, NULL));
    ran_mem = buffer_of(CL_MEM_COPY_HOST_PTR, 4, (void *)&zero);
    for (int i = 0; i < SHARED_QUEUES; i++)
        shared_queues[i] = queue_new(t, (i % 3 ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0) |
                                            (i % 2 ? CL_QUEUE_PROFILING_ENABLE : 0));
}

static void release_shared(void) {
    for (int i = 0; i < SHARED_EVENTS; i++)
        if (shared_events[i])
            OK(clReleaseEvent(shared_events[i]));
    for (int i = 0; i < SHARED_QUEUES; i++)
        OK(clReleaseCommandQueue(shared_queues[i]));
    OK(clReleaseMemObject(ran_mem));
    OK(clReleaseProgram(program));
    for (cl_uint i = 0; i < nparts; i++)
        OK(clReleaseDevice(parts[i]));
}

TEST(random_graphs_of_commands_from_many_threads) {
    static struct thread threads[THREADS];
    unsigned seed = seconds_of("STRESS_SEED", (unsigned)time(NULL)), commands = 0;
    unsigned seconds = seconds_of("STRESS_SECONDS", getenv("WEIR_TEST_QUICK") ? 5 : 20);
    print_message("STRESS_SEED=%u STRESS_SECONDS=%u\n", seed, seconds);
    for (unsigned i = 0; i < THREADS; i++) {
        threads[i].number = i;
        threads[i].random = ((uint64_t)seed << 8 | i) * 0x9e3779b97f4a7c15u | 1;
    }
    make_shared(&threads[0]);
    end_time = now() + seconds;
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i].id, NULL, hammer, &threads[i]), 0);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i].id, NULL);
        commands += threads[i].commands;
    }
    while (called < asked) /* callbacks may come a little later than the end of what they tell */
        usleep(1000);
    cl_uint ran;
    OK(clEnqueueReadBuffer(cl.queue, ran_mem, CL_TRUE, 0, sizeof ran, &ran, 0, NULL, NULL));
    print_message("%u commands, %u work-items counted\n", commands, ran);
    assert_int_equal(mistakes, 0);
    assert_int_equal(ran, expected);
    assert_int_equal(natives_ran, natives_expected);
    release_shared();
}

/* ---- leaks ---- */

static long resident_kib(void) {
    long size, resident;
    FILE *f = fopen("/proc/self/statm", "r");
    assert_non_null(f);
    assert_int_equal(fscanf(f, "%ld %ld", &size, &resident), 2);
    fclose(f);
    return resident * (sysconf(_SC_PAGESIZE) / 1024);
}

static void launch_many(cl_kernel kernel, cl_command_queue queue, unsigned n) {
    size_t items = 64;
    for (unsigned i = 0; i < n; i++) {
        cl_event event;
        if (clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, i % 3 ? NULL : &event))
            fail();
        if (i % 3 == 0)
            clReleaseEvent(event);
        if (i % 1000 == 999)
            clFinish(queue);
    }
    OK(clFinish(queue));
}

TEST(a_million_launches_leave_nothing) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    skip(); /* they keep what is freed, and more */
#endif
    unsigned n = seconds_of("STRESS_LAUNCHES", 1000000);
    cl_queue_properties any_order[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
    cl_command_queue queue =
        MADE(clCreateCommandQueueWithProperties(cl.context, cl.device, any_order, &error));
    cl_kernel kernel = kernel_of("kernel void k(global int *p) { p[get_global_id(0)]++; }", "k");
    cl_mem mem = buffer_of(0, 256, NULL);
    OK(clSetKernelArg(kernel, 0, sizeof mem, &mem));
    launch_many(kernel, cl.queue, n / 10);
    launch_many(kernel, queue, n / 10);
    long before = resident_kib();
    launch_many(kernel, cl.queue, n / 2);
    launch_many(kernel, queue, n / 2);
    long after = resident_kib();
    print_message("%u launches, %ld KiB resident before, %ld KiB after\n", n, before, after);
    assert_true(after < before + 4096);
    OK(clReleaseMemObject(mem));
    OK(clReleaseKernel(kernel));
    OK(clReleaseCommandQueue(queue));
}
