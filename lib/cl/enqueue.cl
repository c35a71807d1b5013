/* enqueue.cl: kernels that enqueue kernels (OpenCL C 6.15.21): each function is a call of the runtime, which
 * struct weir_calls in include/abi.h lists. clang calls __enqueue_kernel_* and __get_kernel_*_impl with the block's kernel,
 * in whose place kc (frontend/blocks.c) has put its name, and the literal. */
#include "weir.h"

#pragma OPENCL EXTENSION __cl_clang_function_pointers : enable

#define LANE OVERLOAD __attribute__((noinline))

typedef __constant struct weir_worker *worker_p;

LANE int __weir_lane_enqueue(worker_p w, void *queue, uint flags, void *range, uint nwait, void *wait,
                             void *event, void *kernel_name, void *block, uint nlocal, void *local_bytes) {
    struct weir_enqueue e = {.queue = (ulong)queue,
                             .flags = flags,
                             .nwait = nwait,
                             .wait = (ulong)wait,
                             .event = (ulong)event,
                             .name = (ulong)kernel_name,
                             .block = (ulong)block,
                             .range = (ulong)range,
                             .nlocal = nlocal,
                             .local_bytes = (ulong)local_bytes};
    return ((int (*)(worker_p, struct weir_enqueue *))w->calls->enqueue)(w, &e);
}

int __enqueue_kernel_basic(void *queue, uint flags, void *range, void *kernel_name, void *block) {
    return __weir_lane_enqueue(__weir_worker(), queue, flags, range, 0, 0, 0, kernel_name, block, 0, 0);
}

int __enqueue_kernel_basic_events(void *queue, uint flags, void *range, uint nwait, void *wait, void *event,
                                  void *kernel_name, void *block) {
    return __weir_lane_enqueue(__weir_worker(), queue, flags, range, nwait, wait, event, kernel_name, block,
                               0, 0);
}

int __enqueue_kernel_varargs(void *queue, uint flags, void *range, void *kernel_name, void *block,
                             uint nlocal, void *local_bytes) {
    return __weir_lane_enqueue(__weir_worker(), queue, flags, range, 0, 0, 0, kernel_name, block, nlocal,
                               local_bytes);
}

int __enqueue_kernel_events_varargs(void *queue, uint flags, void *range, uint nwait, void *wait, void *event,
                                    void *kernel_name, void *block, uint nlocal, void *local_bytes) {
    return __weir_lane_enqueue(__weir_worker(), queue, flags, range, nwait, wait, event, kernel_name, block,
                               nlocal, local_bytes);
}

/* In what follows queue_t and clk_event_t, which OpenCL C can't look into, are pointers; the names are those that clang
 * makes with them. */

int marker(void *queue, uint nwait, private void *wait, private void *event) //
    __asm("_Z14enqueue_marker9ocl_queuejPK12ocl_clkeventPS0_");
int marker(void *queue, uint nwait, private void *wait, private void *event) {
    return __weir_lane_enqueue(__weir_worker(), queue, 0, 0, nwait, wait, event, 0, 0, 0, 0);
}

void *default_queue(void) __asm("_Z17get_default_queuev");
void *default_queue(void) {
    return (void *)__weir_launch()->default_queue;
}

/* ---- events ---- */

LANE void *__weir_lane_create_event(worker_p w) {
    return (void *)((ulong (*)(worker_p))w->calls->create_event)(w);
}

void *create_event(void) __asm("_Z17create_user_eventv");
void *create_event(void) {
    return __weir_lane_create_event(__weir_worker());
}

LANE void __weir_lane_set_event(worker_p w, void *event, int status) {
    ((void (*)(ulong, int))w->calls->set_event)((ulong)event, status);
}

void set_event(void *event, int status) __asm("_Z21set_user_event_status12ocl_clkeventi");
void set_event(void *event, int status) {
    __weir_lane_set_event(__weir_worker(), event, status);
}

LANE void __weir_lane_retain(worker_p w, void *event) {
    ((void (*)(ulong))w->calls->retain_event)((ulong)event);
}

void retain(void *event) __asm("_Z12retain_event12ocl_clkevent");
void retain(void *event) {
    __weir_lane_retain(__weir_worker(), event);
}

