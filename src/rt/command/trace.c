/* trace.c: WEIR_TRACE: what happened when, as a file that Perfetto and other readers of Chrome's trace events open.
 *
 * In: API calls (by the wrappers of icd.c), builds, commands, chunks of work-groups. Out: at the end of the process one file:
 * slices of API calls and builds on a track for each thread, commands on tracks for each queue, work-groups on a track for
 * each worker, and arrows from the events that a command names to it.
 *
 * What happens goes as a record into memory of the thread that sees it; nothing is written before the end. Off, nothing of
 * this runs but tests of pointers and of `trace_on` in places that are no part of a launch's own way.
 */
#define _GNU_SOURCE
#include "rt.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { CHUNK = 1024, MOST_CHUNKS = 2048, MOST_LANES = 512 };

bool trace_on;

struct chunk {
    struct chunk *next;
    uint64_t generation;
    _Atomic uint32_t
        used; /* release: what is before it is filled in, but for commands, which say so themselves */
    struct trace_record at[CHUNK];
};
static struct {
    pthread_mutex_t lock; /* guards chunks, n, dropped */
    struct chunk *chunks;
    unsigned n;
    uint64_t generation; /* a forked child begins anew */
    _Atomic uint64_t ids, dropped;
    uint64_t start;
} trace = {.lock = PTHREAD_MUTEX_INITIALIZER};
static __thread struct chunk *own;

void trace_name(struct trace_record *r, const char *name) {
    memcpy(r->name, name, strnlen(name, sizeof r->name - 1)); /* records begin as zeros */
}

static struct trace_record *record_new(enum trace_kind kind, const char *name) {
    static __thread uint32_t tid;
    if (!own || own->generation != trace.generation ||
        atomic_load_explicit(&own->used, memory_order_relaxed) == CHUNK) {
        pthread_mutex_lock(&trace.lock);
        own = trace.n < MOST_CHUNKS ? calloc(1, sizeof *own) : NULL;
        if (own) {
            own->generation = trace.generation;
            own->next = trace.chunks;
            trace.chunks = own;
            trace.n++;
        }
        pthread_mutex_unlock(&trace.lock);
    }
    if (!own) {
        atomic_fetch_add_explicit(&trace.dropped, 1, memory_order_relaxed);
        return NULL;
    }
    if (!tid || own->used == 0)
        tid = (uint32_t)syscall(SYS_gettid);
    uint32_t at = atomic_load_explicit(&own->used, memory_order_relaxed);
    struct trace_record *r = &own->at[at];
    r->kind = kind;
    r->thread = tid;
    trace_name(r, name);
    return r;
}

static void record_done(void) {
    atomic_fetch_add_explicit(&own->used, 1, memory_order_release);
}

void trace_slice(enum trace_kind kind, const char *name, uint64_t begin, uint64_t end, uint64_t number) {
    struct trace_record *r = record_new(kind, name);
    if (!r)
        return;
    r->times[2] = begin;
    r->times[3] = end;
    r->bytes = number;
    atomic_store_explicit(&r->done, true, memory_order_relaxed);
    record_done();
}

void trace_groups(unsigned worker, const char *kernel, uint64_t begin, uint64_t groups) {
    struct trace_record *r = record_new(TRACE_GROUPS, kernel);
    if (!r)
        return;
    r->times[2] = begin;
    r->times[3] = time_ns();
    r->queue = worker;
    r->bytes = groups;
    atomic_store_explicit(&r->done, true, memory_order_relaxed);
    record_done();
}

/* The phases are lines of a name and nanoseconds, the last one's end being the answer's. */
void trace_build(const char *what, const char *kernel, bool hit, const char *phases, uint64_t begin,
                 uint64_t end) {
    char name[sizeof((struct trace_record *)0)->name];
    snprintf(name, sizeof name, "%s%s%s%s", what, kernel ? " " : "", kernel ? kernel : "",
             hit ? " (cached)" : "");
    trace_slice(TRACE_BUILD, name, begin, end, hit);
    uint64_t sum = 0, ns;
    for (const char *line = phases; !hit && line && *line; line += strcspn(line, "\n") + 1)
        sum += strtoull(line, NULL, 10);
    uint64_t at = sum < end - begin ? end - sum : begin;
    for (const char *line = phases; !hit && line && *line; line += strcspn(line, "\n") + 1) {
        char *rest;
        ns = strtoull(line, &rest, 10);
        snprintf(name, sizeof name, "%.*s", (int)strcspn(rest + 1, "\n"), rest + 1);
        trace_slice(TRACE_PHASE, name, at, at + ns < end ? at + ns : end, 0);
        at += ns;
    }
}

