/* compiler.c: asks weirc, through the cache.
 *
 * In: a request. Out: always an answer; what goes wrong on our side is ANSWER_COMPILER_FAILED with the
 * reason as its log. Each request has a socket pair of its own, so that any number of threads ask at once
 * and one crash concerns one request.
 */
#define _GNU_SOURCE
#include "rt.h"

#include <cpuid.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_ANSWER   ((size_t)1 << 30)
#define GRACE_MS     5000  /* beyond the time-out that weirc itself keeps */
#define SERVER_MS    10000 /* for its server to take a request, on a busy machine */
#define STOPPED_MS   1000  /* without an answer, until it is looked whether the server is stopped */
#define SOCKET_BYTES ((size_t)64 << 10) /* that a socket surely holds */

/* ---- what an answer depends on besides the request ---- */

/* Everything cpuid says of instruction sets, and nothing that differs between the cores of a machine. */
static void hash_cpu(struct hash *h) {
    static const struct {
        unsigned leaf, sub, mask[4]; /* which of eax, ebx, ecx, edx */
    } leaves[] = {
        {1, 0, {1, 0, 1, 1}},
        {7, 0, {0, 1, 1, 1}},
        {7, 1, {1, 1, 1, 1}},
        {0xd, 1, {1, 0, 0, 0}},
        {0x14, 0, {0}},
        {0x19, 0, {1, 1, 1, 0}},
        {0x80000001, 0, {0, 0, 1, 1}},
        {0x80000002, 0, {1, 1, 1, 1}},
        {0x80000003, 0, {1, 1, 1, 1}},
        {0x80000004, 0, {1, 1, 1, 1}},
        {0x80000008, 0, {0, 1, 0, 0}},
    };
    for (size_t i = 0; i < sizeof leaves / sizeof *leaves; i++) {
        unsigned r[4] = {0};
        __get_cpuid_count(leaves[i].leaf, leaves[i].sub, &r[0], &r[1], &r[2], &r[3]);
        for (int j = 0; j < 4; j++)
            r[j] = leaves[i].mask[j] ? r[j] : 0;
        hash_bytes(h, r, sizeof r);
    }
}

static void hash_file(struct hash *h, const char *path) {
    struct stat st;
    uint64_t id[4] = {0};
    if (!stat(path, &st)) {
        id[0] = (uint64_t)st.st_size;
        id[1] = (uint64_t)st.st_ino;
        id[2] = (uint64_t)st.st_mtim.tv_sec;
        id[3] = (uint64_t)st.st_mtim.tv_nsec;
    }
    hash_bytes(h, id, sizeof id);
}

static char identity[33];

static void identify(void) {
    /* weirc loads the shared LLVM and runs clang: a package upgrade changes its answers as well. */
    static const char *const others[] = {
        "weir-builtins.a",   "../lib/weir/weir-builtins.a",          "../share/weir/weir-builtins.a",
        "/usr/bin/clang-22", "/usr/lib/llvm-22/lib/libLLVM.so.22.1", "/usr/bin/ld"};
    struct hash h;
    hash_init(&h);
    uint32_t versions[2] = {WEIR_ABI_VERSION, WEIR_PROTOCOL};
    hash_bytes(&h, versions, sizeof versions);
    hash_bytes(&h, WEIR_VERSION, sizeof WEIR_VERSION);
    if (env_get()->cpu)
        hash_bytes(&h, env_get()->cpu, strlen(env_get()->cpu));
    else
        hash_cpu(&h);
    const char *weirc = weirc_path(NULL);
    if (weirc) {
        hash_file(&h, weirc);
        int dir = (int)(strrchr(weirc, '/') - weirc);
        for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
            struct buf path = {0};
            if (others[i][0] != '/')
                buf_printf(&path, "%.*s/", dir, weirc);
            buf_printf(&path, "%s", others[i]);
            if (buf_cstr(&path))
                hash_file(&h, buf_cstr(&path));
            buf_free(&path);
        }
    }
    hash_hex(&h, identity);
}

