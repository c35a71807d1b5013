/* profile.c: WEIR_PROFILE: which source lines kernels spend their time in.
 *
 * In: threads that run work-groups, between profile_enter and profile_leave, and kernel objects as they are loaded. Out: at
 * the end of the process a file of JSON lines: one about the samples, then one for each kernel object with its lines'
 * samples and its report (docs/report.md).
 *
 * Addresses of instructions are sampled by the system's performance events where it permits them: processor cycles, else its
 * clock; else by a timer for each thread, whose signal handler sees where it interrupted. Both end up in a ring of the
 * thread, which a thread of the profiler's own empties. Objects are never unloaded, so that an address stays theirs.
 */
#define _GNU_SOURCE
#include "rt.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

/* Periods that no loop has: 4 kHz by events, 2 kHz by timers. */
enum { RING = 4096, RING_PAGES = 16, EVENT_HZ = 3989, TIMER_NS = 499979, DRAIN_MS = 50 };

bool profile_on;

struct sampler { /* of a thread; stays when it ends, for what isn't counted yet */
    struct sampler *next;
    unsigned depth;          /* of profile_enter */
    volatile bool is_inside; /* read by the handler */
    int event, timer;        /* descriptor of the event, timer's number; -1: none */
    struct perf_event_mmap_page *events;
    _Atomic uint64_t head, tail; /* of the handler's ring */
    _Atomic uint64_t lost;
    uint64_t pcs[RING];
};
struct loaded { /* a kernel's, loaded */
    struct loaded *next;
    char *kernel, *report; /* report: JSON, or "" */
    uint32_t local_size[3];
    uint64_t base, size; /* in memory */
    const unsigned char *elf;
    size_t elf_size;
};
struct place { /* samples of one address, or of one line */
    uint64_t pc, samples;
    const struct loaded *object; /* NULL: code of the runtime */
    struct source_line line;
    const char *function; /* of the built-in library, which has no lines; else "" */
};
static struct {
    pthread_mutex_t lock; /* guards all but `method`, which the first sampler decides */
    struct sampler *samplers;
    struct loaded *objects;
    struct place *places; /* a hash table of addresses; capacity a power of two */
    size_t nplaces, capacity;
    unsigned threads;
    bool is_draining;
    const char *method;
} profile = {.lock = PTHREAD_MUTEX_INITIALIZER};
static int
    own_signal; /* a real-time one that nobody else had: an application may have profilers of its own */
static pthread_key_t key; /* ends the thread's sampler */

/* Initial-exec: reading it needs no call, which in a handler might allocate. */
static _Thread_local __attribute__((tls_model("initial-exec"))) struct sampler *own;

/* ---- counting -------------------------------------------------------------------------------------------------- */

static void count_locked(uint64_t pc, uint64_t n) {
    if (profile.nplaces * 2 >= profile.capacity) {
        size_t capacity = profile.capacity ? 2 * profile.capacity : 1024;
        struct place *places = calloc(capacity, sizeof *places);
        if (!places)
            return;
        struct place *old = profile.places;
        size_t n_old = profile.capacity;
        profile.places = places;
        profile.capacity = capacity;
        profile.nplaces = 0;
        for (size_t i = 0; i < n_old; i++)
            if (old[i].samples)
                count_locked(old[i].pc, old[i].samples);
        free(old);
    }
    size_t at = pc * UINT64_C(0x9e3779b97f4a7c15) >> 20 & (profile.capacity - 1);
    while (profile.places[at].samples && profile.places[at].pc != pc)
        at = (at + 1) & (profile.capacity - 1);
    profile.nplaces += !profile.places[at].samples;
    profile.places[at].pc = pc;
    profile.places[at].samples += n;
}

static const struct loaded *object_at_locked(uint64_t pc) {
    const struct loaded *o = profile.objects;
    while (o && pc - o->base >= o->size)
        o = o->next;
    return o;
}

/* The kernel's ring: records of a header and, of samples, an address; all multiples of 8 bytes. Events are sampled all the time,
 * as turning them on and off takes microseconds: what isn't in a kernel may be a thread that waits. */
