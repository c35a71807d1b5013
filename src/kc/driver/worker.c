/* worker.c: a process of weirc that serves requests, one at a time.
 *
 * In: connections over a socket of the server's. Out: an answer frame on each, whatever becomes of the compiler: crash and
 * time-out are answers too. What it may read is decided once, at its start: its sandbox never widens.
 *
 * A worker is a fork of the server, which never compiles itself. It serves further requests, with what it has warmed
 * up, as long as all goes well: one that crashed, ran out of time, or failed inside LLVM ends with its request, and so
 * does one that has grown large. It keeps a clang that has started and forks for each program.
 */
#include "driver.h"
#include "emit.h"
#include "folders.h"
#include "frontend.h"
#include "sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#define MAX_REQUEST   ((size_t)1 << 30)
#define MAX_MEMORY    ((rlim_t)8 << 30) /* of a worker, and of each process it runs */
#define MEMORY_EXTRA  ((rlim_t)1 << 30) /* of addresses, beyond the memory that all requests may take */
#define MAX_FILE      ((rlim_t)1 << 30)
#define STACK_BYTES   ((size_t)256 << 20) /* LLVM recurses over deep expressions; touched pages count only */
#define GRACE_MS      500                 /* between clang's time limit and the alarm */
#define FIRST_WAIT_MS 60000               /* for the request, once a connection is there */
#define WARM_AFTER_MS 60                  /* without a request: the first ones come close together */
#define MAX_HEAP      ((size_t)256 << 20) /* of a worker that is kept */

/* What a signal handler needs: answers are made before the work begins. */
static struct {
    volatile sig_atomic_t connection, frames;
    struct buf crashed, timed_out;
} emergency = {.connection = -1};

/* The request's work is over, one way or another: whatever it started must not outlive it. */
static void answer_and_exit(const struct buf *frame) {
    int connection = emergency.connection;
    for (size_t done = 0; connection >= 0 && done < frame->size;) {
        ssize_t n = write(connection, frame->data + done, frame->size - done);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            break;
        done += (size_t)n;
    }
    _exit(1); /* clang and ld die with their parent */
}

static void on_crash(int signal_number) {
    answer_and_exit(&emergency.crashed);
}

static void on_alarm(int signal_number) {
    answer_and_exit(&emergency.timed_out);
}

/* The runtime's patience is over: this tells it, with an empty frame. */
static void on_patience(int signal_number) {
    static const char frame[8];
    int error = errno;
    if (emergency.frames < EFFORT_LEAST) {
        emergency.frames++;
        send(emergency.connection, frame, sizeof frame, MSG_DONTWAIT | MSG_NOSIGNAL);
    }
    errno = error;
}

void worker_failure(struct buf *frame, const char *log) {
    struct buf answer = {0};
    protocol_write_answer(&answer, &(struct answer){.status = ANSWER_COMPILER_FAILED, .log = (char *)log});
    buf_blob(frame, answer.data, answer.size);
    buf_free(&answer);
}

static void catch_signals(void) {
    static char stack[65536];
    worker_failure(&emergency.crashed, "error: the compiler crashed\n");
    sigaltstack(&(stack_t){.ss_sp = stack, .ss_size = sizeof stack}, NULL);
    static const int crashes[] = {CRASH_SIGNALS, SIGXFSZ, SIGSYS};
    struct sigaction action = {.sa_handler = on_crash, .sa_flags = SA_ONSTACK | SA_RESETHAND};
    for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++)
        sigaction(crashes[i], &action, NULL);
    action.sa_handler = on_alarm;
    sigaction(SIGALRM, &action, NULL);
    sigaction(SIGPROF, &action, NULL);
    sigaction(SIGVTALRM, &(struct sigaction){.sa_handler = on_patience, .sa_flags = SA_ONSTACK | SA_RESTART},
              NULL);
}

/* 0: never. */
static void set_timer(int which, uint64_t first_ms, uint64_t then_ms) {
    struct itimerval timer = {
        .it_value = {.tv_sec = (time_t)(first_ms / 1000), .tv_usec = (suseconds_t)(first_ms % 1000 * 1000)},
        .it_interval = {.tv_sec = (time_t)(then_ms / 1000), .tv_usec = (suseconds_t)(then_ms % 1000 * 1000)}};
    setitimer(which, &timer, NULL);
}

