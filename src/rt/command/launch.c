/* launch.c: NDRanges: clEnqueueNDRangeKernel, clCommandNDRangeKernelKHR and clEnqueueTask; and blocks that kernels
 * enqueue.
 *
 * In: a kernel with arguments and sizes. At the enqueue everything is checked, the code is fetched (compiled
 * if need be) and the arguments are copied. When the command runs, the scheduler hands out ranges of linear
 * work-group numbers, x fastest; each work-group is one call of the kernel object's `run`.
 * Full work-groups run the variant specialized for the local size, smaller ones at the edges the generic one.
 * For a block the code is fetched when the command runs: the call that enqueues comes from a kernel that is running.
 */
#include "check.h"
#include "rt.h"

#include <stdlib.h>
#include <string.h>

/* What work-items print, with the first work-group it is from. */
struct printed {
    struct printed *next;
    uint64_t group;
    struct buf records;
};
enum { PRINT_CHUNK = 1 << 16, PRINT_MOST = 8 << 20 }; /* bytes kept per worker, and per command */

/* Whose work-items they are. */
struct code {
    cl_program program; /* may be built anew meanwhile */
    struct build *build;
    const struct kernel_meta *meta;
};

struct launch { /* payload of the command */
    struct weir_launch abi;
    struct code
        of; /* the build held: its code lives as long; the program too if the kernel enqueues, else NULL */
    struct choice code;
    bool partial[3];                         /* the last work-group of the dimension is smaller */
    size_t local_bytes;                      /* that a worker needs */
    cl_context_memory_initialize_khr zeroes; /* memory, before each work-group */
    struct check_launch *check;              /* WEIR_CHECK: what it may access; else NULL */
    cl_uint nmems, nqueues;
    cl_mem *mems;             /* held */
    cl_command_queue *queues; /* held, for kernels that enqueue: the default one and arguments */
    size_t room;              /* of a block: bytes of its queue */
};
struct run { /* of a launch: a command buffer has several at a time */
    const struct launch *launch;
    cl_event event;             /* what runs it */
    struct check_launch *check; /* WEIR_CHECK; else NULL */
    bool careful;               /* see run_carefully */
    bool watched;               /* WEIR_FAULT, WEIR_TRACE, WEIR_PROFILE */
    bool observed;              /* WEIR_FAULT, WEIR_PROFILE: run_observed */
    pthread_mutex_t lock;       /* guards what follows */
    struct printed *printed;
    size_t printed_bytes;
};

/* ---- printf, in the order of work-groups ------------------------------------------------------------------ */

static int by_group(const void *a, const void *b) {
    uint64_t x = (*(struct printed *const *)a)->group, y = (*(struct printed *const *)b)->group;
    return (x > y) - (x < y);
}

static void print_list(struct printed *list) {
    struct buf all = {0};
    size_t n = 0, i = 0;
    for (struct printed *p = list; p; p = p->next)
        n++;
    struct printed **sorted = n ? malloc(n * sizeof *sorted) : NULL;
    for (struct printed *p = list; sorted && p; p = p->next)
        sorted[i++] = p;
    if (sorted)
        qsort(sorted, n, sizeof *sorted, by_group);
    for (i = 0; sorted && i < n; i++)
        buf_bytes(&all, sorted[i]->records.data, sorted[i]->records.size);
    if (n)
        printf_flush(all.data, all.size);
    buf_free(&all);
    free(sorted);
    while (list) {
        struct printed *p = list;
        list = p->next;
        buf_free(&p->records);
        free(p);
    }
}

/* Takes what the worker's work-groups since `group` printed. */
static void take_printed(struct run *r, struct worker *w, uint64_t group) {
    struct printed *p = malloc(sizeof *p), *full = NULL;
    if (!p) {
        w->printf_out.size = 0;
        return;
    }
    *p = (struct printed){.group = group, .records = w->printf_out};
    w->printf_out = (struct buf){0};
    pthread_mutex_lock(&r->lock);
    p->next = r->printed;
    r->printed = p;
    r->printed_bytes += p->records.size;
    if (r->printed_bytes > PRINT_MOST) {
        full = r->printed;
        r->printed = NULL;
        r->printed_bytes = 0;
    }
    pthread_mutex_unlock(&r->lock);
    print_list(full);
}

/* ---- running ------------------------------------------------------------------------------------------------- */

static uint64_t linear(const struct launch *l, uint64_t x, uint64_t y, uint64_t z) {
    return (z * l->abi.num_groups[1] + y) * l->abi.num_groups[0] + x;
}