struct trace_record *trace_command(cl_command_queue queue) {
    struct trace_record *r = record_new(TRACE_COMMAND, "");
    if (!r)
        return NULL;
    r->id = atomic_fetch_add_explicit(&trace.ids, 1, memory_order_relaxed) + 1;
    r->queue = queue->number;
    record_done();
    return r;
}

void trace_edge(struct trace_record *to, const struct trace_record *from) {
    struct trace_record *r = to && from ? record_new(TRACE_EDGE, "") : NULL;
    if (!r)
        return;
    r->id = to->id;
    r->bytes = from->id;
    record_done();
}

void trace_end(cl_event e, cl_int status) {
    struct trace_record *r = e->traced;
    memcpy(r->times, e->times, sizeof r->times);
    r->type = e->type;
    r->status = status;
    atomic_store_explicit(&r->done, true, memory_order_release);
}

/* ---- the file ---- */

#define NAME(command) {CL_COMMAND_##command, #command}
static const struct {
    cl_command_type type;
    const char *name;
} command_names[] = {
    NAME(NDRANGE_KERNEL),
    NAME(TASK),
    NAME(NATIVE_KERNEL),
    NAME(READ_BUFFER),
    NAME(WRITE_BUFFER),
    NAME(COPY_BUFFER),
    NAME(READ_IMAGE),
    NAME(WRITE_IMAGE),
    NAME(COPY_IMAGE),
    NAME(MAP_BUFFER),
    NAME(COPY_IMAGE_TO_BUFFER),
    NAME(COPY_BUFFER_TO_IMAGE),
    NAME(MAP_IMAGE),
    NAME(MARKER),
    NAME(UNMAP_MEM_OBJECT),
    NAME(READ_BUFFER_RECT),
    NAME(WRITE_BUFFER_RECT),
    NAME(USER),
    NAME(COPY_BUFFER_RECT),
    NAME(BARRIER),
    NAME(FILL_BUFFER),
    NAME(FILL_IMAGE),
    NAME(MIGRATE_MEM_OBJECTS),
    NAME(SVM_FREE),
    NAME(SVM_MEMCPY),
    NAME(SVM_MEMFILL),
    NAME(SVM_MAP),
    NAME(SVM_UNMAP),
    NAME(SVM_MIGRATE_MEM),
    NAME(COMMAND_BUFFER_KHR),
};

static const char *command_name(cl_command_type type) {
    for (size_t i = 0; i < sizeof command_names / sizeof *command_names; i++)
        if (command_names[i].type == type)
            return command_names[i].name;
    return "COMMAND";
}

struct all { /* the records, in the order of their beginning */
    const struct trace_record **at;
    size_t n;
};

static int by_begin(const void *a, const void *b) {
    const struct trace_record *x = *(const struct trace_record *const *)a,
                              *y = *(const struct trace_record *const *)b;
    if (x->times[2] != y->times[2])
        return x->times[2] < y->times[2] ? -1 : 1;
    return (x->times[3] < y->times[3]) - (x->times[3] > y->times[3]); /* what holds others first */
}

static struct all gather(void) {
    struct all all = {0};
    pthread_mutex_lock(&trace.lock);
    all.at = malloc((size_t)trace.n * CHUNK * sizeof *all.at + 1);
    for (struct chunk *c = trace.chunks; all.at && c; c = c->next)
        for (uint32_t i = 0, n = atomic_load_explicit(&c->used, memory_order_acquire); i < n; i++)
            all.at[all.n++] = &c->at[i];
    pthread_mutex_unlock(&trace.lock);
    if (all.at)
        qsort(all.at, all.n, sizeof *all.at, by_begin);
    return all;
}