/* Has signals come when the request has taken its time, of the processor's or of the clock's, and where it tries the
 * runtime's patience. */
static void set_timers(const struct request *request) {
    char message[128];
    snprintf(message, sizeof message, "error: compile time limit of %u s exceeded\n",
             (request->timeout_ms + 999) / 1000);
    buf_free(&emergency.timed_out);
    worker_failure(&emergency.timed_out, message);
    emergency.frames = 0;
    if (request->timeout_ms) {
        set_timer(ITIMER_PROF, request->timeout_ms, 0);
        set_timer(ITIMER_REAL, request->timeout_ms * (uint64_t)ELAPSED_FACTOR + GRACE_MS, 0);
    }
    set_timer(ITIMER_VIRTUAL, request->patience_ms, request->patience_ms * 2ull);
}

static void stop_timers(void) {
    set_timer(ITIMER_VIRTUAL, 0, 0);
    set_timer(ITIMER_PROF, 0, 0);
    set_timer(ITIMER_REAL, 0, 0);
}

static void set_limit(int resource, rlim_t limit) {
    struct rlimit old;
    if (getrlimit(resource, &old))
        return;
    if (old.rlim_max == RLIM_INFINITY || old.rlim_max > limit)
        old.rlim_max = limit;
    old.rlim_cur = old.rlim_max; /* also raises what the host has lowered */
    setrlimit(resource, &old);
}

void worker_limit_stack(void) {
    set_limit(RLIMIT_STACK, STACK_BYTES);
}

/* This worker's requests include files: it gets none for code, and the next one may not come soon. */
static bool only_compiles;

/* Whether this process should serve another request. */
static bool is_fit(const struct job *job) {
    struct mallinfo2 heap = mallinfo2();
    return job->answer.status != ANSWER_COMPILER_FAILED && heap.arena + heap.hblkhd <= MAX_HEAP;
}

/* Answers the request on the connection. False: this process should serve no more. The server hears that it will before
 * the runtime has its answer: the next request comes at once, and should find this worker and no new one. */
static bool serve(int server, const struct request *request) {
    struct job job = {.request = request, .llvm = LLVMContextCreate(), .only_compiles = only_compiles};
    if (request->timeout_ms)
        job.limit_ns = job_used_ns() + request->timeout_ms * 1000000ull;
    set_timers(request);
    job_run(&job);
    struct buf bytes = {0};
    protocol_write_answer(&bytes, &job.answer);
    if (bytes.failed)
        answer_and_exit(&emergency.crashed);
    stop_timers();
    if (job.killed)
        _exit(1); /* no answer: the runtime asks once more */
    bool serves_on = is_fit(&job) && write(server, "", 1) == 1;
    frame_send(emergency.connection, bytes.data, bytes.size, 0);
    buf_free(&bytes);
    if (!serves_on)
        return false;
    LLVMContextDispose(job.llvm);
    job_end();
    return true;
}

/* One connection: one request. */
static bool serve_connection(int server, int connection) {
    struct buf bytes = {0};
    struct request request;
    bool well = frame_receive(connection, &bytes, MAX_REQUEST, FIRST_WAIT_MS);
    if (well) {
        emergency.connection = connection;
        if (!protocol_read_request(bytes.data, bytes.size, &request)) {
            buf_free(&emergency.crashed);
            worker_failure(&emergency.crashed, "error: malformed request to the compiler\n");
            answer_and_exit(&emergency.crashed);
        }
        well = serve(server, &request);
        request_free(&request);
        emergency.connection = -1;
    }
    buf_free(&bytes);
    close(connection);
    return well;
}

/* Whether clang can start while this thread serves the next request. */
static bool has_other_core(void) {
    cpu_set_t cores;
    return sched_getaffinity(0, sizeof cores, &cores) || CPU_COUNT(&cores) > 1;
}

