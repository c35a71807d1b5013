/* trace_file.c: WEIR_TRACE's file: JSON that Perfetto and other readers of Chrome's trace events open.
 *
 * In: the records of trace.c, a part after the other. Out: slices of API calls and builds on a track for each thread,
 * commands on tracks for each queue, work-groups on a track for each worker, and arrows from the events that a command
 * names to it. From part to part goes what later ones need: which tracks there are, where the last commands lie, arrows
 * whose commands haven't come yet.
 */
#define _GNU_SOURCE
#include "trace.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_LANES = 512, MOST_WORKERS = 4096 };
/* A helper is worth the time that it takes to start for some megabytes of text. */
enum { COMMANDS_OF_A_PIECE = 512, PIECES_OF_A_HELPER = 32, MOST_HELPERS = 7 };

/* ---- text, fast -------------------------------------------------------------------------------------------------- */

/* Several threads make text of a long trace; the order of events in the file is nobody's concern. */
struct file {
    pthread_mutex_t lock; /* guards fd and failed */
    int fd;
    bool failed, is_regular;
    off_t
        end; /* of the last event: from there on the next part takes the place of the end that makes the file whole */
    int error;
    unsigned process;
    char head[64]; /* what all slices begin with */
    uint64_t start_ns;
    uint64_t ticks, ns;                  /* the same moment, the last part's end */
    struct line {                        /* of the clock, from a part's beginning to the next one's */
        uint64_t ticks, ns, ns_per_tick; /* the last one in units of 2^-SCALE */
    } *lines;
    size_t nlines;
};
enum { SCALE = 56, EVENT_BYTES = 4096 }; /* an event takes less, with a name of 255 bytes in it */
struct out {                             /* one thread's */
    struct file *file;
    char *at;
    char bytes[1 << 18];
};

static void flush(struct out *o) {
    struct file *f = o->file;
    pthread_mutex_lock(&f->lock);
    if (!f->failed && !write_all(f->fd, o->bytes, (size_t)(o->at - o->bytes))) {
        f->failed = true;
        f->error = errno;
    }
    pthread_mutex_unlock(&f->lock);
    o->at = o->bytes;
}

/* An event begins: there is room for it. */
static inline void begin(struct out *o) {
    if ((size_t)(o->at - o->bytes) > sizeof o->bytes - EVENT_BYTES)
        flush(o);
}

static inline void put_bytes(struct out *o, const char *text, size_t n) {
    memcpy(o->at, text, n);
    o->at += n;
}
#define PUT(o, literal) put_bytes(o, literal, sizeof literal - 1)

static void put(struct out *o, const char *text) {
    put_bytes(o, text, strlen(text));
}

static void put_number(struct out *o, uint64_t n) {
    static const char pairs[] =
        "00010203040506070809101112131415161718192021222324252627282930313233343536373839"
        "40414243444546474849505152535455565758596061626364656667686970717273747576777879"
        "8081828384858687888990919293949596979899";
    char digits[24];
    size_t at = sizeof digits;
    for (; n >= 100; n /= 100)
        memcpy(digits + (at -= 2), pairs + n % 100 * 2, 2);
    if (n >= 10)
        memcpy(digits + (at -= 2), pairs + n * 2, 2);
    else
        digits[--at] = (char)('0' + n);
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
    size_t n = 0;
    while (text[n] >= ' ' && text[n] < 0x7f && text[n] != '"' && text[n] != '\\')
        n++;
    if (!text[n]) {
        PUT(o, "\"");
        put_bytes(o, text, n);
        PUT(o, "\"");
        return;
    }
    buf_json(&b, text);
    put(o, buf_cstr(&b) ? buf_cstr(&b) : "\"\"");
    buf_free(&b);
}

/* ---- times --------------------------------------------------------------------------------------------------------- */

/* The clock runs evenly from the last part's end to this one's. False: no memory. */
static bool add_line(struct file *f, const struct trace_part *part) {
    struct line *lines = realloc(f->lines, (f->nlines + 1) * sizeof *lines);
    uint64_t ticks = part->now_ticks - f->ticks;
    if (!lines)
        return false;
    uint64_t slope = ticks ? (uint64_t)(((unsigned __int128)(part->now_ns - f->ns) << SCALE) / ticks) : 0;
    f->lines = lines;
    lines[f->nlines++] = (struct line){f->ticks, f->ns, slope};
    f->ticks = part->now_ticks;
    f->ns = part->now_ns;
    return true;
}

