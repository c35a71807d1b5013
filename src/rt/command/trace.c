/* trace.c: WEIR_TRACE: what happened when, as records in memory.
 *
 * In: API calls (by the wrappers of icd.c), builds, commands, chunks of work-groups. Out: a file, which trace_file.c makes.
 *
 * What happens goes as a record into memory of the thread that sees it: no lock, no system call, nothing is formatted. When
 * the memory is full the thread takes more that another thread has ready, with its pages there. That thread also writes a
 * part of the file every PERIOD_S seconds, and when half of the memory that the trace may have is in use: so programs that
 * end soon write all of it at their end, others may run for days, and those that are killed leave a file. Off, nothing of
 * this runs but tests of pointers and of `trace_on` in places that are no part of a launch's own way.
 */
#define _GNU_SOURCE
#include "trace.h"

#include <cpuid.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { CHUNKS_OF_A_MIB = 16, READY = 8, HUGE_PAGE = 2 << 20, PERIOD_S = 2 };

bool trace_on, trace_has_ticks;

static struct {
    pthread_mutex_t writing;            /* held by who writes to the file; comes before `lock` */
    pthread_mutex_t lock;               /* guards chunks, ready, n, nready, is_kept, is_known, is_over */
    pthread_cond_t wanted;              /* a chunk has been taken */
    struct trace_chunk *chunks, *ready; /* the newest first */
    struct trace_chunk *free;           /* written to the file; what they hold is of no use any more */
    char *fresh, *fresh_end;            /* memory that no chunk has had yet */
    unsigned n, nready, most;
    bool is_kept;  /* a thread keeps some ready */
    bool is_known; /* to interrupt.c */
    bool is_over;  /* the last part is being written */
    bool is_begun; /* the file */
    _Atomic uint64_t ids, dropped;
    uint64_t start_ns, start_ticks;
} trace = {.writing = PTHREAD_MUTEX_INITIALIZER,
           .lock = PTHREAD_MUTEX_INITIALIZER,
           .wanted = PTHREAD_COND_INITIALIZER};
/* This thread's chunk, and where in it the next record begins; a forked child has none. Initial-exec: no call on the way of
 * each API call. */
static _Thread_local __attribute__((tls_model("initial-exec"))) struct {
    struct trace_chunk *chunk;
    char *at, *end;
} own;

/* ---- memory ---------------------------------------------------------------------------------------------------- */

/* A huge page's: small ones would cost more than all else that a trace does. False: no memory. */
static bool more_fresh_locked(void) {
    char *p =
        mmap(NULL, 2 * HUGE_PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED)
        return false;
    char *begin = p + (HUGE_PAGE - (uintptr_t)p % HUGE_PAGE) % HUGE_PAGE, *end = begin + HUGE_PAGE;
    if (begin > p)
        munmap(p, (size_t)(begin - p));
    if (end < p + 2 * HUGE_PAGE)
        munmap(end, (size_t)(p + 2 * HUGE_PAGE - end));
    madvise(begin, HUGE_PAGE, MADV_HUGEPAGE);
    trace.fresh = begin;
    trace.fresh_end = end;
    return true;
}

/* Zeros. *is_used: but for what a former use has left in it. NULL: no memory. */
static struct trace_chunk *chunk_take_locked(bool *is_used) {
    struct trace_chunk *c = trace.free;
    *is_used = c;
    if (c) {
        trace.free = c->next;
        return c;
    }
    if (trace.fresh == trace.fresh_end && !more_fresh_locked())
        return NULL;
    c = (struct trace_chunk *)(void *)trace.fresh;
    trace.fresh += sizeof *c;
    return c;
}

static void chunk_clear(struct trace_chunk *c, bool is_used) {
    enum { PAGE = 4096 };
    if (is_used) {
        memset(c, 0,
               offsetof(struct trace_chunk, bytes) + atomic_load_explicit(&c->used, memory_order_relaxed));
        return;
    }
    for (size_t i = 0; i < sizeof *c; i += PAGE) /* its pages are there from here on */
        ((volatile char *)c)[i] = 0;
}

/* Nothing will come to it. Threads that have ended leave their last chunk as it is. */
static bool is_complete(struct trace_chunk *c) {
    const struct trace_record *r;
    bool complete = c->is_full || (syscall(SYS_tgkill, getpid(), c->thread, 0) && errno == ESRCH);
    for (uint32_t at = 0; complete && (r = trace_next(c, &at));)
        complete = trace_is_done(r);
    return complete;
}

/* The chunks, the oldest first; malloc'd. NULL: there are none, or no memory. */
static struct trace_chunk **list_locked(size_t *n) {
    size_t i = 0;
    for (struct trace_chunk *c = trace.chunks; c; c = c->next)
        i++;
    struct trace_chunk **list = i ? calloc(i, sizeof(struct trace_chunk *)) : NULL;
    *n = i = list ? i : 0;
    for (struct trace_chunk *c = trace.chunks; i; c = c->next)
        list[--i] = c;
    return list;
}

