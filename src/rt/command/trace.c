/* trace.c: WEIR_TRACE: what happened when, as records in memory.
 *
 * In: API calls (by the wrappers of icd.c), builds, commands, chunks of work-groups. Out: at the end of the process one file,
 * which trace_file.c makes.
 *
 * What happens goes as a record into memory of the thread that sees it: no lock, no system call, nothing is formatted. When
 * the memory is full the thread takes more that another thread has ready, with its pages there. Off, nothing of this runs
 * but tests of pointers and of `trace_on` in places that are no part of a launch's own way.
 */
#define _GNU_SOURCE
#include "trace.h"

#include <cpuid.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { MOST_CHUNKS = 4096, READY = 4 };

bool trace_on, trace_has_ticks;

static struct {
    pthread_mutex_t lock;  /* guards chunks, ready, n, nready, is_kept */
    pthread_cond_t wanted; /* fewer are ready than should be */
    struct trace_chunk *chunks, *ready;
    unsigned n, nready;
    bool is_kept;        /* a thread keeps some ready */
    uint64_t generation; /* a forked child begins anew */
    _Atomic uint64_t ids, dropped;
    uint64_t start_ns, start_ticks;
} trace = {.lock = PTHREAD_MUTEX_INITIALIZER, .wanted = PTHREAD_COND_INITIALIZER};
/* Initial-exec: no call on the way of each API call. */
static _Thread_local __attribute__((tls_model("initial-exec"))) struct trace_chunk *own;

/* ---- memory ---------------------------------------------------------------------------------------------------- */

static struct trace_chunk *chunk_new(void) {
    void *p = mmap(NULL, sizeof(struct trace_chunk), PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
    return p == MAP_FAILED ? NULL : p;
}

static void *keep_ready(void *arg) {
    pthread_mutex_lock(&trace.lock);
    while (trace.n + trace.nready < MOST_CHUNKS) {
        if (trace.nready >= READY) {
            pthread_cond_wait(&trace.wanted, &trace.lock);
            continue;
        }
        pthread_mutex_unlock(&trace.lock);
        struct trace_chunk *c = chunk_new();
        pthread_mutex_lock(&trace.lock);
        if (!c)
            break;
        c->next = trace.ready;
        trace.ready = c;
        trace.nready++;
    }
    pthread_mutex_unlock(&trace.lock);
    return arg;
}

static void start_keeping_locked(void) {
    pthread_t thread;
    trace.is_kept = true;
    if (!worker_thread(&thread, 0, keep_ready, NULL))
        pthread_detach(thread);
}

/* Once for some hundred records. */
static __attribute__((noinline)) bool next_chunk(void) {
    pthread_mutex_lock(&trace.lock);
    struct trace_chunk *c = trace.ready;
    if (c) {
        trace.ready = c->next;
        trace.nready--;
    } else if (trace.n < MOST_CHUNKS) {
        c = chunk_new();
    }
    if (c) {
        c->generation = trace.generation;
        c->thread = (uint32_t)syscall(SYS_gettid);
        c->next = trace.chunks;
        trace.chunks = c;
        trace.n++;
    }
    if (!trace.is_kept && trace.n > 1)
        start_keeping_locked();
    pthread_cond_signal(&trace.wanted);
    pthread_mutex_unlock(&trace.lock);
    own = c;
    return c;
}

/* Room for a record of `size` bytes, zeros; `name`: so much of it follows the `fixed` first bytes. NULL: there is none. */
static inline struct trace_record *record_new(enum trace_kind kind, size_t fixed, const char *name) {
    size_t length = name ? strnlen(name, 255) + 1 : 0, size = (fixed + length + 7) / 8 * 8;
    bool fits = own && own->generation == trace.generation &&
                atomic_load_explicit(&own->used, memory_order_relaxed) + size <= sizeof own->bytes;
    if (!fits && !next_chunk()) {
        atomic_fetch_add_explicit(&trace.dropped, 1, memory_order_relaxed);
        return NULL;
    }
    char *at = own->bytes + atomic_load_explicit(&own->used, memory_order_relaxed);
    struct trace_record *r = (struct trace_record *)at;
    r->kind = (uint8_t)kind;
    r->size = (uint16_t)size;
    if (length)
        memcpy(at + fixed, name, length - 1);
    return r;
}

/* Now the trace's end sees it. */
static inline void record_done(const struct trace_record *r) {
    atomic_fetch_add_explicit(&own->used, r->size, memory_order_release);
}

/* ---- what happens ---------------------------------------------------------------------------------------------- */

void trace_call(const char *name, uint64_t begin) {
    struct trace_record *r = record_new(TRACE_CALL, sizeof *r, NULL);
    if (!r)
        return;
    r->begin = begin;
    r->end = trace_clock();
    r->number = (uintptr_t)name;
    record_done(r);
}

void trace_groups(unsigned worker, const char *kernel, uint64_t begin, uint64_t groups) {
    struct trace_record *r = record_new(TRACE_GROUPS, sizeof *r, kernel);
    if (!r)
        return;
    r->begin = begin;
    r->end = trace_clock();
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

void trace_name(struct trace_command *r, const char *name) {
    memcpy(r->name, name, strnlen(name, sizeof r->name - 1)); /* records begin as zeros */
}

struct trace_command *trace_command(cl_command_queue queue) {
    struct trace_record *r = record_new(TRACE_COMMAND, sizeof(struct trace_command), NULL);
    if (!r)
        return NULL;
    struct trace_command *c = (struct trace_command *)r;
    c->id = atomic_fetch_add_explicit(&trace.ids, 1, memory_order_relaxed) + 1;
    r->queue = queue->number;
    record_done(r);
    return c;
}

void trace_edge(struct trace_command *to, const struct trace_command *from) {
    struct trace_record *r = to && from ? record_new(TRACE_EDGE, sizeof *r, NULL) : NULL;
    if (!r)
        return;
    r->begin = to->id;
    r->end = from->id;
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
    atomic_store_explicit(&c->done, true, memory_order_release);
}

/* ---- beginning and end ----------------------------------------------------------------------------------------- */

/* A child has the parent's records in its memory, and writes its own alone. */
static void after_fork_child(void) {
    pthread_mutex_init(&trace.lock, NULL);
    pthread_cond_init(&trace.wanted, NULL);
    trace.generation++;
    trace.chunks = trace.ready = NULL;
    trace.n = trace.nready = 0;
    trace.is_kept = false;
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
    if (!env_get()->trace)
        return;
    trace_has_ticks = has_ticks();
    trace.start_ns = time_ns();
    trace.start_ticks = trace_clock();
    trace_on = true;
    icd_trace();
    pthread_atfork(NULL, NULL, after_fork_child);
}

__attribute__((destructor)) static void trace_finish(void) {
    if (!trace_on || !trace.n)
        return;
    struct trace_end end = {.start_ns = trace.start_ns,
                            .start_ticks = trace.start_ticks,
                            .end_ns = time_ns(),
                            .end_ticks = trace_clock(),
                            .ids = atomic_load(&trace.ids),
                            .dropped = atomic_load(&trace.dropped)};
    pthread_mutex_lock(&trace.lock);
    struct trace_chunk *in_order = NULL; /* as they came */
    for (struct trace_chunk *c = trace.chunks, *next; c; c = next) {
        next = c->next;
        c->next = in_order;
        in_order = c;
    }
    end.chunks = trace.chunks = in_order;
    pthread_mutex_unlock(&trace.lock);
    trace_write(&end);
}
