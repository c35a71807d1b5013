/* commands.c: random commands of all kinds, some by command buffers, on three queues, in order and out of order, on the same few
 * pieces of memory. What touches the same words is in order: by the queue, an event, a marker, a barrier, or as the host has
 * waited; by no more than that. All memory must hold at the end what it holds where the commands run one after the other, and
 * so must what was read. Under the checker nothing is told; where one of those edges is left out, an `inter-command-race` is.
 *
 * In: FUZZ_SEED (first seed, default 1), FUZZ_COUNT (programs, default 400, 60 with WEIR_TEST_QUICK), FUZZ_FAILURES (per
 * configuration, before it gives up; default 1), FUZZ_REDUCE=0 (no shortening). Out: exit code 1 and the commands of programs
 * that fail, shortened while they do. Each configuration has a process of its own and takes its share of the seeds. */
#include "device.h"
#include "findings.h"
#include "session.h"

#include "cl_new.h"

// clang-format off
#define FUNCTIONS(X)                                                                                         \
    X(clCreateCommandBufferKHR) X(clFinalizeCommandBufferKHR) X(clReleaseCommandBufferKHR)                   \
    X(clEnqueueCommandBufferKHR) X(clCommandCopyBufferKHR) X(clCommandCopyBufferRectKHR)                     \
    X(clCommandFillBufferKHR) X(clCommandNDRangeKernelKHR) X(clCommandSVMMemFillKHR)
// clang-format on
#define DECLARE(function) static __typeof__(function) *function##_;
FUNCTIONS(DECLARE)

enum { WORDS = 1024, BUFFERS = 3, SVM = BUFFERS, AREAS, QUEUES = 3, OUT_OF_ORDER = 1, OPS = 60, ROW = 32 };

/* ---- programs ---- */

#define KINDS(X)                                                                                             \
    X(WRITE)                                                                                                 \
    X(READ)                                                                                                  \
    X(FILL) X(COPY) X(WRITE_RECT) X(READ_RECT) X(COPY_RECT) X(ADD) X(MIX) X(TURN) X(MAP) X(MIGRATE) X(OPEN)
#define NAME(kind) kind,
enum kind { KINDS(NAME) };
#undef NAME
#define NAME(kind) #kind,
static const char *const names[] = {KINDS(NAME)};

/* A command; it reads or writes `n` words of `area` from word `at` on. What has two areas reads the other one's. Rectangles
 * have `n / 8` words in each of eight rows, which are ROW words apart; in the other area twice that. */
struct op {
    enum kind kind;
    unsigned queue, area, at, n, other, from, value;
    unsigned ways; /* random bits: by what it is put behind others */
    bool blocks, is_gated, has_event, is_sub, is_recorded;
};

struct program {
    unsigned n;
    struct op ops[OPS];
};

static bool is_rect(enum kind kind) {
    return kind == WRITE_RECT || kind == READ_RECT || kind == COPY_RECT;
}

static bool is_kernel(enum kind kind) {
    return kind == ADD || kind == MIX || kind == TURN;
}

static void op_make(struct op *o) {
    *o = (struct op){.kind = below(COUNT(names)), .queue = below(QUEUES), .area = below(AREAS)};
    if (o->area == SVM && (is_rect(o->kind) || o->kind == COPY))
        o->kind = one_in(2) ? MIX : TURN;
    o->n = 8 * (1 + below(is_rect(o->kind) ? 16 : 32));
    o->at = below(is_rect(o->kind) ? WORDS - 8 * ROW : WORDS - o->n);
    o->other = (o->area + 1 + below(o->kind == MIX ? SVM : BUFFERS - 1)) % (o->kind == MIX ? AREAS : BUFFERS);
    o->from = below(o->kind == COPY_RECT ? WORDS - 16 * ROW : WORDS - o->n);
    o->is_sub = o->area != SVM && !is_rect(o->kind) && one_in(3);
    if (o->is_sub)
        o->at &= ~(unsigned)(ROW - 1);
    o->value = (unsigned)random_bits();
    o->ways = (unsigned)random_bits();
    o->blocks = one_in(12);
    o->is_gated = one_in(8);
    o->has_event = !one_in(5);
    o->is_recorded =
        one_in(4) && (is_kernel(o->kind) || o->kind == FILL || o->kind == COPY || o->kind == COPY_RECT);
}

