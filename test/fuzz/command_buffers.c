/* Random sequences of calls about command buffers and semaphores: recording of all kinds of commands with good and bad
 * arguments, sync points, finalizing, enqueues on their own and other queues, updates, copies, termination. Every call
 * gives an answer, nothing hangs, and at the end every context is gone. Usage: see session.h; a run is 120 calls.
 *
 * A caller's own promises are kept: buffers that kernels have as arguments stay, and what waits for events or semaphores
 * that only the caller can set is not waited for before that is done.
 */
#include "device.h"
#include "session.h"

#include "cl_new.h"

enum { CALLS = 120, ROOM = 8, BYTES = 4096 };

// clang-format off
#define FUNCTIONS(X)                                                                                         \
    X(clCreateCommandBufferKHR) X(clFinalizeCommandBufferKHR) X(clRetainCommandBufferKHR)                    \
    X(clReleaseCommandBufferKHR) X(clEnqueueCommandBufferKHR) X(clGetCommandBufferInfoKHR)                   \
    X(clCommandBarrierWithWaitListKHR) X(clCommandCopyBufferKHR) X(clCommandCopyBufferRectKHR)               \
    X(clCommandFillBufferKHR) X(clCommandNDRangeKernelKHR) X(clCommandSVMMemcpyKHR)                          \
    X(clCommandSVMMemFillKHR) X(clRemapCommandBufferKHR) X(clUpdateMutableCommandsKHR)                       \
    X(clGetMutableCommandInfoKHR) X(clCreateSemaphoreWithPropertiesKHR) X(clEnqueueWaitSemaphoresKHR)        \
    X(clEnqueueSignalSemaphoresKHR) X(clGetSemaphoreInfoKHR) X(clReleaseSemaphoreKHR) X(clTerminateContextKHR)
// clang-format on
#define DECLARE(function) static __typeof__(function) *function##_;
FUNCTIONS(DECLARE)

static cl_device_id devices[3]; /* the root, and two parts of it, if it has any */
static cl_uint ndevices = 1;
static cl_context context;
static cl_command_queue queues[5], signaller;
static cl_mem mems[4];
static cl_kernel kernels[3];
static unsigned char host[2 * BYTES];
static int live_contexts;

static struct recorder {
    cl_command_buffer_khr buffer;
    cl_sync_point_khr points[16];
    cl_uint npoints;
    cl_mutable_command_khr launches[8];
    cl_uint nlaunches;
} recorders[ROOM];
static cl_event events[ROOM];
static bool is_gate[ROOM];
static cl_semaphore_khr semaphores[3];
static int owed[3]; /* waits without a signal */

static void check(cl_int e, const char *what) {
    if (e > 0 || e < -9999)
        wrong(what, e);
}

static void CL_CALLBACK count_context(cl_context c, void *user) {
    __atomic_fetch_sub(&live_contexts, 1, __ATOMIC_SEQ_CST);
}

static struct recorder *recorder(void) {
    return &recorders[below(ROOM)];
}

static cl_command_buffer_khr buffer_of(const struct recorder *r) {
    return one_in(40) ? (cl_command_buffer_khr)queues[0] : r->buffer;
}

static cl_command_queue queue(void) {
    return one_in(30) ? NULL : queues[below(COUNT(queues))];
}

static cl_mem mem(void) {
    return one_in(30) ? NULL : mems[below(COUNT(mems))];
}

static size_t near(void) {
    return one_in(12) ? (size_t)odd_number() : below(BYTES / 4);
}

/* ---- what has to be set before anything is waited for ---- */

static void keep_event(cl_event event, bool gate) {
    uint32_t i = below(ROOM);
    if (!event)
        return;
    if (events[i] && is_gate[i])
        check(clSetUserEventStatus(events[i], CL_COMPLETE), "a gate");
    if (events[i])
        check(clReleaseEvent(events[i]), "clReleaseEvent");
    events[i] = event;
    is_gate[i] = gate;
}