const char *compiler_identity(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, identify);
    return identity;
}

static void request_key(const void *bytes, size_t key_size, enum effort effort, char key[33]) {
    struct hash h;
    hash_init(&h);
    hash_bytes(&h, compiler_identity(), 32);
    hash_bytes(&h, bytes, key_size);
    if (effort)
        hash_bytes(&h, &effort, sizeof effort);
    hash_hex(&h, key);
}

/* ---- asking ---- */

static void __attribute__((format(printf, 2, 3))) fail(struct answer *a, const char *format, ...) {
    char *text = NULL;
    va_list args;
    va_start(args, format);
    if (vasprintf(&text, format, args) < 0)
        text = NULL;
    va_end(args);
    *a = (struct answer){.status = ANSWER_COMPILER_FAILED, .log = text ? text : strdup("out of memory")};
    log_write(LOG_ERROR, "%s", a->log ? a->log : "out of memory");
}

/* What came of an attempt: after the first three another one may do better. */
enum outcome { SERVER_GONE, STUCK, KILLED, FAILED, ANSWERED };

struct question {
    const struct request *of; /* NULL: it is not to be asked with less effort */
    struct buf request, reading;
    unsigned timeout_ms;
    enum effort effort; /* of the answer */
};

/* A socket pair above the standard descriptors: a host that closed those may still print to them. */
static bool socket_pair(int ends[2]) {
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
        return false;
    for (int i = 0; i < 2; i++)
        if (ends[i] < 3) {
            int moved = fcntl(ends[i], F_DUPFD_CLOEXEC, 3);
            if (moved >= 0) {
                close(ends[i]);
                ends[i] = moved;
            }
        }
    return true;
}

static unsigned left_ms(uint64_t deadline) {
    uint64_t now = time_ns();
    return now < deadline ? (unsigned)((deadline - now + 999999) / 1000000) : 1;
}

/* Nothing came for STOPPED_MS: whether the server is stopped, as it was when this was asked before. Somebody may stop it
 * for a moment. */
static bool stays_stopped(uint64_t generation, bool *was_stopped) {
    bool before = *was_stopped;
    *was_stopped = weirc_stopped(generation);
    return before && *was_stopped;
}

/* Waits for bytes to read. False with errno: none come until the deadline, or *stuck: the server is stopped. */
static bool wait_for(int fd, uint64_t generation, uint64_t deadline, bool *stuck) {
    for (bool was_stopped = false;;) {
        unsigned left = left_ms(deadline);
        struct pollfd p = {.fd = fd, .events = POLLIN};
        int n = poll(&p, 1, left < STOPPED_MS ? (int)left : STOPPED_MS);
        if (n > 0)
            return true;
        if (n < 0 && errno != EINTR)
            return false;
        *stuck = !n && stays_stopped(generation, &was_stopped);
        if (*stuck || left == 1) {
            errno = ETIMEDOUT;
            return false;
        }
    }
}

/* Whether the frame is an answer, and none of a compiler that failed. */
static bool is_useful(const struct buf *reply) {
    struct answer a;
    bool useful = protocol_read_answer(reply->data, reply->size, &a);
    useful &= useful && a.status != ANSWER_COMPILER_FAILED;
    answer_free(&a);
    return useful;
}

/* Where less effort helps, the failure is a mistake in the compiler all the same. */
static void tell_failure(const struct question *q, unsigned effort, const struct buf *reply) {
    struct answer a;
    if (protocol_read_answer(reply->data, reply->size, &a) && a.status == ANSWER_COMPILER_FAILED) {
        log_write(LOG_WARN, "the compiler failed on kernel %s with effort %u: %s", q->of->kernel, effort,
                  a.log);
    }
    answer_free(&a);
}

