/* trace_file.c: WEIR_TRACE's file: JSON that Perfetto and other readers of Chrome's trace events open.
 *
 * In: the records of trace.c. Out: slices of API calls and builds on a track for each thread, commands on tracks for each
 * queue, work-groups on a track for each worker, and arrows from the events that a command names to it.
 */
#define _GNU_SOURCE
#include "trace.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_LANES = 512, MOST_WORKERS = 4096 };

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

/* ---- text, fast -------------------------------------------------------------------------------------------------- */

struct out {
    int fd;
    bool failed;
    size_t size;
    char head[64]; /* what all slices begin with: the process's number */
    const struct trace_end *end;
    char bytes[1 << 16];
};

static void flush(struct out *o) {
    o->failed = o->failed || !write_all(o->fd, o->bytes, o->size);
    o->size = 0;
}

static void put_bytes(struct out *o, const char *text, size_t n) {
    if (o->size + n > sizeof o->bytes)
        flush(o);
    if (n <= sizeof o->bytes) {
        memcpy(o->bytes + o->size, text, n);
        o->size += n;
    }
}

static void put(struct out *o, const char *text) {
    put_bytes(o, text, strlen(text));
}

static void put_number(struct out *o, uint64_t n) {
    char digits[24];
    size_t at = sizeof digits;
    do
        digits[--at] = (char)('0' + n % 10);
    while (n /= 10);
    put_bytes(o, digits + at, sizeof digits - at);
}

/* Nanoseconds as microseconds. */
static void put_us(struct out *o, uint64_t ns) {
    uint64_t part = ns % 1000;
    char text[4] = {'.', (char)('0' + part / 100), (char)('0' + part / 10 % 10), (char)('0' + part % 10)};
    put_number(o, ns / 1000);
    put_bytes(o, text, sizeof text);
}

static void put_string(struct out *o, const char *text) {
    struct buf b = {0};
    size_t n = strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_ ()");
    if (!text[n]) {
        put(o, "\"");
        put_bytes(o, text, n);
        put(o, "\"");
        return;
    }
    buf_json(&b, text);
    put(o, buf_cstr(&b) ? buf_cstr(&b) : "\"\"");
    buf_free(&b);
}

/* ---- times --------------------------------------------------------------------------------------------------------- */

/* Nanoseconds since the trace's beginning. */
static uint64_t since(const struct trace_end *e, uint64_t time, bool in_ns) {
    if (!in_ns && trace_has_ticks) {
        uint64_t ticks = e->end_ticks - e->start_ticks;
        unsigned __int128 scaled = (unsigned __int128)(e->end_ns - e->start_ns) * (time - e->start_ticks);
        return time < e->start_ticks || !ticks ? 0 : (uint64_t)(scaled / ticks);
    }
    return time > e->start_ns ? time - e->start_ns : 0;
}

/* ---- records ------------------------------------------------------------------------------------------------------- */

/* The next record of the chunk; NULL: none. *at: bytes before it. */
static const struct trace_record *next_record(const struct trace_chunk *c, uint32_t *at) {
    if (*at >= atomic_load_explicit(&c->used, memory_order_acquire))
        return NULL;
    const struct trace_record *r = (const struct trace_record *)(c->bytes + *at);
    *at += r->size;
    return r;
}

struct command { /* that has ended */
    const struct trace_command *of;
    uint64_t begin, end, track;
};
struct all {
    struct command *commands;
    size_t n;
    struct command **by_id;
    uint64_t *until; /* of queue q's lane l: [q * MOST_LANES + l]; 0: not used yet */
    unsigned nqueues;
    bool workers[MOST_WORKERS];
};

static int by_begin(const void *a, const void *b) {
    const struct command *x = a, *y = b;
    if (x->begin != y->begin)
        return x->begin < y->begin ? -1 : 1;
    return (x->end < y->end) - (x->end > y->end); /* what holds others first */
}

/* Tracks: threads have their own numbers; queues and workers get some beyond all threads'. */
enum { QUEUE_TRACK = 100000000, WORKER_TRACK = 200000000 };