static void finish_all(void) {
    for (int i = 0; i < ROOM; i++) {
        if (events[i] && is_gate[i])
            check(clSetUserEventStatus(events[i], one_in(4) ? -9 : CL_COMPLETE), "a gate");
        is_gate[i] = false;
    }
    for (size_t i = 0; i < COUNT(semaphores); i++)
        for (; owed[i] > 0; owed[i]--)
            check(clEnqueueSignalSemaphoresKHR_(signaller, 1, &semaphores[i], NULL, 0, NULL, NULL),
                  "a signal");
    for (size_t i = 0; i < COUNT(queues); i++)
        check(clFinish(queues[i]), "clFinish");
    check(clFinish(signaller), "clFinish");
}

struct waiting {
    cl_uint n;
    cl_event list[3];
};

static struct waiting wait_list(void) {
    struct waiting w = {.n = one_in(3) ? below(4) : 0};
    for (cl_uint i = 0; i < w.n; i++)
        w.list[i] = events[below(ROOM)];
    return w;
}
#define WAIT w.n, w.n ? w.list : NULL

/* ---- calls ---- */

static void do_create(void) {
    struct recorder *r = recorder();
    cl_command_buffer_properties_khr list[] = {CL_COMMAND_BUFFER_FLAGS_KHR,
                                               one_in(8) ? (cl_properties)odd_number() : below(8), 0};
    cl_command_queue some[3] = {queue(), queue(), queue()};
    cl_int e = 77;
    if (r->buffer)
        check(clReleaseCommandBufferKHR_(r->buffer), "a release");
    *r = (struct recorder){0};
    r->buffer = clCreateCommandBufferKHR_(one_in(3) ? below(4) : 1, one_in(20) ? NULL : some,
                                          one_in(3) ? NULL : list, &e);
    if (!r->buffer == !e)
        wrong("clCreateCommandBufferKHR", e);
}

static cl_int record_one(struct recorder *r, cl_command_buffer_khr b, cl_command_queue q, cl_uint n,
                         const cl_sync_point_khr *wait, cl_sync_point_khr *point) {
    static const unsigned char pattern[128];
    cl_mutable_command_khr handle = NULL, *place = one_in(2) ? &handle : NULL;
    cl_command_properties_khr list[] = {CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR,
                                        one_in(4) ? (cl_properties)odd_number() : 31, 0};
    size_t global[3] = {1 + below(128), 1 + below(4), 1}, local[3] = {1 + below(8), 1, 1},
           at[3] = {below(8), below(8), 0}, to[3] = {near(), 0, 0},
           region[3] = {1 + below(8), 1 + below(8), 1};
    cl_int e;
    switch (below(7)) {
    case 0:
        return clCommandBarrierWithWaitListKHR_(b, q, NULL, n, wait, point, NULL);
    case 1:
        return clCommandCopyBufferKHR_(b, q, NULL, mem(), mem(), near(), near(), near(), n, wait, point,
                                       NULL);
    case 2:
        return clCommandCopyBufferRectKHR_(b, q, NULL, mem(), mem(), at, to, region, 64, 0, 64, 0, n, wait,
                                           point, NULL);
    case 3:
        return clCommandFillBufferKHR_(b, q, one_in(20) ? list : NULL, mem(), one_in(20) ? NULL : pattern,
                                       one_in(8) ? near() : 4, near(), near(), n, wait, point, NULL);
    case 4:
        return clCommandSVMMemcpyKHR_(b, q, NULL, host, host + BYTES, below(BYTES), n, wait, point, NULL);
    case 5:
        return clCommandSVMMemFillKHR_(b, q, NULL, host, pattern, 4, below(BYTES), n, wait, point, NULL);
    default:
        e = clCommandNDRangeKernelKHR_(b, q, one_in(3) ? list : NULL,
                                       one_in(30) ? NULL : kernels[below(COUNT(kernels))],
                                       one_in(20) ? (cl_uint)odd_number() : 1 + below(2), NULL, global,
                                       one_in(2) ? NULL : local, n, wait, point, place);
        if (!e && handle && r->nlaunches < COUNT(r->launches))
            r->launches[r->nlaunches++] = handle;
        return e;
    }
}