static void drain_events_locked(struct sampler *s) {
    struct perf_event_mmap_page *page = s->events;
    const uint64_t *data = (const uint64_t *)((const char *)page + page->data_offset);
    const uint64_t words = page->data_size / 8;
    uint64_t head = __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE) / 8, tail = page->data_tail / 8;
    while (tail < head) {
        struct perf_event_header header;
        memcpy(&header, &data[tail % words], sizeof header);
        if (header.size < 8 || header.size % 8)
            break;
        uint64_t pc = data[(tail + 1) % words];
        if (header.type == PERF_RECORD_SAMPLE && object_at_locked(pc))
            count_locked(pc, 1);
        else if (header.type == PERF_RECORD_LOST)
            s->lost += data[(tail + 2) % words];
        tail += header.size / 8;
    }
    __atomic_store_n(&page->data_tail, head * 8, __ATOMIC_RELEASE);
}

static void drain_locked(void) {
    for (struct sampler *s = profile.samplers; s; s = s->next) {
        if (s->events)
            drain_events_locked(s);
        uint64_t tail = atomic_load_explicit(&s->tail, memory_order_relaxed),
                 head = atomic_load_explicit(&s->head, memory_order_acquire);
        for (; tail < head; tail++)
            count_locked(s->pcs[tail % RING], 1);
        atomic_store_explicit(&s->tail, tail, memory_order_release);
    }
}

static void *drain_main(void *arg) {
    bool stays = true;
    while (stays) {
        nanosleep(&(struct timespec){.tv_nsec = DRAIN_MS * 1000000}, NULL);
        pthread_mutex_lock(&profile.lock);
        drain_locked();
        profile.is_draining = stays = watchers_needed();
        pthread_mutex_unlock(&profile.lock);
    }
    return arg;
}

/* ---- samplers -------------------------------------------------------------------------------------------------- */