/* Others may take the place of those that are complete from now on, while they are being written. */
static void leave_locked(struct trace_chunk *const *list, size_t n) {
    for (size_t i = 0; i < n; i++) {
        list[i]->is_leaving = is_complete(list[i]);
        trace.n -= list[i]->is_leaving;
    }
}

/* False: there is none. */
static bool free_left_locked(void) {
    bool any = false;
    for (struct trace_chunk **at = &trace.chunks, *c; (c = *at);) {
        if (!c->is_leaving) {
            at = &c->next;
            continue;
        }
        *at = c->next;
        c->next = trace.free;
        trace.free = c;
        any = true;
    }
    return any;
}

static void write_part(struct trace_chunk *const *chunks, size_t n, bool is_last) {
    struct trace_part part = {.chunks = chunks,
                              .nchunks = n,
                              .start_ns = trace.start_ns,
                              .start_ticks = trace.start_ticks,
                              .now_ns = time_ns(),
                              .now_ticks = trace_clock(),
                              .dropped = atomic_load(&trace.dropped),
                              .is_last = is_last};
    trace.is_begun = true;
    trace_write(&part);
}

/* With `lock`, which it gives up in between. False: no chunk can be used again. */
static bool write_new_locked(void) {
    struct trace_chunk **list = NULL;
    size_t n = 0;
    pthread_mutex_unlock(&trace.lock);
    pthread_mutex_lock(&trace.writing);
    pthread_mutex_lock(&trace.lock);
    if (!trace.is_over)
        list = list_locked(&n);
    leave_locked(list, n);
    pthread_mutex_unlock(&trace.lock);
    if (n)
        write_part(list, n, false);
    free(list);
    pthread_mutex_unlock(&trace.writing);
    pthread_mutex_lock(&trace.lock);
    return free_left_locked();
}

/* False: no memory. */
static bool make_ready_locked(void) {
    bool is_used;
    struct trace_chunk *c = chunk_take_locked(&is_used);
    if (c) {
        pthread_mutex_unlock(&trace.lock);
        chunk_clear(c, is_used);
        pthread_mutex_lock(&trace.lock);
        c->next = trace.ready;
        trace.ready = c;
        trace.nready++;
    }
    return c;
}

/* Until a chunk has been taken, or for PERIOD_S. */
static void wait_locked(void) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += PERIOD_S;
    pthread_cond_timedwait(&trace.wanted, &trace.lock, &until);
}

/* What couldn't be written stays in memory: commands that haven't ended. Then half of the rest is what may fill up. */
static void keep_ready_locked(void) {
    enum { PAUSE_NS = 100000000 };
    unsigned left = 0;
    uint64_t last_ns = time_ns();
    while (!trace.is_over && watchers_needed()) {
        bool is_half_full = trace.n >= left + (trace.most - left) / 2;
        if (is_half_full || time_ns() - last_ns >= PERIOD_S * 1000000000ull) {
            bool any = write_new_locked();
            left = trace.n;
            last_ns = time_ns();
            if (is_half_full && !any) {
                pthread_mutex_unlock(&trace.lock);
                nanosleep(&(struct timespec){0, PAUSE_NS}, NULL);
                pthread_mutex_lock(&trace.lock);
            }
        } else if (trace.n < 2 || trace.nready >= READY || trace.n + trace.nready >= trace.most ||
                   !make_ready_locked()) {
            wait_locked();
        }
    }
}

/* Ends with the last thread that adds to the trace, and leaves it whole. */
static void *keep_main(void *arg) {
    pthread_mutex_lock(&trace.lock);
    while (!trace.is_over && watchers_needed()) {
        keep_ready_locked();
        if (!trace.is_over)
            write_new_locked();
    }
    trace.is_kept = trace.is_over;
    pthread_mutex_unlock(&trace.lock);
    return arg;
}

void trace_rouse(void) {
    pthread_mutex_lock(&trace.lock);
    pthread_cond_broadcast(&trace.wanted);
    pthread_mutex_unlock(&trace.lock);
}

static void start_keeping_locked(void) {
    pthread_t thread;
    trace.is_kept = true;
    if (!worker_thread(&thread, 0, keep_main, NULL))
        pthread_detach(thread);
}

static void finish(void);