/* Tracks: threads have their own numbers; queues and workers get some beyond all threads'. */
enum { QUEUE_TRACK = 100000000, WORKER_TRACK = 200000000 };

static double us(uint64_t ns) {
    return ns > trace.start ? (double)(ns - trace.start) / 1e3 : 0;
}

static void write_head(FILE *f, const struct trace_record *r, const char *category, const char *name,
                       uint64_t track) {
    struct buf text = {0};
    buf_json(&text, name);
    fprintf(f, ",\n{\"ph\":\"X\",\"pid\":%d,\"tid\":%llu,\"ts\":%.3f,\"dur\":%.3f,\"cat\":\"%s\",\"name\":%s",
            (int)getpid(), (unsigned long long)track, us(r->times[2]),
            (double)(r->times[3] - r->times[2]) / 1e3, category, buf_cstr(&text) ? buf_cstr(&text) : "\"\"");
    buf_free(&text);
}

static void name_track(FILE *f, uint64_t track, const char *format, unsigned number, unsigned lane) {
    char name[64], more[16] = "";
    if (lane)
        snprintf(more, sizeof more, " (%u)", lane + 1);
    snprintf(name, sizeof name, format, number);
    fprintf(f,
            ",\n{\"ph\":\"M\",\"pid\":%d,\"tid\":%llu,\"name\":\"thread_name\",\"args\":{\"name\":\"%s%s\"}}",
            (int)getpid(), (unsigned long long)track, name, more);
}

/* Commands of a queue may overlap, and slices of a track may not: the first lane of the queue that is free. */
struct lanes {
    uint64_t *until; /* of queue q's lane l: [q * MOST_LANES + l]; 0: not used yet */
    unsigned nqueues;
};

static unsigned lane_of(struct lanes *lanes, const struct trace_record *r) {
    if (r->queue >= lanes->nqueues)
        return 0;
    uint64_t *until = lanes->until + (size_t)r->queue * MOST_LANES;
    unsigned lane = 0;
    while (lane + 1 < MOST_LANES && until[lane] > r->times[2])
        lane++;
    until[lane] = r->times[3];
    return lane;
}

static void write_command(FILE *f, const struct trace_record *r, uint64_t track) {
    write_head(f, r, "command", *r->name ? r->name : command_name(r->type), track);
    fprintf(f,
            ",\"args\":{\"command\":\"%s\",\"queued_us\":%.3f,\"submitted_us\":%.3f,\"started_us\":%.3f,"
            "\"ended_us\":%.3f,"
            "\"bytes\":%llu,\"work_items\":%llu,\"status\":%d}}",
            command_name(r->type), us(r->times[0]), us(r->times[1]), us(r->times[2]), us(r->times[3]),
            (unsigned long long)r->bytes, (unsigned long long)r->items, r->status);
}

struct place { /* of a command: by its id */
    const struct trace_record *record;
    uint64_t track;
};

static void write_arrow(FILE *f, const struct place *from, const struct place *to, size_t number) {
    if (!from->record || !to->record)
        return;
    const double end = us(from->record->times[3]);
    fprintf(f,
            ",\n{\"ph\":\"s\",\"pid\":%d,\"tid\":%llu,\"ts\":%.3f,\"cat\":\"event\",\"name\":\"event\","
            "\"id\":%zu}",
            (int)getpid(), (unsigned long long)from->track,
            end > us(from->record->times[2]) ? end - 0.001 : end, number);
    fprintf(f,
            ",\n{\"ph\":\"f\",\"bp\":\"e\",\"pid\":%d,\"tid\":%llu,\"ts\":%.3f,\"cat\":\"event\",\"name\":"
            "\"event\",\"id\":%zu}",
            (int)getpid(), (unsigned long long)to->track, us(to->record->times[2]), number);
}