static void program_make(unsigned long seed, struct program *p) {
    random_state = seed * 0x2545f4914f6cdd1d;
    p->n = 4 + below(OPS - 4);
    for (unsigned i = 0; i < p->n; i++)
        op_make(&p->ops[i]);
}

static void program_print(const struct program *p) {
    for (unsigned i = 0; i < p->n; i++) {
        const struct op *o = &p->ops[i];
        printf("%2u %-10s queue %u, area %u words %u to %u, area %u from %u, value %#x, ways %#x%s%s%s%s%s\n",
               i, names[o->kind], o->queue, o->area, o->at, o->at + o->n - 1, o->other, o->from, o->value,
               o->ways, o->blocks ? ", blocks" : "", o->is_gated ? ", gated" : "",
               o->has_event ? "" : ", no event", o->is_sub ? ", by a sub-buffer" : "",
               o->is_recorded ? ", recorded" : "");
    }
}

/* ---- what they touch and do ---- */

/* The place of the command's word `i` in its area, and of what it reads for it in the other one. */
static unsigned place(const struct op *o, unsigned i) {
    return is_rect(o->kind) ? o->at + i / (o->n / 8) * ROW + i % (o->n / 8) : o->at + i;
}
static unsigned other_place(const struct op *o, unsigned i) {
    return is_rect(o->kind) ? o->from + i / (o->n / 8) * 2 * ROW + i % (o->n / 8) : o->from + i;
}

static bool reads_other(enum kind kind) {
    return kind == COPY || kind == COPY_RECT || kind == MIX;
}
static bool writes(enum kind kind) {
    return kind != READ && kind != READ_RECT && kind != MIGRATE && kind != OPEN;
}

struct words {
    uint64_t bits[AREAS][WORDS / 64];
};

static void touched(const struct op *o, struct words *read, struct words *written) {
    memset(read, 0, sizeof *read);
    memset(written, 0, sizeof *written);
    for (unsigned i = 0; i < o->n && o->kind != MIGRATE && o->kind != OPEN; i++) {
        unsigned at = place(o, i), from = other_place(o, i);
        (writes(o->kind) ? written : read)->bits[o->area][at / 64] |= UINT64_C(1) << at % 64;
        if (reads_other(o->kind))
            read->bits[o->other][from / 64] |= UINT64_C(1) << from % 64;
    }
}

static bool meet(const struct words *a, const struct words *b) {
    for (unsigned area = 0; area < AREAS; area++)
        for (unsigned k = 0; k < WORDS / 64; k++)
            if (a->bits[area][k] & b->bits[area][k])
                return true;
    return false;
}

static bool conflict(const struct op *a, const struct op *b) {
    struct words ra, wa, rb, wb;
    touched(a, &ra, &wa);
    touched(b, &rb, &wb);
    return meet(&wa, &wb) || meet(&wa, &rb) || meet(&ra, &wb);
}

/* What the command does to the memory, or, if it reads, to the host's words. */
static void simulate(const struct op *o, uint32_t memory[AREAS][WORDS], uint32_t *host) {
    uint32_t *p = memory[o->area], old[WORDS];
    memcpy(old, p, sizeof old);
    for (unsigned i = 0; i < o->n; i++) {
        unsigned at = place(o, i), group = i / ROW * ROW,
                 last = group + ROW > o->n ? o->n - 1 : group + ROW - 1;
        uint32_t other = reads_other(o->kind) ? memory[o->other][other_place(o, i)] : 0;
        switch (o->kind) {
        case WRITE:
        case WRITE_RECT:
        case MAP:
            p[at] = o->value + i;
            break;
        case READ:
        case READ_RECT:
            host[i] = p[at];
            break;
        case FILL:
            p[at] = o->value;
            break;
        case COPY:
        case COPY_RECT:
            p[at] = other;
            break;
        case ADD:
            p[at] = p[at] * 3 + o->value;
            break;
        case MIX:
            p[at] += other * 5;
            break;
        case TURN:
            p[at] = old[o->at + last - (i - group)] + o->value;
            break;
        default:
            break;
        }
    }
}