/* What most launches don't need: looks whether the context was terminated, as chunks may be long, and does what is to be
 * done before and after a work-group. */
static cl_int run_carefully(struct run *r, struct worker *w, const struct weir_kernel *code, uint64_t x,
                            uint64_t y, uint64_t z) {
    const struct launch *l = r->launch;
    if (atomic_load_explicit(&r->event->context->terminated, memory_order_relaxed))
        return CL_CONTEXT_TERMINATED_KHR;
    if (w->fault)
        w->fault->group = linear(l, x, y, z);
    if (l->zeroes & CL_CONTEXT_MEMORY_INITIALIZE_LOCAL_KHR)
        memset(w->abi.local, 0, l->local_bytes);
    bool fine =
        true; /* false: an error that the checker found stopped the work-group, and the others don't run */
    if (r->check)
        fine = check_run_group(r->check, code, &l->abi, &w->abi, x, y, z);
    else
        code->run(&l->abi, &w->abi, x, y, z);
    cl_event gate = w->gate;
    w->gate = NULL;
    if (gate)
        command_finish(gate, CL_COMPLETE);
    return fine ? CL_SUCCESS : CL_OUT_OF_RESOURCES;
}

/* Work-groups [x, stop) of row (y, z). */
static cl_int run_row(struct run *r, struct worker *w, uint64_t x, uint64_t stop, uint64_t y, uint64_t z,
                      uint64_t *print_from) {
    const struct launch *l = r->launch;
    const weir_u64 *n = l->abi.num_groups;
    const struct weir_kernel *full = l->code.full->entry, *last = full;
    if (l->code.rest && ((l->partial[1] && y + 1 == n[1]) || (l->partial[2] && z + 1 == n[2])))
        full = last = l->code.rest->entry;
    else if (l->partial[0])
        last = l->code.rest->entry;
    bool careful = r->careful;
    cl_int error = CL_SUCCESS;
    for (; x < stop; x++) {
        const struct weir_kernel *code = x + 1 == n[0] ? last : full;
        if (!careful)
            code->run(&l->abi, &w->abi, x, y, z);
        else if ((error = run_carefully(r, w, code, x, y, z)))
            break;
        if (w->printf_out.size >= PRINT_CHUNK) {
            take_printed(r, w, *print_from);
            *print_from = linear(l, x, y, z) + 1;
        }
    }
    return error;
}

/* Whether no work-group waits for another. */
static bool choice_any_order(const struct choice *c) {
    return c->full->entry->flags & WEIR_ANY_ORDER && (!c->rest || c->rest->entry->flags & WEIR_ANY_ORDER);
}

/* Those that are neighbours along dimension d one after the other. */
static cl_int run_along(struct run *r, struct worker *w, unsigned d, uint64_t begin, uint64_t end) {
    const weir_u64 *n = r->launch->abi.num_groups;
    unsigned last = 3 - d;
    uint64_t at[3] = {[0] = begin / n[d] % n[0], [1] = 0, [2] = 0},
             print_from = 0; /* such kernels print nothing */
    at[d] = begin % n[d];
    at[last] = begin / n[d] / n[0];
    cl_int error = CL_SUCCESS;
    for (; begin < end && !error; begin++) {
        error = run_row(r, w, at[0], at[0] + 1, at[1], at[2], &print_from);
        if (++at[d] == n[d]) {
            at[d] = 0;
            at[last] += ++at[0] == n[0];
            at[0] %= n[0];
        }
    }
    return error;
}

static cl_int run_chunk(struct run *r, struct worker *w, uint64_t begin, uint64_t end) {
    const weir_u64 *n = r->launch->abi.num_groups;
    unsigned along = WEIR_ALONG(r->launch->code.full->entry->flags);
    if (along && choice_any_order(&r->launch->code)) {
        return run_along(r, w, along, begin, end);
    }
    uint64_t x = begin % n[0], y = begin / n[0] % n[1], z = begin / n[0] / n[1], print_from = begin;
    cl_int error = CL_SUCCESS;
    for (uint64_t at = begin; at < end && !error; x = 0) {
        uint64_t stop = end - at < n[0] - x ? x + (end - at) : n[0];
        error = run_row(r, w, x, stop, y, z, &print_from);
        at += stop - x;
        if (++y == n[1]) {
            y = 0;
            z++;
        }
    }
    if (w->printf_out.size)
        take_printed(r, w, print_from);
    return error;
}