static void do_record(void) {
    struct recorder *r = recorder();
    cl_sync_point_khr wait[3], point = 0;
    cl_uint n = one_in(2) && r->npoints ? below(4) : 0;
    for (cl_uint i = 0; i < n; i++)
        wait[i] = one_in(30) ? (cl_uint)odd_number() : r->points[below(r->npoints)];
    cl_int e = record_one(r, buffer_of(r), one_in(2) ? NULL : queue(), n, n ? wait : NULL, &point);
    check(e, "a recording");
    if (!e && point && r->npoints < COUNT(r->points))
        r->points[r->npoints++] = point;
}

static void do_finalize(void) {
    check(clFinalizeCommandBufferKHR_(buffer_of(recorder())), "clFinalizeCommandBufferKHR");
}

static void do_enqueue(void) {
    struct recorder *r = recorder();
    struct waiting w = wait_list();
    cl_command_queue some[3] = {queue(), queue(), queue()};
    cl_event event = NULL;
    bool others = one_in(3);
    check(clEnqueueCommandBufferKHR_(others ? 1 + below(3) : 0, others ? some : NULL, buffer_of(r), WAIT,
                                     one_in(2) ? NULL : &event),
          "clEnqueueCommandBufferKHR");
    keep_event(event, false);
}

static void do_update(void) {
    struct recorder *r = recorder();
    cl_mutable_dispatch_config_khr configs[3] = {{0}};
    cl_mutable_dispatch_arg_khr args[3];
    cl_command_buffer_update_type_khr types[3] = {0};
    const void *list[3];
    size_t sizes[3][3];
    cl_mem values[3];
    cl_uint n = 1 + below(3);
    for (cl_uint i = 0; i < n; i++) {
        values[i] = mems[below(COUNT(mems))]; /* a kernel would fault on NULL */
        args[i] = (cl_mutable_dispatch_arg_khr){one_in(8) ? (cl_uint)odd_number() : below(2),
                                                one_in(8) ? near() : sizeof(cl_mem), &values[i]};
        for (int d = 0; d < 3; d++)
            sizes[i][d] = 1 + below(64);
        configs[i] = (cl_mutable_dispatch_config_khr){
            .command = r->nlaunches ? r->launches[below(r->nlaunches)] : (cl_mutable_command_khr)queues[0],
            .num_args = one_in(2),
            .work_dim = one_in(8) ? below(4) : 0,
            .global_work_size = one_in(2) ? sizes[i] : NULL,
            .local_work_size = one_in(4) ? sizes[i] : NULL};
        configs[i].arg_list = configs[i].num_args ? &args[i] : NULL;
        list[i] = one_in(40) ? NULL : &configs[i];
    }
    check(clUpdateMutableCommandsKHR_(buffer_of(r), n, types, list), "clUpdateMutableCommandsKHR");
}

static void do_copy(void) {
    struct recorder *from = recorder(), *to = recorder();
    cl_command_queue some[3] = {queue(), queue(), queue()};
    cl_mutable_command_khr back[8];
    cl_uint n = one_in(2) ? from->nlaunches : 0;
    cl_int e = 77;
    cl_command_buffer_khr made = clRemapCommandBufferKHR_(buffer_of(from), one_in(2), below(4), some, n,
                                                          n ? from->launches : NULL, n ? back : NULL, &e);
    if (!made == !e)
        wrong("clRemapCommandBufferKHR", e);
    if (!made)
        return;
    if (to->buffer)
        check(clReleaseCommandBufferKHR_(to->buffer), "a release");
    *to = (struct recorder){.buffer = made, .nlaunches = n};
    memcpy(to->launches, back, n * sizeof *back);
}