/* Commands of a queue may overlap, and slices of a track may not: the first lane of the queue that is free. */
static unsigned lane_of(struct all *all, const struct command *c) {
    uint64_t *until = all->until + (size_t)c->of->head.queue * MOST_LANES;
    unsigned lane = 0;
    while (lane + 1 < MOST_LANES && until[lane] > c->begin)
        lane++;
    until[lane] = c->end ? c->end : 1;
    return lane;
}

/* Finds the commands, and their tracks. False: no memory. */
static bool gather(struct all *all, const struct trace_end *e) {
    size_t n = 0;
    for (const struct trace_chunk *c = e->chunks; c; c = c->next)
        for (uint32_t at = 0; next_record(c, &at);)
            n++;
    all->commands = calloc(n + 1, sizeof *all->commands);
    all->by_id = calloc(e->ids + 1, sizeof *all->by_id);
    for (const struct trace_chunk *c = e->chunks; all->commands && c; c = c->next) {
        const struct trace_record *r;
        for (uint32_t at = 0; (r = next_record(c, &at));) {
            const struct trace_command *of = (const struct trace_command *)r;
            if (r->kind != TRACE_COMMAND || !atomic_load_explicit(&of->done, memory_order_acquire))
                continue;
            all->commands[all->n++] =
                (struct command){of, since(e, r->begin, r->in_ns), since(e, r->end, r->in_ns), 0};
            all->nqueues = r->queue >= all->nqueues ? r->queue + 1 : all->nqueues;
        }
    }
    all->until = calloc((size_t)all->nqueues * MOST_LANES + 1, sizeof *all->until);
    if (!all->commands || !all->by_id || !all->until)
        return false;
    qsort(all->commands, all->n, sizeof *all->commands, by_begin);
    for (size_t i = 0; i < all->n; i++) {
        struct command *c = &all->commands[i];
        c->track = QUEUE_TRACK + (uint64_t)c->of->head.queue * MOST_LANES + lane_of(all, c);
        if (c->of->id <= e->ids)
            all->by_id[c->of->id] = c;
    }
    return true;
}

/* ---- the file ------------------------------------------------------------------------------------------------------ */

static void put_slice(struct out *o, const char *category, const char *name, uint64_t track, uint64_t begin,
                      uint64_t end) {
    put(o, o->head);
    put_number(o, track);
    put(o, ",\"ts\":");
    put_us(o, begin);
    put(o, ",\"dur\":");
    put_us(o, end > begin ? end - begin : 0);
    put(o, ",\"cat\":\"");
    put(o, category);
    put(o, "\",\"name\":");
    put_string(o, name);
}

static void put_command(struct out *o, const struct command *c) {
    const struct trace_command *of = c->of;
    const char *name = command_name(of->type);
    put_slice(o, "command", *of->name ? of->name : name, c->track, c->begin, c->end);
    put(o, ",\"args\":{\"command\":\"");
    put(o, name);
    put(o, "\",\"queued_us\":");
    put_us(o, since(o->end, of->queued, of->head.in_ns));
    put(o, ",\"submitted_us\":");
    put_us(o, since(o->end, of->submitted, of->head.in_ns));
    put(o, ",\"started_us\":");
    put_us(o, c->begin);
    put(o, ",\"ended_us\":");
    put_us(o, c->end);
    put(o, ",\"bytes\":");
    put_number(o, of->bytes);
    put(o, ",\"work_items\":");
    put_number(o, of->items);
    put(o, of->status < 0 ? ",\"status\":-" : ",\"status\":");
    put_number(o, (uint64_t)(of->status < 0 ? -(int64_t)of->status : of->status));
    put(o, "}}");
}

static void put_small(struct out *o, struct all *all, const struct trace_chunk *c,
                      const struct trace_record *r) {
    uint64_t begin = since(o->end, r->begin, r->in_ns), end = since(o->end, r->end, r->in_ns);
    const char *name = (const char *)(r + 1);
    switch (r->kind) {
    case TRACE_CALL:
        put_slice(o, "api", (const char *)(uintptr_t)r->number, c->thread, begin, end);
        put(o, "}");
        break;
    case TRACE_BUILD:
        put_slice(o, "build", name, c->thread, begin, end);
        put(o, r->number ? ",\"args\":{\"cached\":true}}" : ",\"args\":{\"cached\":false}}");
        break;
    case TRACE_PHASE:
        put_slice(o, "phase", name, c->thread, begin, end);
        put(o, "}");
        break;
    case TRACE_GROUPS: {
        unsigned worker = r->queue < MOST_WORKERS ? r->queue : MOST_WORKERS - 1;
        all->workers[worker] = true;
        put_slice(o, "groups", name, WORKER_TRACK + worker, begin, end);
        put(o, ",\"args\":{\"groups\":");
        put_number(o, r->number);
        put(o, "}}");
        break;
    }
    }
}