/* Once for some hundred records. */
static __attribute__((noinline)) bool next_chunk(void) {
    watchers_serve();
    pthread_mutex_lock(&trace.lock);
    struct trace_chunk *c = trace.ready;
    bool is_used;
    if (own.chunk)
        own.chunk->is_full = true;
    if (c) {
        trace.ready = c->next;
        trace.nready--;
    } else if (trace.n < trace.most && !trace.is_over && (c = chunk_take_locked(&is_used))) {
        chunk_clear(c, is_used);
    }
    if (c) {
        c->thread = (uint32_t)syscall(SYS_gettid);
        c->next = trace.chunks;
        trace.chunks = c;
        trace.n++;
    }
    if (!trace.is_kept && c)
        start_keeping_locked();
    if (!trace.is_known)
        interrupt_finish(finish);
    trace.is_known = true;
    if (trace.nready <= READY / 2)
        pthread_cond_signal(&trace.wanted);
    pthread_mutex_unlock(&trace.lock);
    own.chunk = c;
    own.at = c ? c->bytes : NULL;
    own.end = c ? c->bytes + sizeof c->bytes : NULL;
    if (!c)
        atomic_fetch_add_explicit(&trace.dropped, 1, memory_order_relaxed);
    return c;
}

static inline bool has_room(size_t size) {
    return (size_t)(own.end - own.at) >= size;
}

/* Room for a record of `size` bytes, zeros; `name`: so much of it follows the `fixed` first bytes. NULL: there is none. */
static inline struct trace_record *record_new(enum trace_kind kind, size_t fixed, const char *name) {
    size_t length = name ? strnlen(name, 255) + 1 : 0, size = (fixed + length + 7) / 8 * 8;
    if (!has_room(size) && !next_chunk())
        return NULL;
    struct trace_record *r = (struct trace_record *)own.at;
    r->kind = (uint8_t)kind;
    r->in_ns = false;
    r->size = (uint16_t)size;
    if (length)
        memcpy(own.at + fixed, name, length - 1);
    return r;
}

/* Now the trace's end sees it. Nobody else adds to the chunk. */
static inline void record_done(struct trace_record *r) {
    own.at = (char *)r + r->size;
    atomic_store_explicit(&own.chunk->used, (uint32_t)(own.at - own.chunk->bytes), memory_order_release);
}

/* ---- what happens ---------------------------------------------------------------------------------------------- */

_Thread_local __attribute__((tls_model("initial-exec"))) uint64_t trace_call_began;

/* A function of its own, so that the way of each call saves no registers. */
static __attribute__((noinline)) void call_in_next_chunk(const char *name, uint64_t begin, uint64_t end) {
    if (next_chunk())
        trace_call(name, begin, end);
}

void trace_call(const char *name, uint64_t begin, uint64_t end) {
    trace_call_began = 0;
    if (!has_room(sizeof(struct trace_record))) {
        call_in_next_chunk(name, begin, end);
        return;
    }
    struct trace_record *r = record_new(TRACE_CALL, sizeof *r, NULL);
    r->begin = begin;
    r->end = end;
    r->number = (uintptr_t)name;
    record_done(r);
}

static pthread_mutex_t names_lock = PTHREAD_MUTEX_INITIALIZER;

/* Names of kernels, which records point to: few, and never freed. */
const char *trace_keep(const char *name) {
    enum { LONGEST = 255, LISTS = 256 };
    static struct kept {
        struct kept *next;
        char name[];
    } *lists[LISTS];
    size_t length = strnlen(name, LONGEST), sum = 0;
    for (size_t i = 0; i < length; i++)
        sum = sum * 31 + (unsigned char)name[i];
    pthread_mutex_lock(&names_lock);
    struct kept **list = &lists[sum % LISTS], *k = *list;
    while (k && (strncmp(k->name, name, length) || k->name[length]))
        k = k->next;
    if (!k && (k = calloc(1, sizeof *k + length + 1))) {
        memcpy(k->name, name, length);
        k->next = *list;
        *list = k;
    }
    pthread_mutex_unlock(&names_lock);
    return k ? k->name : NULL;
}

void trace_groups(unsigned worker, const char *kept, uint64_t begin, uint64_t end, uint64_t groups) {
    struct trace_record *r = record_new(TRACE_GROUPS, sizeof(struct trace_groups), NULL);
    if (!r)
        return;
    ((struct trace_groups *)r)->name = kept;
    r->begin = begin;
    r->end = end;
    r->queue = worker;
    r->number = groups;
    record_done(r);
}

static void slice(enum trace_kind kind, const char *name, uint64_t begin_ns, uint64_t end_ns,
                  uint64_t number) {
    struct trace_record *r = record_new(kind, sizeof *r, name);
    if (!r)
        return;
    r->in_ns = true;
    r->begin = begin_ns;
    r->end = end_ns;
    r->number = number;
    record_done(r);
}