/* Nanoseconds since the trace's beginning. */
static uint64_t since(const struct file *f, uint64_t time, bool in_ns) {
    if (!in_ns && trace_has_ticks) {
        size_t i = f->nlines;
        while (i > 1 && time < f->lines[i - 1].ticks)
            i--;
        const struct line *l = &f->lines[i - 1];
        uint64_t ticks = time < l->ticks ? 0 : time - l->ticks;
        time = l->ns + (uint64_t)((unsigned __int128)ticks * l->ns_per_tick >> SCALE);
    }
    return time > f->start_ns ? time - f->start_ns : 0;
}

/* ---- records ------------------------------------------------------------------------------------------------------- */

struct command { /* that has ended, or of the last part one that hasn't: from its enqueue until now */
    const struct trace_command *of;
    uint64_t begin, end, track;
    bool is_ended;
};
struct place { /* of a command in the file */
    uint64_t id, begin, end, track;
};
struct arrow {
    uint64_t from, to; /* ids */
};
/* What later parts need. */
struct past {
    struct file file;
    bool is_begun, has_failed;
    struct place *places; /* of the last commands: of id i at [i % nplaces], a power of two */
    size_t nplaces;
    struct arrow *arrows; /* that couldn't be drawn yet */
    size_t narrows, nnumbers;
    uint64_t *until; /* of queue q's lane l: [q * MOST_LANES + l]; 0: not used yet */
    unsigned nqueues;
    uint64_t nunended; /* commands, at the end */
    _Atomic bool workers[MOST_WORKERS];
};
static struct past past = {.file = {.lock = PTHREAD_MUTEX_INITIALIZER}};

struct all { /* of a part */
    struct past *past;
    struct file *file;
    struct command *commands;
    size_t n;
    struct arrow *arrows;
    size_t narrows;
    const struct trace_part *part;
    /* Threads take pieces: COMMANDS_OF_A_PIECE commands each, then a chunk each. */
    _Atomic size_t next_piece;
};

static int by_begin(const void *a, const void *b) {
    const struct command *x = a, *y = b;
    if (x->begin != y->begin)
        return x->begin < y->begin ? -1 : 1;
    return (x->end < y->end) - (x->end > y->end); /* what holds others first */
}

static void sort_commands(struct all *all) {
    size_t i = 1;
    while (i < all->n && by_begin(&all->commands[i - 1], &all->commands[i]) <= 0)
        i++;
    if (i < all->n) /* as they are in order of their enqueues, they mostly need none of it */
        qsort(all->commands, all->n, sizeof *all->commands, by_begin);
}

/* Tracks: threads have their own numbers; queues and workers get some beyond all threads'. */
enum { QUEUE_TRACK = 100000000, WORKER_TRACK = 200000000 };

/* Commands of a queue may overlap, and slices of a track may not: the first lane of the queue that is free. */
static unsigned lane_of(struct past *p, const struct command *c) {
    uint64_t *until = p->until + (size_t)c->of->head.queue * MOST_LANES;
    unsigned lane = 0;
    while (lane + 1 < MOST_LANES && until[lane] > c->begin)
        lane++;
    until[lane] = c->end ? c->end : 1;
    return lane;
}

/* Room for this many queues. False: no memory. */
static bool add_queues(struct past *p, unsigned n) {
    uint64_t *until = n > p->nqueues ? realloc(p->until, (size_t)n * MOST_LANES * sizeof *until) : p->until;
    if (n && !until)
        return false;
    for (size_t i = (size_t)p->nqueues * MOST_LANES; i < (size_t)n * MOST_LANES; i++)
        until[i] = 0;
    p->until = until;
    p->nqueues = n > p->nqueues ? n : p->nqueues;
    return true;
}