LANE void __weir_lane_release(worker_p w, void *event) {
    ((void (*)(ulong))w->calls->release_event)((ulong)event);
}

void release(void *event) __asm("_Z13release_event12ocl_clkevent");
void release(void *event) {
    __weir_lane_release(__weir_worker(), event);
}

bool is_valid(void *event) __asm("_Z14is_valid_event12ocl_clkevent");
bool is_valid(void *event) {
    return event != 0;
}

LANE void __weir_lane_capture(worker_p w, void *event, global void *value) {
    ((void (*)(ulong, global void *))w->calls->capture_times)((ulong)event, value);
}

void capture(void *event, int name, global void *value) //
    __asm("_Z28capture_event_profiling_info12ocl_clkeventiPU3AS1v");
void capture(void *event, int name, global void *value) {
    if (name == CLK_PROFILING_COMMAND_EXEC_TIME) {
        __weir_lane_capture(__weir_worker(), event, value);
    }
}

/* ---- questions ---- */

LANE uint __weir_lane_ask(worker_p w, void *kernel_name, uint question, void *range) {
    return ((uint (*)(worker_p, void *, uint, void *))w->calls->ask)(w, kernel_name, question, range);
}

uint __get_kernel_work_group_size_impl(void *kernel_name, void *block) {
    return __weir_lane_ask(__weir_worker(), kernel_name, WEIR_GROUP_SIZE, 0);
}

uint __get_kernel_preferred_work_group_size_multiple_impl(void *kernel_name, void *block) {
    return __weir_lane_ask(__weir_worker(), kernel_name, WEIR_GROUP_MULTIPLE, 0);
}

uint __get_kernel_sub_group_count_for_ndrange_impl(void *range, void *kernel_name, void *block) {
    return __weir_lane_ask(__weir_worker(), kernel_name, WEIR_SUB_GROUPS, range);
}

uint __get_kernel_max_sub_group_size_for_ndrange_impl(void *range, void *kernel_name, void *block) {
    return __weir_lane_ask(__weir_worker(), kernel_name, WEIR_SUB_GROUP_SIZE, range);
}

uint __get_kernel_local_size_for_sub_group_count_impl(uint count, void *kernel_name, void *block) {
    struct weir_range range = {.local_size = {count}};
    return __weir_lane_ask(__weir_worker(), kernel_name, WEIR_SIZE_FOR, &range);
}

uint __get_kernel_max_num_sub_groups_impl(void *kernel_name, void *block) {
    return __weir_lane_ask(__weir_worker(), kernel_name, WEIR_MOST_SUB_GROUPS, 0);
}

/* ---- ranges ---- */

static ndrange_t range_of(uint dim, const private size_t *offset, const private size_t *global_size,
                          const private size_t *local_size) {
    ndrange_t r = {.workDimension = dim};
    for (uint d = 0; d < 3; d++) {
        r.globalWorkOffset[d] = offset && d < dim ? offset[d] : 0;
        r.globalWorkSize[d] = d < dim ? global_size[d] : 1;
        r.localWorkSize[d] = local_size ? d < dim ? local_size[d] : 1 : 0;
    }
    return r;
}

OVERLOAD ndrange_t ndrange_1D(size_t global_size) {
    return range_of(1, 0, &global_size, 0);
}

OVERLOAD ndrange_t ndrange_1D(size_t global_size, size_t local_size) {
    return range_of(1, 0, &global_size, &local_size);
}

OVERLOAD ndrange_t ndrange_1D(size_t offset, size_t global_size, size_t local_size) {
    return range_of(1, &offset, &global_size, &local_size);
}

#define RANGE(dim)                                                                                           \
    OVERLOAD ndrange_t ndrange_##dim##D(const private size_t *global_size) {                                 \
        return range_of(dim, 0, global_size, 0);                                                             \
    }                                                                                                        \
    OVERLOAD ndrange_t ndrange_##dim##D(const private size_t *global_size,                                   \
                                        const private size_t *local_size) {                                  \
        return range_of(dim, 0, global_size, local_size);                                                    \
    }                                                                                                        \
    OVERLOAD ndrange_t ndrange_##dim##D(const private size_t *offset, const private size_t *global_size,     \
                                        const private size_t *local_size) {                                  \
        return range_of(dim, offset, global_size, local_size);                                               \
    }
RANGE(2)
RANGE(3)