/* The phases are lines of nanoseconds and a name, the last one's end being the answer's. */
void trace_build(const char *what, const char *kernel, bool hit, const char *phases, uint64_t begin,
                 uint64_t end) {
    char name[256];
    snprintf(name, sizeof name, "%s%s%s%s", what, kernel ? " " : "", kernel ? kernel : "",
             hit ? " (cached)" : "");
    slice(TRACE_BUILD, name, begin, end, hit);
    uint64_t sum = 0, ns;
    for (const char *line = phases; !hit && line && *line; line += strcspn(line, "\n") + 1)
        sum += strtoull(line, NULL, 10);
    uint64_t at = sum < end - begin ? end - sum : begin;
    for (const char *line = phases; !hit && line && *line; line += strcspn(line, "\n") + 1) {
        char *rest;
        ns = strtoull(line, &rest, 10);
        snprintf(name, sizeof name, "%.*s", (int)strcspn(rest + 1, "\n"), rest + 1);
        slice(TRACE_PHASE, name, at, at + ns < end ? at + ns : end, 0);
        at += ns;
    }
}

void trace_command(cl_event e) {
    struct trace_record *r = record_new(TRACE_COMMAND, sizeof(struct trace_command), NULL);
    if (!r)
        return;
    e->traced = (struct trace_command *)r;
    e->trace_id = e->traced->id = atomic_fetch_add_explicit(&trace.ids, 1, memory_order_relaxed) + 1;
    r->queue = e->queue->number;
    r->in_ns = !e->in_ticks; /* until it ends, which it may never do */
    e->traced->queued = e->times[0];
    e->traced->type = e->type;
    record_done(r);
}

void trace_edge(cl_event to, cl_event from) {
    struct trace_record *r = to->trace_id && from->trace_id ? record_new(TRACE_EDGE, sizeof *r, NULL) : NULL;
    if (!r)
        return;
    r->begin = to->trace_id;
    r->end = from->trace_id;
    record_done(r);
}

void trace_end(cl_event e, cl_int status) {
    struct trace_command *c = e->traced;
    c->queued = e->times[0];
    c->submitted = e->times[1];
    c->head.begin = e->times[2];
    c->head.end = e->times[3];
    c->head.in_ns = !e->in_ticks;
    c->type = e->type;
    c->status = status;
    e->traced = NULL;
    atomic_store_explicit(&c->done, true, memory_order_release);
}

void trace_drop(cl_event e) {
    struct trace_command *c = e->traced;
    e->traced = NULL;
    e->trace_id = c->id = 0;
    atomic_store_explicit(&c->done, true, memory_order_release);
}

/* ---- beginning and end ----------------------------------------------------------------------------------------- */

/* A child has the parent's records in its memory, and writes its own alone. */
static void after_fork_child(void) {
    pthread_mutex_init(&trace.writing, NULL);
    pthread_mutex_init(&trace.lock, NULL);
    pthread_cond_init(&trace.wanted, NULL);
    pthread_mutex_init(&names_lock, NULL);
    trace_forget_file();
    own.chunk = NULL; /* of the one thread that there is */
    own.at = own.end = NULL;
    trace.chunks = trace.ready = trace.free = NULL;
    trace.fresh = trace.fresh_end = NULL; /* the parent may be filling it */
    trace.n = trace.nready = 0;
    trace.is_kept = trace.is_known = trace.is_over = trace.is_begun = false;
}

/* Whether the processor's counter is what the system's clock goes by: the same everywhere, at one speed. */
static bool has_ticks(void) {
    char name[16] = "";
    unsigned a, b, c, d;
    FILE *f = fopen("/sys/devices/system/clocksource/clocksource0/current_clocksource", "re");
    bool known = f && fgets(name, sizeof name, f) && !strcmp(name, "tsc\n");
    if (f)
        fclose(f);
    return known && __get_cpuid(0x80000007, &a, &b, &c, &d) && d & 1 << 8;
}

__attribute__((constructor)) static void trace_begin(void) {
    if (!env_get()->trace ||
        !output_is_possible(env_get()->trace, OUTPUT_TRACE)) /* said before the work is done, not after it */
        return;
    trace_has_ticks = has_ticks();
    trace.most = env_get()->trace_memory * CHUNKS_OF_A_MIB;
    trace.start_ns = time_ns();
    trace.start_ticks = trace_clock();
    trace_on = true;
    icd_trace();
    pthread_atfork(NULL, NULL, after_fork_child);
}

/* At the process's end, or where a signal ends it; once. */
static void finish(void) {
    struct trace_chunk **rest = NULL; /* threads that still run write to them: nothing is freed */
    size_t n = 0;
    pthread_mutex_lock(&trace.writing);
    pthread_mutex_lock(&trace.lock);
    bool is_first = !trace.is_over;
    trace.is_over = true;
    if (is_first)
        rest = list_locked(&n);
    pthread_mutex_unlock(&trace.lock);
    if (is_first && (n || trace.is_begun))
        write_part(rest, n, true);
    free(rest);
    pthread_mutex_unlock(&trace.writing);
}

__attribute__((destructor)) static void trace_finish(void) {
    if (trace_on)
        finish();
}