/* Asks for the same kernel with less effort; -1: it can't. A weirc_done is due for the connection that it gives. */
static int ask_for_less(const struct question *q, enum effort effort) {
    struct request less = *q->of;
    less.patience_ms = 0;
    struct buf request = {0}, empty = {0};
    char why[256];
    int ends[2];
    less.effort = effort;
    protocol_write_request(&request, &less, NULL);
    if (request.failed || !socket_pair(ends)) {
        buf_free(&request);
        return -1;
    }
    uint64_t generation = weirc_send(ends[1], &q->reading, why, sizeof why);
    close(ends[1]);
    bool sent = generation && frame_receive(ends[0], &empty, MAX_ANSWER, SERVER_MS) &&
                frame_send(ends[0], request.data, request.size, SERVER_MS);
    log_write(LOG_INFO, "kernel %s takes long to compile, or can't be: it is tried with effort %d%s",
              q->of->kernel, (int)effort, sent ? "" : ", in vain");
    if (!sent) {
        close(ends[0]);
        if (generation)
            weirc_done();
    }
    buf_free(&request);
    buf_free(&empty);
    return sent ? ends[0] : -1;
}

/* Those that work on one kernel, each with less effort than the one before. The first is the exchange's own. */
struct race {
    struct pollfd at[EFFORT_LEAST + 1];
    unsigned n, running;
    bool failed;      /* one has answered that it failed */
    bool calls;       /* the first has taken so much of a processor's time that another one should join */
    uint64_t next_ns; /* when another one joins that nobody has called */
};

static void race_join(struct race *r, const struct question *q) {
    unsigned effort = r->n;
    int fd = ask_for_less(q, effort);
    r->at[r->n++] = (struct pollfd){.fd = fd, .events = POLLIN};
    r->running += fd >= 0;
    r->calls = false;
    r->next_ns = time_ns() + env_get()->patience * 1000000ull * ELAPSED_FACTOR * (effort + 1);
}

/* Whether another one may join: one that failed, by a mistake in LLVM, say, leaves it to those with less effort. */
static bool race_is_open(const struct race *r) {
    return r->n <= EFFORT_LEAST;
}

/* Takes what one of them sends: that it has tried the patience, or its answer. The last one's answer counts whatever it is,
 * and each one's where failures may not be hidden. */
static bool race_hear(struct race *r, const struct question *q, unsigned i, uint64_t deadline,
                      struct buf *reply) {
    bool got = frame_receive(r->at[i].fd, reply, MAX_ANSWER, left_ms(deadline));
    if (got && !reply->size) {
        r->calls = true;
        return false;
    }
    r->running--;
    if (got)
        tell_failure(q, i, reply);
    if (got && (!env_get()->retry || (!r->running && !race_is_open(r)) || is_useful(reply)))
        return true;
    r->failed |= got;
    if (i) {
        close(r->at[i].fd);
        weirc_done();
    }
    r->at[i].fd = -1; /* poll leaves it out */
    return false;
}

/* Waits for the answer. A kernel that takes long, or fails in the compiler, is asked for again with less effort: the first
 * answer that is none of a failure is taken. What closes then tells the server to end the others. */
static bool get_answer(int fd, struct question *q, uint64_t generation, uint64_t deadline, struct buf *reply,
                       bool *stuck) {
    if (!q->of || q->of->kind != REQUEST_KERNEL) {
        do
            if (!wait_for(fd, generation, deadline, stuck) ||
                !frame_receive(fd, reply, MAX_ANSWER, left_ms(deadline)))
                return false;
        while (!reply->size); /* nobody listens to that */
        return true;
    }
    struct race r = {.at = {{.fd = fd, .events = POLLIN}}, .n = 1, .running = 1};
    r.next_ns = time_ns() + env_get()->patience * 1000000ull * ELAPSED_FACTOR;
    bool got = false, over = false, was_stopped = false;
    while (!got && !over && (r.running || (r.failed && race_is_open(&r)))) {
        bool joins = race_is_open(&r);
        if (!r.running || (joins && (r.calls || time_ns() >= r.next_ns))) {
            race_join(&r, q);
            continue;
        }
        unsigned left = left_ms(joins && r.next_ns < deadline ? r.next_ns : deadline);
        int ready = poll(r.at, r.n, left < STOPPED_MS ? (int)left : STOPPED_MS);
        over = (ready < 0 && errno != EINTR) || time_ns() >= deadline;
        for (unsigned i = 0; ready > 0 && !got && i < r.n; i++)
            if ((got = r.at[i].fd >= 0 && r.at[i].revents && race_hear(&r, q, i, deadline, reply)))
                q->effort = i;
        *stuck = !ready && stays_stopped(generation, &was_stopped);
        over |= *stuck;
        if (over && !got)
            errno = ETIMEDOUT;
    }
    int error = errno;
    for (unsigned i = 1; i < r.n; i++) {
        if (r.at[i].fd >= 0) {
            close(r.at[i].fd);
            weirc_done();
        }
    }
    errno = error;
    return got;
}