/* WEIR_FAULT: a fault is told with its place. */
static cl_int run_with_place(struct run *r, struct worker *w, uint64_t begin, uint64_t end) {
    const struct launch *l = r->launch;
    struct fault_place fault = {.kernel = l->of.meta,
                                .args = l->abi.args,
                                .mems = l->mems,
                                .nmems = l->nmems,
                                .code = {l->code.full, l->code.rest},
                                .num_groups = l->abi.num_groups},
                       *outer = w->fault;
    fault_enter(&fault);
    w->fault = &fault;
    cl_int error = run_chunk(r, w, begin, end);
    w->fault = outer;
    fault_leave(&fault);
    return error;
}

static cl_int run_observed(struct run *r, struct worker *w, uint64_t begin, uint64_t end) {
    if (profile_on)
        profile_enter();
    cl_int error = env_get()->fault ? run_with_place(r, w, begin, end) : run_chunk(r, w, begin, end);
    if (profile_on)
        profile_leave();
    return error;
}

static uint64_t groups_of(const struct launch *l) {
    return l->abi.num_groups[0] * l->abi.num_groups[1] * l->abi.num_groups[2];
}

/* All of a traced command is this: it begins when the command did, and the command ends when it does. Reading the clock
 * takes a twentieth of an empty launch. */
static bool is_whole(const struct run *r, uint64_t begin, uint64_t end) {
    return r->event->payload == r->launch && r->event->in_ticks && !begin && end == groups_of(r->launch);
}

static cl_int run_groups(void *arg, struct worker *w, uint64_t begin, uint64_t end) {
    struct run *r = arg;
    const struct launch *l = r->launch;
    if (!worker_reserve(w, l->local_bytes, l->code.context_bytes))
        return CL_OUT_OF_RESOURCES;
    w->run = r;
    if (!r->watched)
        return run_chunk(r, w, begin, end);
    bool whole = is_whole(r, begin, end);
    uint64_t start = whole ? r->event->times[2] : trace_clock();
    cl_int error = r->observed ? run_observed(r, w, begin, end) : run_chunk(r, w, begin, end);
    uint64_t stop = trace_clock();
    if (whole)
        r->event->times[3] = stop;
    if (whole && r->event->traced) {
        r->event->traced->worker = w->index;
        r->event->traced->head.number = end;
    } else if (trace_on)
        trace_groups(w->index, l->code.full->traced, start, stop, end - begin);
    return error;
}

static cl_int launch_run(void *payload, cl_event as) {
    const struct launch *l = payload;
    struct run r = {.launch = l, .event = as, .lock = PTHREAD_MUTEX_INITIALIZER};
    if (l->check && !(r.check = check_launch_copy(l->check)))
        return CL_OUT_OF_HOST_MEMORY;
    if (r.check && l->zeroes & CL_CONTEXT_MEMORY_INITIALIZE_LOCAL_KHR)
        check_launch_zeroed(r.check);
    if (r.check)
        checked_begin(r.check, as, l->of.build, l->code.full->entry,
                      l->code.rest ? l->code.rest->entry : NULL, &l->abi);
    bool places = env_get()->fault;
    r.observed = places || profile_on;
    r.watched = r.observed || trace_on;
    r.careful = r.check || l->zeroes || l->of.meta->enqueues || as->context->terminable || places;
    cl_int error = sched_range(as->device, run_groups, &r, groups_of(l), choice_any_order(&l->code),
                               &l->code.full->cost);
    check_launch_close(r.check);
    print_list(r.printed);
    return error;
}

/* Queues that a launch may hold. */
static size_t queues_of(const struct kernel_meta *meta) {
    return meta->enqueues ? meta->nargs + 1 : 0;
}

static void launch_cleanup(cl_event e) {
    struct launch *l = e->payload;
    for (cl_uint i = 0; i < l->nmems; i++)
        object_drop(l->mems[i]);
    for (cl_uint i = 0; i < l->nqueues; i++)
        object_drop(l->queues[i]);
    object_drop(l->of.program);
    build_drop(l->of.build);
    check_launch_close(l->check);
    if (l->room)
        atomic_fetch_sub_explicit(&e->queue->used, l->room, memory_order_relaxed);
}

/* ---- the enqueue -------------------------------------------------------------------------------------------------- */