static void on_timer(int number, siginfo_t *info, void *context) {
    struct sampler *s = own;
    if (info->si_code != SI_TIMER || !s || info->si_value.sival_ptr != s)
        return;
    uint64_t head = atomic_load_explicit(&s->head, memory_order_relaxed);
    if (!s->is_inside)
        return;
    if (head - atomic_load_explicit(&s->tail, memory_order_acquire) == RING) {
        atomic_fetch_add_explicit(&s->lost, 1, memory_order_relaxed);
        return;
    }
    s->pcs[head % RING] = (uint64_t)((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
    atomic_store_explicit(&s->head, head + 1, memory_order_release);
}

static const struct {
    uint32_t type;
    uint64_t config;
    unsigned precise;
    const char *name;
} events[] = {
    {PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, 2, "performance events (cycles, precise)"},
    {PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, 0, "performance events (cycles)"},
    {PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK, 0, "performance events (clock)"},
};

/* An event of this thread, and its ring. */
static bool open_event(struct sampler *s) {
    for (size_t i = 0; i < sizeof events / sizeof *events && s->event < 0; i++) {
        struct perf_event_attr a = {.size = sizeof a,
                                    .type = events[i].type,
                                    .config = events[i].config,
                                    .sample_freq = EVENT_HZ,
                                    .freq = 1,
                                    .sample_type = PERF_SAMPLE_IP,
                                    .precise_ip = events[i].precise,
                                    .exclude_kernel = 1,
                                    .exclude_hv = 1};
        s->event = (int)syscall(SYS_perf_event_open, &a, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
        profile.method = s->event >= 0 ? events[i].name : profile.method;
    }
    if (s->event < 0)
        return false;
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    void *ring = mmap(NULL, (1 + RING_PAGES) * page, PROT_READ | PROT_WRITE, MAP_SHARED, s->event, 0);
    if (ring == MAP_FAILED) { /* more memory than may be locked */
        close(s->event);
        s->event = -1;
        return false;
    }
    s->events = ring;
    return true;
}

/* Times are the wall's, as processor clocks tick slowly: a thread that waits isn't inside. */
static bool open_timer(struct sampler *s) {
    struct sigevent e = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = own_signal};
    struct itimerspec period = {{.tv_nsec = TIMER_NS}, {.tv_nsec = TIMER_NS}};
    sigset_t set;
    e.sigev_value.sival_ptr = s;
    e._sigev_un._tid = (pid_t)syscall(SYS_gettid);
    if (syscall(SYS_timer_create, CLOCK_MONOTONIC, &e, &s->timer)) {
        s->timer = -1;
        return false;
    }
    profile.method = "a timer for each thread";
    sigemptyset(&set);
    sigaddset(&set, own_signal);
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
    syscall(SYS_timer_settime, s->timer, 0, &period, NULL);
    return true;
}

static void end_sampler(void *sampler) {
    struct sampler *s = sampler;
    own = NULL;
    if (s->timer >= 0)
        syscall(SYS_timer_delete, s->timer);
    if (s->event >= 0)
        close(s->event); /* what it has sampled stays in the ring */
    s->timer = s->event = -1;
}

static void start_draining_locked(void) {
    pthread_t thread;
    if (!profile.is_draining && !worker_thread(&thread, 0, drain_main, NULL)) {
        pthread_detach(thread);
        profile.is_draining = true;
    }
}

static void write_file(void);

static struct sampler *sampler_new(void) {
    struct sampler *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    s->event = s->timer = -1;
    own = s;
    watchers_serve();
    pthread_mutex_lock(&profile.lock);
    if (env_get()->profile_by == PROFILE_TIMER || !open_event(s))
        open_timer(s);
    s->next = profile.samplers;
    profile.samplers = s;
    if (!profile.threads++)
        interrupt_finish(write_file);
    start_draining_locked();
    pthread_mutex_unlock(&profile.lock);
    pthread_setspecific(key, s);
    return s;
}

void profile_enter(void) {
    struct sampler *s = own ? own : sampler_new();
    if (!s || s->depth++)
        return;
    s->is_inside = true;
}

void profile_leave(void) {
    struct sampler *s = own;
    if (!s || --s->depth)
        return;
    s->is_inside = false;
}

/* ---- objects --------------------------------------------------------------------------------------------------- */

/* The bytes of memory that a sound object is loaded into. */
static uint64_t extent(const unsigned char *elf) {
    Elf64_Ehdr h;
    uint64_t end = 0;
    memcpy(&h, elf, sizeof h);
    for (unsigned i = 0; i < h.e_phnum; i++) {
        Elf64_Phdr p;
        memcpy(&p, elf + h.e_phoff + i * sizeof p, sizeof p);
        if (p.p_type == PT_LOAD && p.p_vaddr + p.p_memsz > end)
            end = p.p_vaddr + p.p_memsz;
    }
    return end;
}

void profile_object(const struct variant *v, const char *report) {
    struct loaded *o = calloc(1, sizeof *o);
    if (!o)
        return;
    *o = (struct loaded){.kernel = strdup(v->kernel->name),
                         .report = strdup(report),
                         .base = v->base,
                         .size = extent(v->elf),
                         .elf = v->elf,
                         .elf_size = v->elf_size};
    if (!o->kernel || !o->report) { /* its samples count as elsewhere */
        free(o->kernel);
        free(o->report);
        free(o);
        return;
    }
    memcpy(o->local_size, v->local_size, sizeof o->local_size);
    pthread_mutex_lock(&profile.lock);
    o->next = profile.objects;
    profile.objects = o;
    pthread_mutex_unlock(&profile.lock);
}

/* ---- the file -------------------------------------------------------------------------------------------------- */

static void resolve_locked(struct place *p) {
    const struct loaded *o = p->object = object_at_locked(p->pc);
    p->line = (struct source_line){.folder = "", .file = ""};
    p->function = "";
    if (!o || line_of(o->elf, o->elf_size, p->pc - o->base, &p->line))
        return;
    const char *function = line_function(o->elf, o->elf_size, p->pc - o->base);
    p->function = function ? function : "";
}

static int by_line(const void *a, const void *b) {
    const struct place *x = a, *y = b;
    if (x->object != y->object)
        return x->object < y->object ? -1 : 1;
    int folders = strcmp(x->line.folder, y->line.folder), files = strcmp(x->line.file, y->line.file);
    if (folders || files)
        return folders ? folders : files;
    if (x->line.line != y->line.line)
        return x->line.line < y->line.line ? -1 : 1;
    return strcmp(x->function, y->function);
}

/* The samples by line: at the table's beginning. */
static size_t join_locked(void) {
    size_t n = 0, joined = 0;
    for (size_t i = 0; i < profile.capacity; i++)
        if (profile.places[i].samples)
            profile.places[n++] = profile.places[i];
    for (size_t i = 0; i < n; i++)
        resolve_locked(&profile.places[i]);
    if (n)
        qsort(profile.places, n, sizeof *profile.places, by_line);
    for (size_t i = 0; i < n; i++)
        if (joined && !by_line(&profile.places[joined - 1], &profile.places[i]))
            profile.places[joined - 1].samples += profile.places[i].samples;
        else
            profile.places[joined++] = profile.places[i];
    return joined;
}

/* As reports name files: those that the cache keeps, whose folder the table has in one way or another, by their path. */
static void write_line(struct buf *out, const struct place *p, bool is_first) {
    const struct source_line *l = &p->line;
    struct buf path = {0};
    buf_printf(&path, "%s/source/%s", env_get()->cache_dir, l->file);
    bool is_kept = !strchr(l->file, '/') && *env_get()->cache_dir && !access(buf_cstr(&path), F_OK);
    buf_printf(out, "%s{\"file\":", is_first ? "" : ",");
    buf_json(out, !l->line ? NULL : is_kept ? buf_cstr(&path) : l->file);
    buf_free(&path);
    buf_printf(out, l->line ? ",\"line\":%u" : ",\"line\":null", l->line);
    if (*p->function) {
        buf_printf(out, ",\"function\":");
        buf_json(out, p->function);
    }
    buf_printf(out, ",\"samples\":%llu}", (unsigned long long)p->samples);
}

static void write_object(struct buf *out, const struct loaded *o, size_t nplaces) {
    uint64_t samples = 0;
    bool any = false;
    for (size_t i = 0; i < nplaces; i++)
        samples += profile.places[i].object == o ? profile.places[i].samples : 0;
    buf_printf(out, "{\"kernel\":");
    buf_json(out, o->kernel);
    buf_printf(out, ",\"local_size\":[%u,%u,%u],\"samples\":%llu,\"lines\":[", o->local_size[0],
               o->local_size[1], o->local_size[2], (unsigned long long)samples);
    for (size_t i = 0; i < nplaces; i++)
        if (profile.places[i].object == o) {
            write_line(out, &profile.places[i], !any);
            any = true;
        }
    buf_printf(out, "],\"report\":%.*s}\n", *o->report ? (int)strcspn(o->report, "\n") : 4,
               *o->report ? o->report : "null");
}

static void write_file(void) {
    const char *name = env_get()->profile;
    char *path = env_file_name(name);
    struct buf out = {0};
    uint64_t lost = 0, all = 0, elsewhere = 0;
    pthread_mutex_lock(&profile.lock);
    drain_locked();
    size_t n = join_locked();
    for (struct sampler *s = profile.samplers; s; s = s->next)
        lost += atomic_load(&s->lost);
    for (size_t i = 0; i < n; i++) {
        all += profile.places[i].samples;
        elsewhere += profile.places[i].object ? 0 : profile.places[i].samples;
    }
    buf_printf(&out, "%s\"method\":", output_head(OUTPUT_PROFILE));
    buf_json(&out, profile.method ? profile.method : "none");
    buf_printf(&out, ",\"samples\":%llu,\"elsewhere\":%llu,\"lost\":%llu,\"threads\":%u}\n",
               (unsigned long long)all, (unsigned long long)elsewhere, (unsigned long long)lost,
               profile.threads);
    for (const struct loaded *o = profile.objects; o; o = o->next)
        write_object(&out, o, n);
    pthread_mutex_unlock(&profile.lock);
    if (!path)
        errno = ENOMEM;
    if (!path || !output_write(path, OUTPUT_PROFILE, &out))
        output_log(name, OUTPUT_PROFILE, errno);
    buf_free(&out);
    free(path);
}

/* A child has its parent's objects, and none of its threads and samples. */
static void after_fork_child(void) {
    pthread_mutex_init(&profile.lock, NULL);
    own = NULL;
    profile.samplers = NULL;
    profile.threads = 0;
    profile.is_draining = false;
    profile.nplaces = 0;
    if (profile.places)
        memset(profile.places, 0, profile.capacity * sizeof *profile.places);
}

__attribute__((constructor)) static void profile_begin(void) {
    struct sigaction action = {.sa_sigaction = on_timer, .sa_flags = SA_SIGINFO | SA_RESTART}, old;
    if (!env_get()->profile || pthread_key_create(&key, end_sampler) ||
        !output_is_possible(env_get()->profile, OUTPUT_PROFILE))
        return;
    profile_on = true;
    sigemptyset(&action.sa_mask);
    for (own_signal = SIGRTMAX - 1; own_signal > SIGRTMIN; own_signal--)
        if (!sigaction(own_signal, NULL, &old) && old.sa_handler == SIG_DFL)
            break;
    sigaction(own_signal, &action, NULL);
    pthread_atfork(NULL, NULL, after_fork_child);
}

__attribute__((destructor)) static void profile_finish(void) {
    if (profile_on && profile.samplers)
        write_file();
}