/* weirc gives up by itself before this. */
static uint64_t answer_ms(const struct question *q) {
    return (uint64_t)q->timeout_ms * ELAPSED_FACTOR + GRACE_MS;
}

/* Sends the request, gets the answer. The server says with an empty frame that it has the connection: until then the wait
 * is short, unless this is the last attempt. False with errno; *stuck: it was the server that didn't answer. */
static bool converse(int fd, struct question *q, uint64_t generation, bool last, struct buf *reply,
                     bool *stuck) {
    uint64_t deadline = time_ns() + answer_ms(q) * 1000000ull;
    uint64_t first = last ? deadline : time_ns() + SERVER_MS * 1000000ull;
    bool fits = q->request.size <= SOCKET_BYTES; /* it can be sent before anybody receives */
    if (fits && !frame_send(fd, q->request.data, q->request.size, left_ms(deadline)))
        return false;
    if (!wait_for(fd, generation, first, stuck)) {
        *stuck |= errno == ETIMEDOUT && !last;
        return false;
    }
    return frame_receive(fd, reply, MAX_ANSWER, left_ms(deadline)) &&
           (fits || frame_send(fd, q->request.data, q->request.size, left_ms(deadline))) &&
           get_answer(fd, q, generation, deadline, reply, stuck);
}

/* One attempt. `why` says what failed unless ANSWERED. */
static enum outcome exchange(struct question *q, bool last, struct buf *reply, char *why, size_t why_size) {
    int ends[2];
    bool stuck = false;
    if (!socket_pair(ends)) {
        snprintf(why, why_size, "no socket to ask the compiler: %s", strerror(errno));
        weirc_explain(why, why_size);
        return FAILED;
    }
    uint64_t generation = weirc_send(ends[1], &q->reading, why, why_size);
    close(ends[1]);
    enum outcome outcome = FAILED;
    if (generation && converse(ends[0], q, generation, last, reply, &stuck)) {
        outcome = ANSWERED;
    } else if (generation && errno == ETIMEDOUT) {
        /* weirc gives up by itself before this: whoever still holds the request is stuck. */
        if (stuck)
            snprintf(why, why_size, "the compiler's server does not answer");
        else
            snprintf(why, why_size, "the compiler did not answer within %llu s",
                     (unsigned long long)answer_ms(q) / 1000);
        weirc_drop(generation);
        outcome = stuck ? STUCK : FAILED;
    } else if (generation && (errno == ENOMEM || errno == EMSGSIZE)) {
        snprintf(why, why_size, "the compiler's answer cannot be held: %s", strerror(errno));
    } else if (generation) {
        snprintf(why, why_size, "the compiler ended without an answer: it crashed or was killed (%s)",
                 weirc_path(NULL));
        weirc_explain(why, why_size);
        outcome = weirc_alive(generation) ? KILLED : SERVER_GONE;
    }
    if (generation)
        weirc_done();
    close(ends[0]);
    return outcome;
}