static void do_semaphores(void) {
    struct waiting w = wait_list();
    cl_event event = NULL;
    uint32_t i = below(COUNT(semaphores));
    cl_semaphore_khr s = one_in(20) ? (cl_semaphore_khr)queues[0] : semaphores[i];
    bool waits = one_in(2);
    /* A signal that waits for what waits for it would never come. */
    cl_int e = waits ? clEnqueueWaitSemaphoresKHR_(queue(), one_in(20) ? 0 : 1, &s, NULL, WAIT, &event)
                     : clEnqueueSignalSemaphoresKHR_(signaller, 1, &s, NULL, 0, NULL, &event);
    check(e, "a semaphore");
    if (!e)
        owed[i] += waits ? 1 : -1;
    keep_event(event, false);
}

static void do_gate(void) {
    cl_int e;
    cl_event gate = clCreateUserEvent(context, &e);
    check(e, "clCreateUserEvent");
    keep_event(gate, true);
}

static void do_query(void) {
    struct recorder *r = recorder();
    unsigned char answer[256];
    size_t size, room = below(64);
    cl_uint name = one_in(8) ? (cl_uint)odd_number() : 0x1294 + below(6);
    check(clGetCommandBufferInfoKHR_(buffer_of(r), name, room, answer, &size), "a query");
    if (r->nlaunches)
        check(clGetMutableCommandInfoKHR_(r->launches[below(r->nlaunches)], 0x12a0 + below(14), room, answer,
                                          &size),
              "a query");
    check(clGetSemaphoreInfoKHR_(semaphores[0], 0x2039 + below(5), room, answer, &size), "a query");
}

static void do_set_arg(void) {
    cl_mem m = mems[below(COUNT(mems))];
    check(clSetKernelArg(kernels[below(COUNT(kernels))], 0, sizeof m, &m), "clSetKernelArg");
}

/* ---- sequences ---- */

static const struct {
    void (*call)(void);
    uint32_t weight;
} calls[] = {{do_create, 8},  {do_record, 60}, {do_finalize, 16},  {do_enqueue, 40},
             {do_update, 16}, {do_copy, 6},    {do_query, 10},     {do_gate, 3},
             {do_set_arg, 6}, {finish_all, 3}, {do_semaphores, 10}};