static void write_records(FILE *f, const struct all *all) {
    uint64_t nids = atomic_load(&trace.ids) + 1;
    unsigned nqueues = 0, nworkers = 0;
    for (size_t i = 0; i < all->n; i++) {
        const struct trace_record *r = all->at[i];
        if (r->kind == TRACE_COMMAND && r->queue >= nqueues)
            nqueues = r->queue + 1;
    }
    struct lanes lanes = {calloc((size_t)nqueues * MOST_LANES + 1, sizeof *lanes.until), nqueues};
    struct place *places = calloc(nids, sizeof *places);
    bool workers[4096] = {0};
    for (size_t i = 0; lanes.until && places && i < all->n; i++) {
        const struct trace_record *r = all->at[i];
        if (!atomic_load_explicit(&r->done, memory_order_acquire))
            continue;
        if (r->kind == TRACE_COMMAND) {
            uint64_t track = QUEUE_TRACK + (uint64_t)r->queue * MOST_LANES + lane_of(&lanes, r);
            places[r->id < nids ? r->id : 0] = (struct place){r, track};
            write_command(f, r, track);
        } else if (r->kind == TRACE_GROUPS) {
            unsigned worker = r->queue < 4096 ? r->queue : 4095;
            workers[worker] = true;
            nworkers = worker >= nworkers ? worker + 1 : nworkers;
            write_head(f, r, "groups", r->name, WORKER_TRACK + worker);
            fprintf(f, ",\"args\":{\"groups\":%llu}}", (unsigned long long)r->bytes);
        } else {
            static const char *const categories[] = {
                [TRACE_CALL] = "api", [TRACE_BUILD] = "build", [TRACE_PHASE] = "phase"};
            write_head(f, r, categories[r->kind], r->name, r->thread);
            fprintf(f, r->kind == TRACE_BUILD ? ",\"args\":{\"cached\":%s}}" : "}",
                    r->bytes ? "true" : "false");
        }
    }
    for (size_t i = 0; places && i < all->n; i++)
        if (all->at[i]->kind == TRACE_EDGE && all->at[i]->id < nids && all->at[i]->bytes < nids)
            write_arrow(f, &places[all->at[i]->bytes], &places[all->at[i]->id], i + 1);
    for (unsigned q = 0; lanes.until && q < nqueues; q++)
        for (unsigned l = 0; l < MOST_LANES && lanes.until[(size_t)q * MOST_LANES + l]; l++)
            name_track(f, QUEUE_TRACK + (uint64_t)q * MOST_LANES + l, "queue %u", q, l);
    for (unsigned w = 0; w < nworkers; w++)
        if (workers[w])
            name_track(f, WORKER_TRACK + w, "worker %u", w, 0);
    free(places);
    free(lanes.until);
}

static void write_file(void) {
    char path[PATH_MAX];
    env_file_name(env_get()->trace, path, sizeof path);
    struct all all = gather();
    FILE *f = fopen(path, "we");
    bool ok = f && all.at;
    if (ok) {
        struct buf program = {0};
        buf_json(&program, program_invocation_short_name);
        fprintf(f,
                "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"weir\":\"" WEIR_VERSION
                "\",\"dropped\":%llu},\"traceEvents\":[\n",
                (unsigned long long)atomic_load(&trace.dropped));
        fprintf(f, "{\"ph\":\"M\",\"pid\":%d,\"name\":\"process_name\",\"args\":{\"name\":%s}}",
                (int)getpid(), buf_cstr(&program) ? buf_cstr(&program) : "\"\"");
        buf_free(&program);
        write_records(f, &all);
        fputs("\n]}\n", f);
        ok = !ferror(f);
    }
    if (f)
        ok = !fclose(f) && ok;
    char *text = NULL;
    if (!ok && asprintf(&text, "cannot write the trace %s: %s", path, strerror(errno)) >= 0)
        log_line(env_get()->log_json, LOG_ERROR, text);
    free(text);
    free(all.at);
}

/* A child has the parent's records in its memory, and writes its own alone. */
static void after_fork_child(void) {
    trace.lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    trace.generation++;
    trace.chunks = NULL;
    trace.n = 0;
}

__attribute__((constructor)) static void trace_begin(void) {
    if (!env_get()->trace)
        return;
    trace.start = time_ns();
    trace_on = true;
    icd_trace();
    pthread_atfork(NULL, NULL, after_fork_child);
}

__attribute__((destructor)) static void trace_finish(void) {
    if (trace_on && trace.n)
        write_file();
}