static const char source[] =
    "kernel void add(global uint *p, uint at, uint v) { p += at; p[get_global_id(0)] = p[get_global_id(0)] * "
    "3 + v; }\n"
    "kernel void mix(global uint *p, uint at, uint v, global const uint *q, uint from) {\n"
    "    p[at + get_global_id(0)] += q[from + get_global_id(0)] * 5;\n"
    "}\n"
    "kernel void turn(global uint *p, uint at, uint v, local uint *t) {\n"
    "    t[get_local_id(0)] = p[at + get_global_id(0)];\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    p[at + get_global_id(0)] = t[get_local_size(0) - 1 - get_local_id(0)] + v;\n"
    "}\n";

/* ---- running them ---- */

/* What runs: sets of commands are bits, by their numbers. */
static struct {
    cl_command_queue queues[QUEUES];
    cl_kernel add, mix, turn;
    cl_mem buffers[BUFFERS];
    uint32_t *svm;
    uint64_t host;          /* what the host has waited for */
    uint64_t all[QUEUES];   /* what is over when all of the queue is */
    uint64_t fence[QUEUES]; /* what is over before the queue's next command begins */
    struct {
        cl_event event; /* or NULL */
        uint64_t over;  /* when the command is: itself, too */
    } commands[OPS];
    cl_event gates[OPS], extra[OPS * OPS];
    unsigned ngates, nextra;
    uint32_t memory[AREAS][WORDS], words[OPS][WORDS], read[OPS][WORDS];
} now;

static void open_gates(void) {
    while (now.ngates) {
        cl_event gate = now.gates[--now.ngates];
        must(clSetUserEventStatus(gate, CL_COMPLETE), "clSetUserEventStatus");
        must(clReleaseEvent(gate), "clReleaseEvent");
    }
}

struct waits {
    cl_event list[OPS + 2];
    cl_uint n;
    uint64_t over;
};

static void wait_also(struct waits *w, cl_event event, uint64_t over) {
    w->list[w->n++] = event;
    w->over |= over;
}

/* What was enqueued last is over only when all of these are. */
static void queue_goes_on(unsigned q, uint64_t over) {
    now.all[q] |= over;
    if (q != OUT_OF_ORDER)
        now.fence[q] |= over;
}

/* A marker in the queue of command `j`, or in another one if it has an event. */
static void wait_for_marker(struct waits *w, const struct program *p, unsigned j) {
    cl_event after = now.commands[j].event, *marker = &now.extra[now.nextra++];
    unsigned q = after ? p->ops[j].ways % QUEUES : p->ops[j].queue;
    must(clEnqueueMarkerWithWaitList(now.queues[q], after ? 1 : 0, after ? &after : NULL, marker),
         "clEnqueueMarkerWithWaitList");
    uint64_t over = now.host | now.fence[q] | (after ? now.commands[j].over : now.all[q]);
    queue_goes_on(q, over);
    wait_also(w, *marker, over);
}

static void put_barrier(const struct waits *w, unsigned q) {
    must(clEnqueueBarrierWithWaitList(now.queues[q], w->n, w->n ? w->list : NULL, NULL),
         "clEnqueueBarrierWithWaitList");
    now.fence[q] |= now.host | (w->n ? w->over : now.all[q]);
    now.all[q] |= now.fence[q];
}

/* Puts what `o` has to be enqueued with behind command `j`. */
static void put_behind(struct waits *w, const struct program *p, const struct op *o, unsigned j,
                       unsigned way) {
    cl_event event = now.commands[j].event;
    struct waits first = {0};
    switch (way % 8) {
    case 5:
        if (event)
            wait_also(&first, event, now.commands[j].over);
        else
            wait_for_marker(&first, p, j);
        put_barrier(&first, o->queue);
        return;
    case 6:
        open_gates();
        must(event ? clWaitForEvents(1, &event) : clFinish(now.queues[p->ops[j].queue]), "waiting");
        now.host |= event ? now.commands[j].over : now.all[p->ops[j].queue];
        return;
    case 7:
        wait_for_marker(w, p, j);
        return;
    default:
        if (event)
            wait_also(w, event, now.commands[j].over);
        else
            wait_for_marker(w, p, j);
    }
}