static void setup(void) {
    cl_device_partition_property each[] = {CL_DEVICE_PARTITION_BY_COUNTS, 1, 1, 0, 0};
    device_find();
    devices[0] = cl.device;
    if (!clCreateSubDevices(devices[0], each, 2, devices + 1, NULL))
        ndevices = 3;
#define FIND(function)                                                                                       \
    function##_ = (__typeof__(function) *)clGetExtensionFunctionAddressForPlatform(cl.platform, #function);  \
    if (!function##_)                                                                                        \
        wrong(#function, 0);
    FUNCTIONS(FIND)
}

static void make_all(void) {
    static const char *const source =
        "kernel void one(global int *p, int n) { p[get_global_id(0)] += n; }"
        "kernel void sum(global int *p, global int *q, local int *l) {"
        " l[get_local_id(0)] = q[get_global_id(0)]; barrier(CLK_LOCAL_MEM_FENCE);"
        " p[get_global_id(0)] = l[0]; }"
        "kernel void unset(global int *p, global int *q) { *p = *q; }";
    cl_context_properties terminable[] = {CL_CONTEXT_TERMINATE_KHR, CL_TRUE, 0};
    const cl_semaphore_properties_khr binary[] = {CL_SEMAPHORE_TYPE_KHR, CL_SEMAPHORE_TYPE_BINARY_KHR, 0};
    const cl_queue_properties out_of_order[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE,
                                                0};
    cl_int e, n = 3;
    context = clCreateContext(terminable, 1, devices, NULL, NULL, &e);
    __atomic_fetch_add(&live_contexts, 1, __ATOMIC_SEQ_CST);
    check(clSetContextDestructorCallback(context, count_context, NULL), "a callback");
    for (size_t i = 0; i < COUNT(queues); i++)
        queues[i] = clCreateCommandQueueWithProperties(context, devices[i < 3 ? 0 : i % ndevices],
                                                       one_in(2) ? out_of_order : NULL, &e);
    signaller = clCreateCommandQueueWithProperties(context, devices[0], out_of_order, &e);
    for (size_t i = 0; i < COUNT(mems); i++)
        mems[i] = clCreateBuffer(context, 0, BYTES, NULL, &e);
    for (size_t i = 0; i < COUNT(semaphores); i++)
        semaphores[i] = clCreateSemaphoreWithPropertiesKHR_(context, binary, &e);
    cl_program program = clCreateProgramWithSource(context, 1, (const char **)&source, NULL, &e);
    if (clBuildProgram(program, 0, NULL, "", NULL, NULL))
        wrong("the program doesn't build", 0);
    kernels[0] = clCreateKernel(program, "one", &e);
    kernels[1] = clCreateKernel(program, "sum", &e);
    kernels[2] = clCreateKernel(program, "unset", &e);
    check(clReleaseProgram(program), "clReleaseProgram");
    check(clSetKernelArg(kernels[0], 0, sizeof(cl_mem), &mems[0]), "an argument");
    check(clSetKernelArg(kernels[0], 1, sizeof n, &n), "an argument");
    check(clSetKernelArg(kernels[1], 0, sizeof(cl_mem), &mems[1]), "an argument");
    check(clSetKernelArg(kernels[1], 1, sizeof(cl_mem), &mems[2]), "an argument");
    check(clSetKernelArg(kernels[1], 2, 1024, NULL), "an argument");
}

static void clean_up(void) {
    bool terminated = one_in(4) && !clTerminateContextKHR_(context);
    if (!terminated)
        finish_all();
    for (int i = 0; i < ROOM; i++) {
        if (recorders[i].buffer)
            check(clReleaseCommandBufferKHR_(recorders[i].buffer), "a release");
        if (events[i])
            check(clReleaseEvent(events[i]), "a release");
        recorders[i] = (struct recorder){0};
        events[i] = NULL;
        is_gate[i] = false;
    }
    for (size_t i = 0; i < COUNT(semaphores); i++) {
        check(clReleaseSemaphoreKHR_(semaphores[i]), "a release");
        owed[i] = 0;
    }
    for (size_t i = 0; i < COUNT(kernels); i++)
        check(clReleaseKernel(kernels[i]), "a release");
    for (size_t i = 0; i < COUNT(mems); i++)
        check(clReleaseMemObject(mems[i]), "a release");
    for (size_t i = 0; i < COUNT(queues); i++)
        check(clReleaseCommandQueue(queues[i]), "a release");
    check(clReleaseCommandQueue(signaller), "a release");
    check(clReleaseContext(context), "a release");
    for (int i = 0; i < 20000 && __atomic_load_n(&live_contexts, __ATOMIC_SEQ_CST); i++)
        usleep(1000);
    if (live_contexts)
        wrong("contexts that nobody holds are alive", live_contexts);
}

static void run(void) {
    uint32_t all = 0;
    for (size_t i = 0; i < COUNT(calls); i++)
        all += calls[i].weight;
    make_all();
    for (int i = 0; i < ROOM / 2; i++)
        do_create();
    for (int n = 0; n < CALLS && !failed_run; n++) {
        uint32_t at = below(all);
        size_t i = 0;
        while (at >= calls[i].weight)
            at -= calls[i++].weight;
        calls[i].call();
    }
    clean_up();
}

int main(int argc, char **argv) {
    return session(argc, argv, getenv("WEIR_TEST_QUICK") ? 200 : 1000, setup, run, NULL);
}