/* What the compiler says of its own failure, with what may be behind it. */
static void explain_failure(struct answer *a) {
    char why[1024] = "";
    weirc_explain(why, sizeof why);
    size_t n = a->log ? strlen(a->log) : 0;
    char *log = *why ? realloc(a->log, n + strlen(why) + 2) : NULL;
    if (!log)
        return;
    while (n && log[n - 1] == '\n')
        n--;
    sprintf(log + n, "%s\n", why);
    a->log = log;
}

static void ask_server(struct question *q, struct buf *reply, struct answer *a) {
    static const char *const again[] = {"its server has died", "its server doesn't answer",
                                        "it was killed from outside"};
    char why[1536] = "out of memory for a request to the compiler";
    enum outcome outcome = q->reading.failed ? FAILED : exchange(q, false, reply, why, sizeof why);
    if (outcome < FAILED) {
        log_write(LOG_WARN, "the compiler gave no answer (%s): asking once more", again[outcome]);
        outcome = exchange(q, true, reply, why, sizeof why);
    }
    if (outcome != ANSWERED)
        fail(a, "%s", why);
    else if (!protocol_read_answer(reply->data, reply->size, a))
        fail(a, "the compiler gave a malformed answer; are weirc and libweir.so of one version?");
    else if (a->status == ANSWER_COMPILER_FAILED)
        explain_failure(a);
}

/* Whether what should be a kernel object can be one. */
static bool is_loadable(const struct request *r, const struct answer *a) {
    const char *what;
    bool object = (r->kind == REQUEST_KERNEL && r->emit == EMIT_SO) || r->kind == REQUEST_GLOBALS;
    return !object || a->status != ANSWER_OK || elf_is_sound(a->output, a->output_size, &what);
}

/* ---- kernels that were compiled with less effort ---- */

struct hasty {
    struct hasty *next;
    struct question question; /* for full effort */
    char key[33], hasty_key[33];
};
static pthread_mutex_t hasty_lock = PTHREAD_MUTEX_INITIALIZER; /* guards the list, not its members */
static struct hasty *hasty_list;                               /* a thread works on the first one */

/* Gets for the cache what nobody had the patience to wait for. If that fails there is nothing better than what there is. */
static void improve(struct hasty *h) {
    struct buf reply = {0};
    struct answer a;
    if (!cache_load(h->key, &reply)) {
        ask_server(&h->question, &reply, &a);
        if (a.status == ANSWER_OK || (a.status == ANSWER_COMPILER_FAILED && cache_load(h->hasty_key, &reply)))
            cache_store(h->key, reply.data, reply.size);
        log_write(LOG_INFO, "a kernel that took long to compile is in the cache now, status %u, key %s",
                  a.status, h->key);
        answer_free(&a);
    }
    buf_free(&reply);
}

static void hasty_free(struct hasty *h) {
    buf_free(&h->question.request);
    buf_free(&h->question.reading);
    free(h);
}

static void *improve_all(void *arg) {
    struct hasty *done, *next = arg;
    do {
        improve(done = next);
        pthread_mutex_lock(&hasty_lock);
        hasty_list = next = done->next;
        pthread_mutex_unlock(&hasty_lock);
        hasty_free(done);
    } while (next);
    return NULL;
}

/* A child doesn't have the thread: what is on the list is the parent's to improve. */
static void after_fork_child(void) {
    pthread_mutex_init(&hasty_lock, NULL);
    hasty_list = NULL;
}

static void watch_forks(void) {
    pthread_atfork(NULL, NULL, after_fork_child);
}