/* Room for the places of this many commands and of some before them. False: no memory. */
static bool add_places(struct past *p, size_t n) {
    enum { LEAST = 1 << 14 };
    size_t size = p->nplaces ? p->nplaces : LEAST;
    while (size < 2 * n)
        size *= 2;
    struct place *places = size > p->nplaces ? calloc(size, sizeof *places) : p->places;
    if (!places)
        return false;
    for (size_t i = 0; places != p->places && i < p->nplaces; i++)
        places[p->places[i].id & (size - 1)] = p->places[i];
    if (places != p->places)
        free(p->places);
    p->places = places;
    p->nplaces = size;
    return true;
}

static const struct place *place_of(const struct past *p, uint64_t id) {
    const struct place *place = &p->places[id & (p->nplaces - 1)];
    return place->id == id ? place : NULL;
}

/* What ends after the part's last moment is for the next part: one line of the clock ends there. */
static bool is_new(const struct trace_part *part, const struct trace_record *r) {
    if (r->kind == TRACE_WRITTEN || !trace_is_done(r)) /* `in_ns` may change until then */
        return false;
    return part->is_last || r->in_ns || r->kind == TRACE_EDGE || r->end <= part->now_ticks;
}

static bool has_new(const struct trace_part *part) {
    const struct trace_record *r;
    for (size_t i = 0; i < part->nchunks; i++)
        for (uint32_t at = 0; (r = trace_next(part->chunks[i], &at));)
            if (is_new(part, r))
                return true;
    return false;
}

/* How many there are of all that is to be found. */
static void count(struct all *all, unsigned *nqueues) {
    for (size_t i = 0; i < all->part->nchunks; i++) {
        const struct trace_record *r;
        for (uint32_t at = 0; (r = trace_next(all->part->chunks[i], &at));) {
            all->n += r->kind == TRACE_COMMAND;
            all->narrows += r->kind == TRACE_EDGE;
            *nqueues = r->kind == TRACE_COMMAND && r->queue >= *nqueues ? r->queue + 1 : *nqueues;
        }
    }
}

/* The oldest command of each queue that hasn't ended: the program may have been ended because it never would. There is room for
 * it, as it was counted. */
static void add_unended(struct all *all, const struct trace_part *part) {
    struct past *p = all->past;
    size_t first = all->n;
    for (size_t k = 0; k < part->nchunks; k++) {
        const struct trace_record *r;
        for (uint32_t at = 0; (r = trace_next(part->chunks[k], &at));) {
            const struct trace_command *of = (const struct trace_command *)r;
            if (trace_is_done(r) || r->queue >= p->nqueues || !of->queued)
                continue;
            size_t i = first;
            while (i < all->n && all->commands[i].of->head.queue != r->queue)
                i++;
            if (i == all->n || of->id < all->commands[i].of->id)
                all->commands[i] = (struct command){of, since(all->file, of->queued, r->in_ns),
                                                    since(all->file, part->now_ns, true), 0, false};
            all->n += i == all->n;
            p->nunended++;
        }
    }
}

/* Finds the commands, and their tracks. False: no memory. */
static bool gather(struct all *all) {
    const struct trace_part *part = all->part;
    struct past *p = all->past;
    unsigned nqueues = 0;
    count(all, &nqueues);
    all->commands = calloc(all->n + 1, sizeof *all->commands);
    all->arrows = calloc(p->narrows + all->narrows + 1, sizeof *all->arrows);
    if (!all->commands || !all->arrows || !add_queues(p, nqueues) || !add_places(p, all->n))
        return false;
    memcpy(all->arrows, p->arrows ? p->arrows : all->arrows, p->narrows * sizeof *all->arrows);
    size_t most = all->n, most_arrows = p->narrows + all->narrows;
    all->narrows = p->narrows;
    all->n = 0;
    for (size_t i = 0; i < part->nchunks; i++) {
        struct trace_record *r;
        for (uint32_t at = 0; (r = trace_next(part->chunks[i], &at));) {
            bool is_arrow = r->kind == TRACE_EDGE && all->narrows < most_arrows;
            bool is_ended = r->kind == TRACE_COMMAND && r->queue < p->nqueues && is_new(part, r);
            bool is_void = is_ended && !((const struct trace_command *)r)->id;
            bool is_command = is_ended && !is_void && all->n < most;
            if (is_arrow)
                all->arrows[all->narrows++] = (struct arrow){r->end, r->begin};
            if (is_command)
                all->commands[all->n++] =
                    (struct command){(const struct trace_command *)r, since(all->file, r->begin, r->in_ns),
                                     since(all->file, r->end, r->in_ns), 0, true};
            if (is_arrow || is_command || is_void)
                r->kind = TRACE_WRITTEN;
        }
    }
    if (part->is_last)
        add_unended(all, part);
    sort_commands(all);
    for (size_t i = 0; i < all->n; i++) {
        struct command *c = &all->commands[i];
        c->track = QUEUE_TRACK + (uint64_t)c->of->head.queue * MOST_LANES + lane_of(p, c);
        p->places[c->of->id & (p->nplaces - 1)] = (struct place){c->of->id, c->begin, c->end, c->track};
    }
    return true;
}