/* Puts command `i` behind all that it must not run beside, but for `left_out`. */
static void put_in_order(struct waits *w, const struct program *p, unsigned i, int left_out) {
    const struct op *o = &p->ops[i];
    for (unsigned j = i; j-- > 0;)
        if ((int)j != left_out && !((now.host | now.fence[o->queue] | w->over) >> j & 1) &&
            conflict(o, &p->ops[j]))
            put_behind(w, p, o, j, o->ways >> j % 24);
}

/* Of these the checker says nothing: maps are the host's own, and what is mapped is a place to copy from and to. */
static bool may_be_meant(const struct op *a, const struct op *b) {
    bool is_host = a->kind == MAP || (a->area == SVM && (a->kind == READ || a->kind == WRITE));
    return is_host && b->kind == MAP;
}

/* One that only an edge of its own puts before command `i`; -1: there is none. */
static int edge_that_counts(const struct program *p, unsigned i) {
    const struct op *o = &p->ops[i];
    for (unsigned j = i; j-- > 0;)
        if (!((now.host | now.fence[o->queue]) >> j & 1) && conflict(o, &p->ops[j]) &&
            !may_be_meant(o, &p->ops[j]) && !may_be_meant(&p->ops[j], o))
            return (int)j;
    return -1;
}

static cl_kernel kernel_with_arguments(const struct op *o, cl_mem mem) {
    cl_kernel k = o->kind == ADD ? now.add : o->kind == MIX ? now.mix : now.turn;
    cl_uint at = o->is_sub ? 0 : o->at;
    must(o->area == SVM ? clSetKernelArgSVMPointer(k, 0, now.svm) : clSetKernelArg(k, 0, sizeof mem, &mem),
         "argument 0");
    must(clSetKernelArg(k, 1, sizeof at, &at), "argument 1");
    must(clSetKernelArg(k, 2, sizeof o->value, &o->value), "argument 2");
    if (o->kind == TURN)
        must(clSetKernelArg(k, 3, sizeof(cl_uint) * ROW, NULL), "argument 3");
    if (o->kind == MIX) {
        must(o->other == SVM ? clSetKernelArgSVMPointer(k, 3, now.svm)
                             : clSetKernelArg(k, 3, sizeof(cl_mem), &now.buffers[o->other]),
             "argument 3");
        must(clSetKernelArg(k, 4, sizeof o->from, &o->from), "argument 4");
    }
    return k;
}

static void kernel_enqueue(const struct op *o, cl_mem mem, const struct waits *w, cl_event *event) {
    size_t global = o->n, local = ROW;
    must(clEnqueueNDRangeKernel(now.queues[o->queue], kernel_with_arguments(o, mem), 1, NULL, &global,
                                o->kind == TURN || o->value % 2 ? &local : NULL, w->n, w->n ? w->list : NULL,
                                event),
         "clEnqueueNDRangeKernel");
}

/* A rectangle as calls take it, in bytes, rows and slices. */
struct rect {
    size_t size[3], at[3], from[3];
};
static const size_t pitch = sizeof(uint32_t) * ROW; /* the other area's is twice that */

static struct rect rect_of(const struct op *o) {
    return (struct rect){{o->n / 2, 8, 1},
                         {4 * (o->at % ROW), o->at / ROW, 0},
                         {4 * (o->from % (2 * ROW)), o->from / (2 * ROW), 0}};
}

static void rect_enqueue(const struct op *o, uint32_t *host, const struct waits *w, cl_event *event) {
    cl_command_queue q = now.queues[o->queue];
    cl_mem mem = now.buffers[o->area];
    const struct rect r = rect_of(o);
    const size_t zero[3] = {0};
    const cl_event *list = w->n ? w->list : NULL;
    if (o->kind == COPY_RECT)
        must(clEnqueueCopyBufferRect(q, now.buffers[o->other], mem, r.from, r.at, r.size, 2 * pitch, 0, pitch,
                                     0, w->n, list, event),
             "clEnqueueCopyBufferRect");
    else if (o->kind == WRITE_RECT)
        must(clEnqueueWriteBufferRect(q, mem, o->blocks, r.at, zero, r.size, pitch, 0, 0, 0, host, w->n, list,
                                      event),
             "clEnqueueWriteBufferRect");
    else
        must(clEnqueueReadBufferRect(q, mem, o->blocks, r.at, zero, r.size, pitch, 0, 0, 0, host, w->n, list,
                                     event),
             "clEnqueueReadBufferRect");
}