/* The worker's thread: LLVM wants more stack than the host's limits may leave the main thread. */
static void *work(void *arg) {
    int server = *(int *)arg;
    catch_signals();
    for (;;) {
        struct pollfd waiting = {.fd = server, .events = POLLIN};
        if (has_other_core())
            frontend_prepare();
        if (poll(&waiting, 1, WARM_AFTER_MS) == 0) {
            frontend_prepare();
            if (clang_wants_rehearsal(true))
                frontend_rehearse();
            if (!only_compiles)
                emit_warm();
        }
        int connection = frame_receive_fd(server);
        if (connection < 0 && (errno == EINTR || errno == EAGAIN))
            continue;
        if (connection < 0 || !serve_connection(server, connection))
            _exit(0);
    }
}

/* Folders of libraries that are found by the environment. */
static size_t library_folders(const char **to, size_t max) {
    char *path = getenv("LD_LIBRARY_PATH") ? job_strdup(getenv("LD_LIBRARY_PATH")) : NULL, *rest;
    size_t n = 0;
    for (char *folder = path ? strtok_r(path, ":;", &rest) : NULL; folder && n < max;
         folder = strtok_r(NULL, ":;", &rest))
        if (*folder == '/')
            to[n++] = folder;
    return n;
}

/* clang and ld are all that it runs, the sources kept for debuggers all that it writes to files. */
static void enter_sandbox(const struct folders *folders, bool is_first) {
    enum { MAX_LIBRARIES = 64 };
    const char *clang = clang_path(), *fork_server = clang_fork_server(), *linker = emit_linker();
    const char *programs[2], **readable = job_alloc((folders->n + MAX_LIBRARIES + 2) * sizeof *readable);
    struct sandbox sandbox = {.programs = programs,
                              .readable = readable,
                              .shallow = folders->shallow,
                              .writable = frontend_sources(),
                              .is_quiet = !is_first};
    if (clang) {
        programs[sandbox.nprograms++] = clang;
        readable[sandbox.nreadable++] = clang_resources();
    }
    if (fork_server)
        readable[sandbox.nreadable++] = fork_server;
    if (linker)
        programs[sandbox.nprograms++] = linker;
    sandbox.nreadable += library_folders(readable + sandbox.nreadable, MAX_LIBRARIES);
    for (size_t i = 0; i < folders->n; i++)
        readable[sandbox.nreadable++] = folders->at[i];
    /* A crashing clang would want a temporary file for it, and time. */
    setenv("LLVM_DISABLE_SYMBOLIZATION", "1", 1);
    sandbox_enter(&sandbox, NULL);
    job_end();
}

/* Where memory is short the kernel ends the compiler before the application. */
static void offer_to_the_oom_killer(void) {
    int fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    if (fd >= 0 && write(fd, "500", 3) < 0)
        log_write(LOG_DEBUG, "weirc: oom_score_adj: %s", strerror(errno));
    if (fd >= 0)
        close(fd);
}

void worker_run(int server, pid_t parent, const struct folders *folders, bool is_first) {
    signal(SIGCHLD, SIG_DFL);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(1);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) /* their shadows take terabytes of it */
    rlim_t memory = memory_limit() + MEMORY_EXTRA;
    set_limit(RLIMIT_AS, memory < MAX_MEMORY ? memory : MAX_MEMORY);
#endif
    set_limit(RLIMIT_FSIZE, MAX_FILE);
    set_limit(RLIMIT_CORE, 0);
    worker_limit_stack(); /* clang's */
    only_compiles = folders->key_size > 0;
    offer_to_the_oom_killer();
    enter_sandbox(folders, is_first);
    /* Memory that one request has had serves the next: pages cost more than what is in them. */
    mallopt(M_ARENA_MAX, 1);
    mallopt(M_TRIM_THRESHOLD, 128 << 20);
    mallopt(M_TOP_PAD, 4 << 20);
    pthread_attr_t attributes;
    pthread_t thread;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, STACK_BYTES);
    if (pthread_create(&thread, &attributes, work, &server))
        work(&server);
    sigset_t all; /* are for that thread, which else might be sending its answer while a handler sends */
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, NULL);
    pthread_join(thread, NULL);
    _exit(1);
}