/* ---- events -------------------------------------------------------------------------------------------------------- */

static void put_slice(struct out *o, const char *category, const char *name, uint64_t track, uint64_t begins,
                      uint64_t ends) {
    begin(o);
    put(o, o->file->head);
    put_number(o, track);
    PUT(o, ",\"ts\":");
    put_us(o, begins);
    PUT(o, ",\"dur\":");
    put_us(o, ends > begins ? ends - begins : 0);
    PUT(o, ",\"cat\":\"");
    put(o, category);
    PUT(o, "\",\"name\":");
    put_string(o, name);
}

static void put_groups(struct out *o, struct past *p, const char *kernel, unsigned worker, uint64_t groups,
                       uint64_t begins, uint64_t ends) {
    worker = worker < MOST_WORKERS ? worker : MOST_WORKERS - 1;
    atomic_store_explicit(&p->workers[worker], true, memory_order_relaxed);
    put_slice(o, "groups", kernel ? kernel : "kernel", WORKER_TRACK + worker, begins, ends);
    PUT(o, ",\"args\":{\"groups\":");
    put_number(o, groups);
    PUT(o, "}}");
}

/* It starts and ends where its slice does. */
static void put_command(struct out *o, struct past *p, const struct command *c) {
    const struct trace_command *of = c->of;
    const char *name = command_name(of->type);
    put_slice(o, "command", of->name ? of->name : name, c->track, c->begin, c->end);
    PUT(o, ",\"args\":{\"command\":\"");
    put(o, name);
    PUT(o, "\",\"queued_us\":");
    put_us(o, since(o->file, of->queued, of->head.in_ns));
    if (c->is_ended) {
        PUT(o, ",\"submitted_us\":");
        put_us(o, since(o->file, of->submitted, of->head.in_ns));
    } else {
        PUT(o, ",\"unended\":true");
    }
    if (of->bytes) {
        PUT(o, ",\"bytes\":");
        put_number(o, of->bytes);
    }
    if (of->items) {
        PUT(o, ",\"work_items\":");
        put_number(o, of->items);
    }
    if (of->status < 0) {
        PUT(o, ",\"status\":-");
        put_number(o, (uint64_t)-(int64_t)of->status);
    }
    PUT(o, "}}");
    if (c->is_ended && of->head.number)
        put_groups(o, p, of->name, of->worker, of->head.number, c->begin, c->end);
}

static void put_small(struct out *o, struct all *all, const struct trace_chunk *c, struct trace_record *r) {
    if (r->kind == TRACE_COMMAND || r->kind == TRACE_EDGE || !is_new(all->part, r))
        return;
    uint64_t begins = since(o->file, r->begin, r->in_ns), ends = since(o->file, r->end, r->in_ns);
    const char *name = (const char *)(r + 1);
    enum trace_kind kind = r->kind;
    r->kind = TRACE_WRITTEN;
    switch (kind) {
    case TRACE_CALL:
        put_slice(o, "api", (const char *)(uintptr_t)r->number, c->thread, begins, ends);
        PUT(o, "}");
        break;
    case TRACE_BUILD:
        put_slice(o, "build", name, c->thread, begins, ends);
        put(o, r->number ? ",\"args\":{\"cached\":true}}" : ",\"args\":{\"cached\":false}}");
        break;
    case TRACE_PHASE:
        put_slice(o, "phase", name, c->thread, begins, ends);
        PUT(o, "}");
        break;
    case TRACE_GROUPS:
        put_groups(o, all->past, ((const struct trace_groups *)r)->name, r->queue, r->number, begins, ends);
        break;
    case TRACE_COMMAND:
    case TRACE_EDGE:
    case TRACE_WRITTEN:
        break;
    }
}