static cl_int fail_unset(const char *function, cl_context context, cl_kernel kernel) {
    cl_uint i = 0;
    pthread_mutex_lock(&kernel->lock);
    while (i + 1 < kernel->meta->nargs && kernel->args[i].set)
        i++;
    pthread_mutex_unlock(&kernel->lock);
    return api_fail(context, function, CL_INVALID_KERNEL_ARGS, "argument %u (%s) of kernel %s isn't set", i,
                    kernel->meta->args[i].name, kernel->meta->name);
}

/* Kernel valid, of the queue's context, and with all arguments set, unless *is_unset is to tell. */
static cl_int check_kernel(const char *function, cl_command_queue queue, cl_kernel kernel, bool *is_unset) {
    if (!object_is(kernel, OBJECT_KERNEL))
        return handle_fail(queue->context, function, CL_INVALID_KERNEL, "kernel", kernel);
    if (!program_is_built_for(kernel->program, queue->device))
        return api_fail(queue->context, function, CL_INVALID_PROGRAM_EXECUTABLE,
                        "kernel %s wasn't built for the queue's device", kernel->meta->name);
    if (kernel->program->context != queue->context)
        return api_fail(queue->context, function, CL_INVALID_CONTEXT,
                        "kernel %s is of another context than the queue", kernel->meta->name);
    bool unset = atomic_load_explicit(&kernel->nunset, memory_order_relaxed);
    if (is_unset)
        *is_unset = unset;
    return unset && !is_unset ? fail_unset(function, queue->context, kernel) : CL_SUCCESS;
}

/* Reports why there is no code, with the compiler's log. The program was built: no code is the device's lack. */
static cl_int fail_code(const char *function, const struct code *of, cl_int error, char *log) {
    if (error == CL_BUILD_PROGRAM_FAILURE)
        error = CL_OUT_OF_RESOURCES;
    api_fail(of->program->context, function, error, "no code for kernel %s: %s", of->meta->name,
             log ? log : "no reason given");
    free(log);
    return error;
}

/* Whether sub-groups go over the ends of rows: of whole work-groups, or of those at the edges (local NULL). */
static bool are_one_row(const struct kernel_meta *meta, const struct sizes *s, uint32_t size,
                        const size_t *local) {
    size_t rows = s->local[1] * s->local[2];
    bool is_rest = !local && s->partial[0];
    return meta_is_one_row(meta, size, s->local[0], rows) ||
           (is_rest && meta_is_one_row(meta, size, s->global[0] % s->local[0], rows));
}

/* Fetches code for these sizes; local NULL: that of the groups at the edges. `facts`: REQUEST_ZERO_PRIVATE, REQUEST_APART. */
static struct variant *fetch_variant(const struct code *of, const struct sizes *s, const size_t *local,
                                     const struct constants *constants, uint32_t facts, cl_int *error,
                                     char **log) {
    uint32_t subgroup = 0, width = 0; /* 0: the usual one */
    if (of->meta->uses_subgroups) {
        size_t any = kernel_subgroup_size(of->meta, NULL), here = kernel_subgroup_size(of->meta, s->local);
        bool divides_rows = here < any && here < s->local[0]; /* code for any local size doesn't know that */
        subgroup = (uint32_t)(divides_rows ? here : any);
        width = divides_rows ? subgroup : 0;
        facts |= are_one_row(of->meta, s, subgroup, local) ? REQUEST_ONE_ROW : 0;
    }
    if (facts)
        width = (subgroup ? subgroup : env_get()->width) | facts;
    struct variant *v = variant_get(of->build, of->meta, local, constants, width, error, log);
    if (v && v->entry->flags & WEIR_SMALL_IDS && s->large)
        v = variant_get(of->build, of->meta, local, constants,
                        (subgroup ? subgroup : 1) | facts | REQUEST_LARGE_IDS, error, log);
    return v;
}

/* Context arena of one work-group, whose rows are of whole packs there; false: beyond all reason. */
static bool context_need(const struct weir_kernel *k, const size_t local[3], size_t *bytes) {
    struct group_rows rows = meta_group_rows(local, k->flags & WEIR_ONE_ROW);
    size_t need, width = k->width ? k->width : 1, items = meta_packs_of_row(rows, width) * width * rows.count;
    if (__builtin_mul_overflow(k->context_per_item, items, &need) ||
        __builtin_add_overflow(need, k->context_fixed, &need) || need > device_global_bytes() / 4)
        return false;
    if (need > *bytes)
        *bytes = need;
    return true;
}

/* Fetches code for these sizes and constants, and program-scope variables. `generic`: for any local size; `apart`: for buffers
 * that don't overlap. */