/* The host writes; the command that is waited for is the one that unmaps. */
static void map_enqueue(const struct op *o, struct waits *w, cl_event *event) {
    cl_command_queue q = now.queues[o->queue];
    const cl_event *list = w->n ? w->list : NULL;
    cl_map_flags flags = o->value % 3 ? CL_MAP_WRITE : CL_MAP_WRITE_INVALIDATE_REGION;
    cl_int error = 0;
    uint32_t *words = now.svm + o->at;
    open_gates();
    if (o->area == SVM)
        error = clEnqueueSVMMap(q, CL_TRUE, flags, words, 4 * (size_t)o->n, w->n, list, NULL);
    else
        words = clEnqueueMapBuffer(q, now.buffers[o->area], CL_TRUE, flags, 4 * (size_t)o->at,
                                   4 * (size_t)o->n, w->n, list, NULL, &error);
    must(error, "mapping");
    now.host |= w->over | now.fence[o->queue];
    for (unsigned i = 0; i < o->n; i++)
        words[i] = o->value + i;
    must(o->area == SVM ? clEnqueueSVMUnmap(q, words, 0, NULL, event)
                        : clEnqueueUnmapMemObject(q, now.buffers[o->area], words, 0, NULL, event),
         "unmapping");
}

static void copy_enqueue(const struct op *o, cl_mem mem, uint32_t *host, const struct waits *w,
                         cl_event *event) {
    cl_command_queue q = now.queues[o->queue];
    const cl_event *list = w->n ? w->list : NULL;
    const size_t at = o->is_sub ? 0 : 4 * (size_t)o->at, n = 4 * (size_t)o->n;
    uint32_t *svm = o->area == SVM ? now.svm + o->at : NULL;
    cl_int error = 0;
    if (o->kind == FILL)
        error = svm ? clEnqueueSVMMemFill(q, svm, &o->value, 4, n, w->n, list, event)
                    : clEnqueueFillBuffer(q, mem, &o->value, 4, at, n, w->n, list, event);
    else if (o->kind == COPY)
        error =
            clEnqueueCopyBuffer(q, now.buffers[o->other], mem, 4 * (size_t)o->from, at, n, w->n, list, event);
    else if (o->kind == WRITE)
        error = svm ? clEnqueueSVMMemcpy(q, o->blocks, svm, host, n, w->n, list, event)
                    : clEnqueueWriteBuffer(q, mem, o->blocks, at, n, host, w->n, list, event);
    else if (o->kind == READ)
        error = svm ? clEnqueueSVMMemcpy(q, o->blocks, host, svm, n, w->n, list, event)
                    : clEnqueueReadBuffer(q, mem, o->blocks, at, n, host, w->n, list, event);
    else
        error = svm ? clEnqueueSVMMigrateMem(q, 1, (const void **)&svm, &n, 0, w->n, list, event)
                    : clEnqueueMigrateMemObjects(q, 1, &mem, 0, w->n, list, event);
    must(error, names[o->kind]);
}