/* Takes the question's bytes. */
static void improve_later(struct question *q, const char key[33], const char hasty_key[33]) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    struct hasty *h = malloc(sizeof *h), **end = &hasty_list;
    pthread_t thread;
    if (!h)
        return;
    pthread_once(&once, watch_forks);
    *h = (struct hasty){
        .question = {.request = q->request, .reading = q->reading, .timeout_ms = q->timeout_ms}};
    q->request = q->reading = (struct buf){0};
    memcpy(h->key, key, sizeof h->key);
    memcpy(h->hasty_key, hasty_key, sizeof h->hasty_key);
    pthread_mutex_lock(&hasty_lock);
    while (*end && strcmp((*end)->key, key))
        end = &(*end)->next;
    bool is_known = *end, is_first = !hasty_list;
    if (is_first && worker_thread(&thread, 0, improve_all, h))
        is_known = true; /* nobody can do it */
    else if (!is_known)
        *end = h;
    if (is_first && !is_known)
        pthread_detach(thread);
    pthread_mutex_unlock(&hasty_lock);
    if (is_known)
        hasty_free(h);
}

/* Looks for an answer, best effort first. */
static bool load_answer(const struct question *q, size_t key_size, struct buf *reply, struct answer *a,
                        char key[33]) {
    enum effort least = q->of->kind == REQUEST_KERNEL ? EFFORT_LEAST : EFFORT_FULL;
    for (enum effort effort = EFFORT_FULL; effort <= least; effort++) {
        request_key(q->request.data, key_size, effort, key);
        if (!cache_load(key, reply) || !protocol_read_answer(reply->data, reply->size, a))
            continue;
        a->effort = effort;
        if (is_loadable(q->of, a))
            return true;
        answer_free(a); /* somebody else's doing, for its checksum is right */
    }
    return false;
}

static void ask(const struct request *given, struct answer *a) {
    static const char *const kinds[] = {"?", "compile", "link", "build", "kernel", "globals"};
    struct request request = *given;
    char *cwd = NULL, key[33], full_key[33];
    const char *sought;
    if (!weirc_path(&sought)) {
        fail(a, "the compiler weirc was not found; tried: %s", sought);
        return;
    }
    if (!request.timeout_ms)
        request.timeout_ms = env_get()->build_timeout * 1000;
    request.patience_ms = request.kind == REQUEST_KERNEL ? env_get()->patience : 0;
    request.cpu = env_get()->cpu;
    if (!request.cwd)
        request.cwd = cwd = getcwd(NULL, 0);
    struct question q = {.of = &request, .timeout_ms = request.timeout_ms};
    struct buf reply = {0};
    size_t key_size;
    uint64_t begin = time_ns();
    protocol_write_request(&q.request, &request, &key_size);
    if (q.request.failed) {
        fail(a, "out of memory for a request to the compiler");
        buf_free(&q.request);
        free(cwd);
        return;
    }
    bool hit = load_answer(&q, key_size, &reply, a, key);
    if (!hit) {
        protocol_write_reading(&q.reading, &request);
        ask_server(&q, &reply, a);
        a->effort = q.effort;
        request_key(q.request.data, key_size, a->effort, key);
        if (a->status == ANSWER_OK && a->cacheable)
            cache_store(key, reply.data, reply.size);
    }
    log_write(LOG_DEBUG, "%s %s%s%.2f ms, status %u, key %s", kinds[request.kind < 6 ? request.kind : 0],
              request.kernel ? request.kernel : "", hit ? ": from the cache in " : ": ",
              (double)(time_ns() - begin) / 1e6, a->status, key);
    if (trace_on)
        trace_build(profile_on && request.report ? "report" : kinds[request.kind < 6 ? request.kind : 0],
                    request.kernel, hit, a->phases, begin, time_ns());
    if (a->effort && a->status == ANSWER_OK && a->cacheable && *env_get()->cache_dir) {
        if (hit)
            protocol_write_reading(&q.reading, &request);
        request_key(q.request.data, key_size, EFFORT_FULL, full_key);
        improve_later(&q, full_key, key);
    }
    buf_free(&q.request);
    buf_free(&q.reading);
    buf_free(&reply);
    free(cwd);
}

void compiler_ask(const struct request *r, struct answer *a) {
    int cancel = cancel_off();
    struct float_mode mode = float_mode_enter(); /* for times in the log */
    ask(r, a);
    float_mode_leave(mode);
    cancel_on(cancel);
}

void compiler_unload(void) {
    weirc_rest();
}