static cl_int choose_code(const char *function, const struct code *of, const struct sizes *s, bool generic,
                          const struct constants *constants, bool apart, struct choice *c) {
    cl_context context = of->program->context;
    uint32_t facts = (context->zeroes & CL_CONTEXT_MEMORY_INITIALIZE_PRIVATE_KHR ? REQUEST_ZERO_PRIVATE : 0) |
                     (apart && !kernel_is_checked(of->meta) ? REQUEST_APART : 0);
    cl_int error = CL_OUT_OF_RESOURCES;
    char *log = NULL;
    *c = (struct choice){0};
    if (!(c->full = fetch_variant(of, s, generic ? NULL : s->local, constants, facts, &error, &log)) ||
        (s->is_partial && !(c->rest = fetch_variant(of, s, NULL, constants, facts, &error, &log))) ||
        !variant_globals(of->build, &c->globals, &error, &log))
        return fail_code(function, of, error, log);
    if (!context_need(c->full->entry, s->local, &c->context_bytes) ||
        (c->rest && !context_need(c->rest->entry, s->local, &c->context_bytes)))
        return api_fail(context, function, CL_OUT_OF_RESOURCES,
                        "kernel %s needs too much private memory for work-groups of %zu work-items",
                        of->meta->name, s->local[0] * s->local[1] * s->local[2]);
    return CL_SUCCESS;
}

static cl_int check_resources(const char *function, const struct code *of, const struct launch *l) {
    cl_context context = of->program->context;
    if (l->local_bytes > WEIR_LOCAL_BYTES)
        return api_fail(context, function, CL_OUT_OF_RESOURCES,
                        "kernel %s needs %zu bytes of local memory, of %d", of->meta->name, l->local_bytes,
                        WEIR_LOCAL_BYTES);
    for (cl_uint i = 0; i < l->nmems; i++)
        if (l->mems[i]->parent && l->mems[i]->offset % WEIR_MEM_ALIGN)
            return api_fail(context, function, CL_MISALIGNED_SUB_BUFFER_OFFSET, "a sub-buffer's offset %zu",
                            l->mems[i]->offset);
    return CL_SUCCESS;
}

/* Nanoseconds, by what a work-group of this code took before. The application's thread may have exceptions raise signals. */
static uint64_t expected(const struct launch *l) {
    struct float_mode mode = float_mode_enter();
    float ns = atomic_load_explicit(&l->code.full->cost, memory_order_relaxed) * (float)groups_of(l);
    uint64_t whole = ns < 1e9f ? (uint64_t)ns : 1000000000;
    float_mode_leave(mode);
    return whole;
}

static void set_sizes(struct launch *l, const struct sizes *s) {
    for (int d = 0; d < 3; d++) {
        l->abi.global_size[d] = s->global[d];
        l->abi.global_offset[d] = s->offset[d];
        l->abi.local_size[d] = s->local[d];
        l->abi.num_groups[d] = s->groups[d];
        l->partial[d] = s->partial[d];
    }
    l->abi.work_dim = s->dim;
}

/* And with it where local arguments lie. */
static void set_choice(struct launch *l, const struct choice *c) {
    size_t before = c->full->entry->local_bytes, rest = c->rest ? c->rest->entry->local_bytes : 0;
    l->code = *c;
    l->abi.globals = c->globals;
    if ((c->full->entry->flags | (c->rest ? c->rest->entry->flags : 0)) & WEIR_ZERO_LOCAL)
        l->zeroes |= CL_CONTEXT_MEMORY_INITIALIZE_LOCAL_KHR;
    kernel_place_locals(l->of.meta, (void *)(uintptr_t)l->abi.args, before > rest ? before : rest,
                        &l->local_bytes);
}

/* The command's first part. A kernel that enqueues also has its program and the device's default queue. */
static void set_code(struct launch *l, cl_event e, const struct code *of) {
    l->of = *of;
    check_command_kernel(e->checked, of->meta->name);
    l->zeroes = e->context->zeroes;
    build_hold(of->build);
    e->cleanup = launch_cleanup;
    if (!of->meta->enqueues) {
        l->of.program = NULL;
        return;
    }
    object_hold(of->program);
    cl_command_queue queue = queue_default(e->context, e->device);
    l->abi.default_queue = (uintptr_t)queue;
    if (queue)
        l->queues[l->nqueues++] = queue;
}

/* For a trace. The bytes are those of all buffers that it has: as much as one can know from outside. */
static void describe(struct trace_command *r, const struct launch *l) {
    r->name = l->code.full->traced;
    r->items = l->abi.global_size[0] * l->abi.global_size[1] * l->abi.global_size[2];
    for (cl_uint i = 0; i < l->nmems; i++)
        r->bytes += l->mems[i]->size;
}