/* By a command buffer of its own, which is gone before it runs. */
static void recorded_enqueue(const struct op *o, cl_mem mem, const struct waits *w, cl_event *event) {
    cl_int error;
    cl_command_buffer_khr b = clCreateCommandBufferKHR_(1, &now.queues[o->queue], NULL, &error);
    must(error, "clCreateCommandBufferKHR");
    const struct rect r = rect_of(o);
    const size_t global = o->n, local = ROW, n = 4 * global;
    const size_t start = o->is_sub ? 0 : 4 * (size_t)o->at;
    if (is_kernel(o->kind))
        error = clCommandNDRangeKernelKHR_(b, NULL, NULL, kernel_with_arguments(o, mem), 1, NULL, &global,
                                           o->kind == TURN ? &local : NULL, 0, NULL, NULL, NULL);
    else if (o->kind == COPY)
        error = clCommandCopyBufferKHR_(b, NULL, NULL, now.buffers[o->other], mem, 4 * (size_t)o->from, start,
                                        n, 0, NULL, NULL, NULL);
    else if (o->kind == COPY_RECT)
        error = clCommandCopyBufferRectKHR_(b, NULL, NULL, now.buffers[o->other], mem, r.from, r.at, r.size,
                                            2 * pitch, 0, pitch, 0, 0, NULL, NULL, NULL);
    else if (o->area == SVM)
        error = clCommandSVMMemFillKHR_(b, NULL, NULL, now.svm + o->at, &o->value, 4, n, 0, NULL, NULL, NULL);
    else
        error = clCommandFillBufferKHR_(b, NULL, NULL, mem, &o->value, 4, start, n, 0, NULL, NULL, NULL);
    must(error, "recording");
    must(clFinalizeCommandBufferKHR_(b), "clFinalizeCommandBufferKHR");
    must(clEnqueueCommandBufferKHR_(0, NULL, b, w->n, w->n ? w->list : NULL, event),
         "clEnqueueCommandBufferKHR");
    must(clReleaseCommandBufferKHR_(b), "clReleaseCommandBufferKHR");
}

static void enqueue(const struct op *o, uint32_t *host, struct waits *w, cl_event *event) {
    cl_mem mem = o->area == SVM ? NULL : now.buffers[o->area];
    cl_buffer_region region = {4 * (size_t)o->at, 4 * (size_t)o->n};
    cl_int error = 0;
    if (o->is_sub)
        mem = clCreateSubBuffer(mem, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error);
    must(error, "clCreateSubBuffer");
    for (unsigned i = 0; i < o->n && (o->kind == WRITE || o->kind == WRITE_RECT); i++)
        host[i] = o->value + i;
    if (o->is_recorded)
        recorded_enqueue(o, mem, w, event);
    else if (is_kernel(o->kind))
        kernel_enqueue(o, mem, w, event);
    else if (is_rect(o->kind))
        rect_enqueue(o, host, w, event);
    else if (o->kind == MAP)
        map_enqueue(o, w, event);
    else
        copy_enqueue(o, mem, host, w, event);
    if (o->is_sub)
        must(clReleaseMemObject(mem), "clReleaseMemObject");
}

/* Whether it runs beside one that it must not run beside, as `leaves_out` wanted it. */
static bool op_run(const struct program *p, unsigned i, bool leaves_out) {
    const struct op *o = &p->ops[i];
    struct waits w = {0};
    uint64_t *over = &now.commands[i].over;
    int left_out = leaves_out ? edge_that_counts(p, i) : -1;
    if (o->kind == OPEN) {
        open_gates();
        return false;
    }
    put_in_order(&w, p, i, left_out);
    if (o->is_gated && !o->blocks && o->kind != MAP) {
        cl_int error;
        now.gates[now.ngates] = clCreateUserEvent(cl.context, &error);
        must(error, "clCreateUserEvent");
        wait_also(&w, now.gates[now.ngates++], 0);
    }
    if (o->blocks)
        open_gates();
    enqueue(o, writes(o->kind) ? now.words[i] : now.read[i], &w,
            o->has_event ? &now.commands[i].event : NULL);
    uint64_t before = now.host | now.fence[o->queue] | w.over;
    *over = before | UINT64_C(1) << i;
    queue_goes_on(o->queue, *over);
    if (o->blocks && (o->kind == WRITE || o->kind == READ || o->kind == WRITE_RECT || o->kind == READ_RECT))
        now.host |= *over;
    simulate(o, now.memory, now.words[i]);
    return left_out >= 0 && !(before >> left_out & 1);
}