static void put_arrow(struct out *o, size_t number, const struct place *from, const struct place *to) {
    for (int i = 0; i < 2; i++) {
        begin(o);
        put(o, i ? ",\n{\"ph\":\"f\",\"bp\":\"e\",\"pid\":" : ",\n{\"ph\":\"s\",\"pid\":");
        put_number(o, o->file->process);
        PUT(o, ",\"tid\":");
        put_number(o, i ? to->track : from->track);
        PUT(o, ",\"ts\":");
        put_us(o, i ? to->begin : from->end > from->begin ? from->end - 1 : from->end);
        PUT(o, ",\"cat\":\"event\",\"name\":\"event\",\"id\":");
        put_number(o, number);
        PUT(o, "}");
    }
}

/* Those with both ends in the file; the newest of the others may get theirs in the next part. */
static void put_arrows(struct out *o, struct all *all) {
    enum { MOST_LEFT = 1 << 16 };
    struct past *p = all->past;
    size_t left = 0;
    for (size_t i = 0; i < all->narrows; i++) {
        const struct arrow *a = &all->arrows[i];
        const struct place *from = place_of(p, a->from), *to = place_of(p, a->to);
        if (from && to)
            put_arrow(o, ++p->nnumbers, from, to);
        else
            all->arrows[left++] = *a;
    }
    size_t older = left > MOST_LEFT ? left - MOST_LEFT : 0;
    memmove(all->arrows, all->arrows + older, (left - older) * sizeof *all->arrows);
    free(p->arrows);
    p->arrows = all->arrows;
    p->narrows = left - older;
    all->arrows = NULL;
}

static void name_track(struct out *o, uint64_t track, const char *what, unsigned number, unsigned lane) {
    char text[200], more[16] = "";
    if (lane)
        snprintf(more, sizeof more, " (%u)", lane + 1);
    snprintf(
        text, sizeof text,
        ",\n{\"ph\":\"M\",\"pid\":%u,\"tid\":%llu,\"name\":\"thread_name\",\"args\":{\"name\":\"%s %u%s\"}}",
        o->file->process, (unsigned long long)track, what, number, more);
    begin(o);
    put(o, text);
}

/* ---- the file ------------------------------------------------------------------------------------------------------ */

static void put_chunk(struct out *o, struct all *all, struct trace_chunk *c) {
    struct trace_record *r;
    for (uint32_t at = 0; (r = trace_next(c, &at));)
        put_small(o, all, c, r);
}

static size_t command_pieces(const struct all *all) {
    return (all->n + COMMANDS_OF_A_PIECE - 1) / COMMANDS_OF_A_PIECE;
}

static void put_pieces(struct out *o, struct all *all) {
    size_t first = command_pieces(all), piece;
    while ((piece = atomic_fetch_add_explicit(&all->next_piece, 1, memory_order_relaxed)) <
           first + all->part->nchunks) {
        for (size_t i = piece * COMMANDS_OF_A_PIECE, k = 0; k < COMMANDS_OF_A_PIECE && i + k < all->n; k++)
            put_command(o, all->past, &all->commands[i + k]);
        if (piece >= first)
            put_chunk(o, all, all->part->chunks[piece - first]);
    }
    flush(o);
}

static struct out *out_new(struct file *f) {
    struct out *o = malloc(sizeof *o);
    if (o) {
        o->file = f;
        o->at = o->bytes;
    }
    return o;
}

static void *help(void *arg) {
    struct all *all = arg;
    struct out *o = out_new(all->file);
    if (o)
        put_pieces(o, all);
    free(o);
    return NULL;
}

/* All pieces; at the process's end by as many threads as they are worth. */
static void put_all(struct out *o, struct all *all, bool with_helpers) {
    cpu_set_t usable;
    pthread_t threads[MOST_HELPERS];
    size_t wanted = with_helpers ? (command_pieces(all) + all->part->nchunks) / PIECES_OF_A_HELPER : 0, n = 0;
    int processors = sched_getaffinity(0, sizeof usable, &usable) ? 1 : CPU_COUNT(&usable);
    while (n < MOST_HELPERS && n < wanted && n + 1 < (size_t)processors &&
           !worker_thread(&threads[n], 0, help, all))
        n++;
    put_pieces(o, all);
    while (n)
        pthread_join(threads[--n], NULL);
}