/* Fills the command: code, arguments, sizes. */
static cl_int prepare(const char *function, cl_kernel kernel, const struct sizes *s, cl_event e) {
    const struct code of = {kernel->program, kernel->build, kernel->meta};
    struct launch *l = e->payload;
    struct snapshot taken;
    l->mems = (cl_mem *)(l + 1);
    l->queues = (cl_command_queue *)(l->mems + of.meta->nargs);
    /* The widest OpenCL type asks for 128 bytes. */
    l->abi.args = taken.block = (void *)(((uintptr_t)(l->queues + queues_of(of.meta)) + 127) / 128 * 128);
    set_code(l, e, &of);
    taken.mems = l->mems;
    taken.queues = of.meta->enqueues ? l->queues : NULL;
    taken.nqueues = l->nqueues;
    cl_int error = kernel_snapshot(kernel, s, &taken);
    l->nmems = taken.nmems;
    l->nqueues = taken.nqueues;
    l->local_bytes = taken.local_bytes;
    if (error)
        return api_fail(e->context, function, error, "argument %u of kernel %s", taken.bad_arg,
                        of.meta->name);
    if (!taken.choice.full) {
        if ((error = choose_code(function, &of, s, false, &taken.constants, taken.apart, &taken.choice)))
            return error;
        kernel_remember(kernel, s, &taken);
    }
    set_choice(l, &taken.choice);
    if (kernel_is_checked(of.meta) && !(l->check = checked_open(kernel, taken.block, l->abi.globals)))
        return api_fail(e->context, function, CL_OUT_OF_HOST_MEMORY, "no memory to check kernel %s",
                        of.meta->name);
    if (l->check)
        checked_uses(e, kernel, l->check);
    set_sizes(l, s);
    e->expected = expected(l);
    if (e->traced)
        describe(e->traced, l);
    e->run = launch_run;
    return check_resources(function, &of, l);
}

cl_int launch_check(const char *function, cl_command_queue queue, cl_kernel kernel, cl_uint dim,
                    const size_t *offset, const size_t *global, const size_t *local, struct sizes *s,
                    bool *unset) {
    cl_int error = check_kernel(function, queue, kernel, unset);
    if (!error)
        error = ndrange_check_global(function, queue->context, dim, offset, global, s);
    if (!error && (local || !s->empty))
        error = ndrange_check_local(function, kernel->program, kernel->meta, local, s);
    return error;
}

cl_int launch_make(const char *function, cl_command_queue queue, cl_kernel kernel, const struct sizes *s,
                   cl_command_type type, cl_event *made) {
    size_t payload = s->empty ? 0
                              : sizeof(struct launch) + kernel->meta->nargs * sizeof(cl_mem) +
                                    queues_of(kernel->meta) * sizeof(cl_command_queue) + 128 +
                                    kernel->meta->args_bytes;
    cl_event e = command_new(queue, type, payload);
    if (!e)
        return command_no_memory(function, queue);
    cl_int error = s->empty ? CL_SUCCESS : prepare(function, kernel, s, e);
    if (error)
        object_drop(e);
    else
        *made = e;
    return error;
}

static cl_int enqueue(const char *function, cl_command_queue queue, cl_kernel kernel, cl_uint dim,
                      const size_t *offset, const size_t *global, const size_t *local, cl_command_type type,
                      struct enqueue_order o) {
    struct sizes s;
    cl_event e;
    cl_int error = order_check(function, queue, o);
    if (!error)
        error = launch_check(function, queue, kernel, dim, offset, global, local, &s, NULL);
    if (!error)
        error = launch_make(function, queue, kernel, &s, type, &e);
    return error ? error : order_command(function, e, o);
}

WEIR_API cl_int clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint work_dim,
                                       const size_t *global_work_offset, const size_t *global_work_size,
                                       const size_t *local_work_size, cl_uint nwait, const cl_event *wait,
                                       cl_event *event) {
    return enqueue(__func__, queue, kernel, work_dim, global_work_offset, global_work_size, local_work_size,
                   CL_COMMAND_NDRANGE_KERNEL, (struct enqueue_order){nwait, wait, false, event, NULL});
}