static void begin(void) {
    for (unsigned i = 0; i < AREAS * WORDS; i++) /* a write that changes nothing isn't told of */
        now.memory[i / WORDS][i % WORDS] = (i + 1) * 0x9e3779b1u;
    now.host = 0;
    now.ngates = now.nextra = 0;
    memset(now.commands, 0, sizeof now.commands);
    memset(now.read, 0, sizeof now.read);
    memset(now.words, 0, sizeof now.words);
    memcpy(now.svm, now.memory[SVM], sizeof now.memory[SVM]);
    for (unsigned i = 0; i < BUFFERS; i++)
        now.buffers[i] = buffer_new(sizeof now.memory[i], now.memory[i]);
    for (unsigned q = 0; q < QUEUES; q++) {
        cl_int error;
        cl_queue_properties list[] = {CL_QUEUE_PROPERTIES,
                                      q == OUT_OF_ORDER ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0, 0};
        now.queues[q] = clCreateCommandQueueWithProperties(cl.context, cl.device, list, &error);
        must(error, "clCreateCommandQueueWithProperties");
        now.all[q] = now.fence[q] = 0;
    }
}

/* The first word that isn't as it has to be, which goes to `found`. */
static bool differ(const uint32_t *got, const uint32_t *want, unsigned n, const char *what, unsigned number,
                   char *found, size_t room) {
    for (unsigned i = 0; i < n; i++)
        if (got[i] != want[i]) {
            snprintf(found, room, "%s %u, word %u is %#x, expected %#x", what, number, i, got[i], want[i]);
            return true;
        }
    return false;
}

/* Waits for all, and compares; whether something is wrong. */
static bool end(const struct program *p, char *found, size_t room) {
    uint32_t back[WORDS];
    bool wrong = false;
    open_gates();
    for (unsigned q = 0; q < QUEUES; q++)
        must(clFinish(now.queues[q]), "clFinish");
    for (unsigned i = 0; i < p->n; i++) {
        const struct op *o = &p->ops[i];
        if (!writes(o->kind) && now.commands[i].over)
            wrong =
                wrong || differ(now.read[i], now.words[i], o->n, "what is read by command", i, found, room);
        if (now.commands[i].event)
            must(clReleaseEvent(now.commands[i].event), "clReleaseEvent");
    }
    wrong = wrong || differ(now.svm, now.memory[SVM], WORDS, "area", SVM, found, room);
    for (unsigned i = 0; i < BUFFERS; i++) {
        must(clEnqueueReadBuffer(now.queues[0], now.buffers[i], CL_TRUE, 0, sizeof back, back, 0, NULL, NULL),
             "clEnqueueReadBuffer");
        must(clReleaseMemObject(now.buffers[i]), "clReleaseMemObject");
        wrong = wrong || differ(back, now.memory[i], WORDS, "area", i, found, room);
    }
    for (unsigned i = 0; i < now.nextra; i++)
        must(clReleaseEvent(now.extra[i]), "clReleaseEvent");
    for (unsigned q = 0; q < QUEUES; q++)
        must(clReleaseCommandQueue(now.queues[q]), "clReleaseCommandQueue");
    return wrong;
}

/* ---- trials ---- */

static const struct configuration {
    const char *name, *units;
    bool is_checked, leaves_out;
} configurations[] = {
    {"WEIR_CU=1", "1", false, false},
    {"WEIR_CU=3", "3", false, false},
    {"WEIR_CU=3 WEIR_CHECK=1", "3", true, false},
    {"WEIR_CU=1 WEIR_CHECK=1, an edge left out", "1", true, true},
};

static struct trial {
    const struct configuration *in;
    struct program program;
    bool has_left_out, is_wrong; /* the last run */
    char found[200];             /* why it is wrong */
    off_t findings_from;
} *trial; /* shared with children */