static void put_arrow(struct out *o, const struct command *from, const struct command *to, size_t number) {
    if (!from || !to)
        return;
    for (int i = 0; i < 2; i++) {
        put(o, i ? ",\n{\"ph\":\"f\",\"bp\":\"e\",\"pid\":" : ",\n{\"ph\":\"s\",\"pid\":");
        put_number(o, (uint64_t)getpid());
        put(o, ",\"tid\":");
        put_number(o, i ? to->track : from->track);
        put(o, ",\"ts\":");
        put_us(o, i ? to->begin : from->end > from->begin ? from->end - 1 : from->end);
        put(o, ",\"cat\":\"event\",\"name\":\"event\",\"id\":");
        put_number(o, number);
        put(o, "}");
    }
}

static void name_track(struct out *o, uint64_t track, const char *what, unsigned number, unsigned lane) {
    char text[200], more[16] = "";
    if (lane)
        snprintf(more, sizeof more, " (%u)", lane + 1);
    snprintf(
        text, sizeof text,
        ",\n{\"ph\":\"M\",\"pid\":%d,\"tid\":%llu,\"name\":\"thread_name\",\"args\":{\"name\":\"%s %u%s\"}}",
        (int)getpid(), (unsigned long long)track, what, number, more);
    put(o, text);
}

static void put_records(struct out *o, struct all *all) {
    const struct trace_end *e = o->end;
    const struct trace_record *r;
    size_t number = 0;
    for (size_t i = 0; i < all->n; i++)
        put_command(o, &all->commands[i]);
    for (const struct trace_chunk *c = e->chunks; c; c = c->next)
        for (uint32_t at = 0; (r = next_record(c, &at));)
            if (r->kind == TRACE_EDGE && r->begin <= e->ids && r->end <= e->ids)
                put_arrow(o, all->by_id[r->end], all->by_id[r->begin], ++number);
            else
                put_small(o, all, c, r);
    for (unsigned q = 0; q < all->nqueues; q++)
        for (unsigned l = 0; l < MOST_LANES && all->until[(size_t)q * MOST_LANES + l]; l++)
            name_track(o, QUEUE_TRACK + (uint64_t)q * MOST_LANES + l, "queue", q, l);
    for (unsigned w = 0; w < MOST_WORKERS; w++)
        if (all->workers[w])
            name_track(o, WORKER_TRACK + w, "worker", w, 0);
}

void trace_write(const struct trace_end *e) {
    char path[PATH_MAX];
    struct out *o = calloc(1, sizeof *o);
    struct all *all = calloc(1, sizeof *all);
    env_file_name(env_get()->trace, path, sizeof path);
    bool ok = o && all && gather(all, e) &&
              (o->fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)) >= 0;
    if (ok) {
        o->end = e;
        snprintf(o->head, sizeof o->head, ",\n{\"ph\":\"X\",\"pid\":%d,\"tid\":", (int)getpid());
        put(o, "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"weir\":\"" WEIR_VERSION "\",\"dropped\":");
        put_number(o, e->dropped);
        put(o, "},\"traceEvents\":[\n{\"ph\":\"M\",\"pid\":");
        put_number(o, (uint64_t)getpid());
        put(o, ",\"name\":\"process_name\",\"args\":{\"name\":");
        put_string(o, program_invocation_short_name);
        put(o, "}}");
        put_records(o, all);
        put(o, "\n]}\n");
        flush(o);
        ok = !close(o->fd) && !o->failed;
    }
    char *text = NULL;
    if (!ok && asprintf(&text, "cannot write the trace %s: %s", path, strerror(errno)) >= 0)
        log_line(env_get()->log_json, LOG_ERROR, text);
    free(text);
    if (all) {
        free(all->commands);
        free(all->by_id);
        free(all->until);
    }
    free(all);
    free(o);
}