WEIR_API cl_int clEnqueueTask(cl_command_queue queue, cl_kernel kernel, cl_uint nwait, const cl_event *wait,
                              cl_event *event) {
    static const size_t one = 1;
    return enqueue(__func__, queue, kernel, 1, NULL, &one, &one, CL_COMMAND_TASK,
                   (struct enqueue_order){nwait, wait, false, event, NULL});
}

WEIR_API cl_int clGetKernelSuggestedLocalWorkSize(cl_command_queue queue, cl_kernel kernel, cl_uint work_dim,
                                                  const size_t *global_work_offset,
                                                  const size_t *global_work_size,
                                                  size_t *suggested_local_work_size) {
    struct sizes s;
    cl_int error = command_check(__func__, queue, 0, NULL);
    if (!error)
        error = check_kernel(__func__, queue, kernel, NULL);
    if (!error)
        error = ndrange_check_global(__func__, queue->context, work_dim, global_work_offset, global_work_size,
                                     &s);
    if (!error && s.empty)
        error = API_FAIL(queue->context, CL_INVALID_GLOBAL_WORK_SIZE, "there are no work-items");
    if (!error && !suggested_local_work_size)
        error = API_FAIL(queue->context, CL_INVALID_VALUE, "suggested_local_work_size is NULL");
    if (!error)
        error = ndrange_check_local(__func__, kernel->program, kernel->meta, NULL, &s);
    for (cl_uint d = 0; !error && d < work_dim; d++)
        suggested_local_work_size[d] = s.local[d];
    return error;
}

WEIR_API cl_int clGetKernelSuggestedLocalWorkSizeKHR(cl_command_queue queue, cl_kernel kernel,
                                                     cl_uint work_dim, const size_t *global_work_offset,
                                                     const size_t *global_work_size,
                                                     size_t *suggested_local_work_size) {
    return clGetKernelSuggestedLocalWorkSize(queue, kernel, work_dim, global_work_offset, global_work_size,
                                             suggested_local_work_size);
}

/* ---- blocks that kernels enqueue ------------------------------------------------------------------------------------ */

struct block_launch { /* payload */
    struct launch launch;
    struct sizes sizes;
    cl_command_queue default_queue; /* launch.queues */
    weir_u64 *local_bytes;          /* of arguments in local memory */
};

/* The part of the launch that waits until the command runs: code, and where local arguments lie. */
static cl_int child_run(void *payload, cl_event as) {
    struct block_launch *c = payload;
    struct launch *l = &c->launch;
    struct choice code;
    cl_int error = choose_code("enqueue_kernel", &l->of, &c->sizes, c->sizes.chosen, &(struct constants){0},
                               false, &code);
    if (error)
        return error;
    set_choice(l, &code);
    for (uint32_t i = 1; l->check && i < l->of.meta->nargs; i++) {
        uint64_t offset;
        memcpy(&offset, (const char *)l->abi.args + l->of.meta->args[i].offset, sizeof offset);
        check_launch_local(l->check, i, offset, c->local_bytes[i - 1]);
    }
    error = check_resources("enqueue_kernel", &l->of, l);
    return error ? error : launch_run(l, as);
}

/* The block's kernel has the literal as its first argument, then pointers to local memory of these sizes. */
static cl_int check_block(const struct kernel_meta *meta, const struct weir_enqueue *q) {
    const weir_u64 *bytes = (const weir_u64 *)q->local_bytes;
    uint64_t total = meta->local_bytes;
    if (meta->nargs != q->nlocal + 1 || meta->args[0].offset != 0)
        return CLK_ENQUEUE_FAILURE;
    for (uint32_t i = 0; i < q->nlocal; i++) {
        if (meta->args[i + 1].kind != ARG_LOCAL)
            return CLK_ENQUEUE_FAILURE;
        if (bytes[i] == 0)
            return CLK_INVALID_ARG_SIZE;
        total += bytes[i] <= WEIR_LOCAL_BYTES ? bytes[i] : WEIR_LOCAL_BYTES + 1;
        if (total > WEIR_LOCAL_BYTES)
            return CLK_OUT_OF_RESOURCES;
    }
    return CLK_SUCCESS;
}

static cl_int check_range(const struct code *of, const struct weir_range *r, struct sizes *s) {
    size_t given = 0;
    cl_int error =
        ndrange_check_global("enqueue_kernel", of->program->context, r->dim, r->offset, r->global_size, s);
    for (cl_uint d = 0; !error && d < r->dim; d++)
        given |= r->local_size[d];
    if (!error && (given || !s->empty))
        error = ndrange_check_local("enqueue_kernel", of->program, of->meta, given ? r->local_size : NULL, s);
    return error ? CLK_INVALID_NDRANGE : CLK_SUCCESS;
}