static void open_all(const struct configuration *c) {
    cl_int error[3];
    setenv("WEIR_CU", c->units, 1);
    if (c->is_checked)
        findings_collect();
    device_open();
#define FIND(function)                                                                                       \
    if (!(function##_ = clGetExtensionFunctionAddressForPlatform(cl.platform, #function)))                   \
        exit(1);
    FUNCTIONS(FIND)
    cl_program program = program_new(source, "-cl-std=CL3.0", false);
    if (!program)
        exit(1);
    now.add = clCreateKernel(program, "add", &error[0]);
    now.mix = clCreateKernel(program, "mix", &error[1]);
    now.turn = clCreateKernel(program, "turn", &error[2]);
    now.svm = clSVMAlloc(cl.context, 0, sizeof now.memory[SVM], 0);
    must(clReleaseProgram(program), "clReleaseProgram");
    if (error[0] || error[1] || error[2] || !now.svm)
        exit(1);
}

static void close_all(void) {
    clSVMFree(cl.context, now.svm);
    must(clReleaseKernel(now.add) | clReleaseKernel(now.mix) | clReleaseKernel(now.turn), "clReleaseKernel");
    device_close();
}

static void run_here(void) {
    static const char *const kinds[] = {"inter-command-race"};
    const struct program *p = &trial->program;
    struct trial *t = trial;
    t->findings_from = findings_size();
    t->has_left_out = false;
    begin();
    for (unsigned i = 0; i < p->n && !t->has_left_out; i++)
        t->has_left_out = op_run(p, i, t->in->leaves_out && i >= p->n / 2);
    t->is_wrong = end(p, t->found, sizeof t->found) && !t->has_left_out;
    unsigned told = t->in->is_checked ? findings_since(t->findings_from, kinds, COUNT(kinds)) : 0;
    if (told != t->has_left_out)
        snprintf(t->found, sizeof t->found, "%s",
                 told ? "a false alarm" : "two commands in no order aren't told of");
    t->is_wrong |= told != t->has_left_out;
}

static int run_apart(void *arg) {
    open_all(trial->in);
    run_here();
    close_all();
    return trial->is_wrong;
}

/* Whether the program gives something else than it has to, or is told of otherwise. What is told of an edge left out is told
 * once in a process, and not in every run: of two commands that touch a word at the same moment one may be lost. */
static bool fails(void) {
    progress->beats++;
    if (!trial->in->leaves_out) {
        run_here();
        return trial->is_wrong;
    }
    trial->is_wrong = true;
    for (int k = 0; k < 3 && trial->is_wrong; k++)
        if (child_run(run_apart, NULL) < 0)
            return true;
    return trial->is_wrong;
}

/* Leaves out commands while the program fails in one of three runs. */
static void reduce(void) {
    for (unsigned i = trial->program.n; i-- > 0;) {
        struct program all = trial->program, *p = &trial->program;
        bool failed = false;
        memmove(&p->ops[i], &p->ops[i + 1], (--p->n - i) * sizeof *p->ops);
        for (int k = 0; k < 3 && !failed; k++)
            failed = fails();
        if (!failed)
            *p = all;
    }
}

static void show(unsigned long seed) {
    printf("FUZZ_SEED=%lu, %s: %s\n", seed, trial->in->name, trial->found);
    findings_show(trial->findings_from);
    if (number_from("FUZZ_REDUCE", 1))
        reduce();
    printf("%s\n", fails() ? trial->found : "not in every run");
    program_print(&trial->program);
}

static int run_configuration(void *arg) {
    const struct configuration *c = arg;
    unsigned long first = number_from("FUZZ_SEED", 1), count = runs_asked(400, 60), failures = 0;
    trial->in = c;
    if (!c->leaves_out)
        open_all(c);
    for (unsigned long seed = first; seed < first + count && failures < number_from("FUZZ_FAILURES", 1);
         seed++) {
        if (&configurations[seed % COUNT(configurations)] != c)
            continue;
        progress->seed = seed;
        program_make(seed, &trial->program);
        bool wrong = fails();
        progress->count[trial->has_left_out]++;
        if (wrong)
            show(seed);
        failures += wrong;
        fflush(stdout);
    }
    if (!c->leaves_out)
        close_all();
    return failures > 0;
}

int main(void) {
    bool failed = false;
    trial = mmap(NULL, sizeof *trial, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (trial == MAP_FAILED)
        return 1;
    findings_begin();
    for (unsigned n = 0; n < COUNT(configurations); n++) {
        void *c = (void *)&configurations[n];
        int code = configurations[n].leaves_out ? run_configuration(c) : child_run(run_configuration, c);
        if (code < 0)
            printf("FUZZ_SEED=%lu, %s: signal %d\n", (unsigned long)progress->seed, configurations[n].name,
                   -code);
        failed |= code != 0;
    }
    findings_end();
    printf("%lu programs in order, %lu with an edge left out\n", (unsigned long)progress->count[0],
           (unsigned long)progress->count[1]);
    return failed;
}