static void put_tracks(struct out *o, struct past *p) {
    for (unsigned q = 0; q < p->nqueues; q++)
        for (unsigned l = 0; l < MOST_LANES && p->until[(size_t)q * MOST_LANES + l]; l++)
            name_track(o, QUEUE_TRACK + (uint64_t)q * MOST_LANES + l, "queue", q, l);
    for (unsigned w = 0; w < MOST_WORKERS; w++)
        if (atomic_load_explicit(&p->workers[w], memory_order_relaxed))
            name_track(o, WORKER_TRACK + w, "worker", w, 0);
}

/* False with errno. */
static bool open_file(struct past *p, struct out *o, const struct trace_part *part) {
    struct file *f = &p->file;
    char *path = env_file_name(env_get()->trace);
    f->process = (unsigned)getpid();
    f->start_ns = f->ns = part->start_ns;
    f->ticks = part->start_ticks;
    snprintf(f->head, sizeof f->head, ",\n{\"ph\":\"X\",\"pid\":%u,\"tid\":", f->process);
    f->fd = path ? output_open(path, OUTPUT_TRACE, 0) : -1;
    free(path); /* errno stays */
    if (f->fd < 0)
        return false;
    struct stat info;
    f->is_regular = !fstat(f->fd, &info) && S_ISREG(info.st_mode);
    p->is_begun = true;
    put(o, output_head(OUTPUT_TRACE));
    PUT(o, WEIR_VERSION "\"},\"traceEvents\":[\n"
                        "{\"ph\":\"M\",\"pid\":");
    put_number(o, f->process);
    PUT(o, ",\"name\":\"process_name\",\"args\":{\"name\":");
    put_string(o, program_invocation_short_name);
    PUT(o, "}}");
    flush(o); /* before what threads write */
    return true;
}

static void put_end(struct out *o, struct past *p, uint64_t dropped) {
    put_tracks(o, p);
    begin(o);
    PUT(o, "\n],\"dropped\":");
    put_number(o, dropped);
    if (p->nunended) {
        PUT(o, ",\"unended\":");
        put_number(o, p->nunended);
    }
    PUT(o, "}\n");
    flush(o);
}

/* The program may be killed before the next part is there: until then the file has an end. False with errno. */
static bool take_end_away(struct file *f) {
    return !f->is_regular || (!ftruncate(f->fd, f->end) && lseek(f->fd, f->end, SEEK_SET) == f->end);
}

/* False with errno. */
static bool write_part(struct past *p, struct out *o, const struct trace_part *part) {
    struct all all = {.past = p, .file = &p->file, .part = part};
    struct file *f = &p->file;
    if (!part->is_last && !has_new(part))
        return true;
    bool fits = (p->is_begun ? take_end_away(f) : open_file(p, o, part)) && add_line(f, part) && gather(&all);
    if (fits) {
        put_all(o, &all, part->is_last);
        put_arrows(o, &all);
        flush(o);
        f->end = f->is_regular ? lseek(f->fd, 0, SEEK_CUR) : 0;
        if (part->is_last || f->is_regular)
            put_end(o, p, part->dropped);
    }
    free(all.commands);
    free(all.arrows);
    bool closed = !part->is_last || !p->is_begun || !close(f->fd);
    errno = f->failed ? f->error : errno;
    return fits && closed && !f->failed;
}

void trace_write(const struct trace_part *part) {
    struct out *o = out_new(&past.file);
    errno = ENOMEM;
    if (!past.has_failed && (!o || !write_part(&past, o, part))) {
        past.has_failed = true; /* the file ends there */
        output_log(env_get()->trace, OUTPUT_TRACE, errno);
    }
    free(o);
}

void trace_forget_file(void) {
    if (past.is_begun)
        close(past.file.fd);
    memset(&past, 0, sizeof past);
    pthread_mutex_init(&past.file.lock, NULL);
}