/* Takes room of the queue; false: it is full. */
static bool take_room(cl_command_queue queue, size_t bytes) {
    size_t before = atomic_fetch_add_explicit(&queue->used, bytes, memory_order_relaxed);
    if (bytes <= queue->size && before <= queue->size - bytes)
        return true;
    atomic_fetch_sub_explicit(&queue->used, bytes, memory_order_relaxed);
    return false;
}

cl_event launch_block(const struct run *run, cl_command_queue queue, const struct weir_enqueue *q,
                      cl_int *code) {
    const weir_u32 *literal = (const weir_u32 *)q->block;
    struct code of = run->launch->of;
    struct sizes s;
    of.meta = build_kernel(of.build, (const char *)q->name);
    *code = of.meta && of.meta->is_block ? check_block(of.meta, q) : CLK_ENQUEUE_FAILURE;
    if (!*code)
        *code = check_range(&of, (const struct weir_range *)q->range, &s);
    if (*code)
        return NULL;
    /* Arguments and literal begin at multiples of 128. */
    size_t args = (of.meta->args_bytes + 127) / 128 * 128, locals = q->nlocal * sizeof(weir_u64),
           copied = (literal[0] + 7) / 8 * 8,
           payload = sizeof(struct block_launch) + 128 + args + copied + locals,
           room = sizeof(struct _cl_event) + payload;
    if (!take_room(queue, room)) {
        *code = CLK_DEVICE_QUEUE_FULL;
        return NULL;
    }
    cl_event e = command_new(queue, CL_COMMAND_NDRANGE_KERNEL, payload);
    if (!e) {
        atomic_fetch_sub_explicit(&queue->used, room, memory_order_relaxed);
        *code = CLK_OUT_OF_RESOURCES;
        return NULL;
    }
    struct block_launch *c = e->payload;
    struct launch *l = &c->launch;
    char *block = (char *)(((uintptr_t)(c + 1) + 127) / 128 * 128);
    uint64_t copy = (uintptr_t)memcpy(block + args, literal, literal[0]);
    memcpy(block, &copy, sizeof copy);
    for (uint32_t i = 1; i < of.meta->nargs; i++) {
        uint64_t offset; /* of little: check_block */
        kernel_place_local(&l->local_bytes, ((const weir_u64 *)q->local_bytes)[i - 1], &offset);
        memcpy(block + of.meta->args[i].offset, &offset, sizeof offset);
    }
    c->sizes = s;
    c->local_bytes = (weir_u64 *)(block + args + copied);
    if (locals)
        memcpy(c->local_bytes, (const void *)q->local_bytes, locals);
    l->abi.args = block;
    l->queues = &c->default_queue;
    l->room = room;
    set_code(l, e, &of);
    if (!l->of.program) { /* for messages */
        object_hold(of.program);
        l->of.program = of.program;
    }
    if (run->check && !(l->check = checked_child(run->check, of.meta, block + args, literal[0]))) {
        object_drop(e);
        *code = CLK_OUT_OF_RESOURCES;
        return NULL;
    }
    if (!s.empty) {
        set_sizes(l, &s);
        e->run = child_run;
    }
    return e;
}

cl_event launch_event(const struct run *run) {
    return run->event;
}

const struct kernel_meta *launch_kernel(const struct run *run) {
    return run->launch->of.meta;
}

weir_u32 launch_ask(const struct run *run, const char *name, weir_u32 question,
                    const struct weir_range *range) {
    struct code of = run->launch->of;
    struct sizes s;
    of.meta = build_kernel(of.build, name);
    if (!of.meta)
        return 0;
    if (question == WEIR_GROUP_SIZE)
        return (weir_u32)kernel_group_size(of.meta);
    if (question == WEIR_GROUP_MULTIPLE)
        return (weir_u32)kernel_group_multiple(of.meta);
    if (question == WEIR_MOST_SUB_GROUPS)
        return (weir_u32)kernel_most_subgroups(of.meta);
    if (question == WEIR_SIZE_FOR) {
        kernel_size_for_subgroups(of.meta, range->local_size[0], 1, s.local);
        return (weir_u32)s.local[0];
    }
    if (check_range(&of, range, &s) || s.empty)
        return 0;
    return (weir_u32)(question == WEIR_SUB_GROUPS ? kernel_subgroup_count(of.meta, s.local)
                                                  : kernel_subgroup_size(of.meta, s.local));
}
