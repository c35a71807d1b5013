/* server.c: weirc as a server: a process that hands out requests, and workers that serve one at a time.
 *
 * In: descriptors of request connections over a control socket. Out: an answer frame on each connection,
 * whatever becomes of the compiler: crash, time-out and want of memory are answers too. The runtime's end of the
 * control socket closes when its process ends; then all workers end as well.
 *
 * A worker is a fork of the server, which never compiles itself. It serves further requests, with what it has warmed
 * up, as long as all goes well: one that crashed, ran out of time, or failed inside LLVM ends with its request, and so
 * does one that has grown large. Between requests it keeps a clang that has started and waits for the next one.
 */
#include "driver.h"
#include "emit.h"
#include "frontend.h"

#include <errno.h>
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
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#define MAX_REQUEST   ((size_t)1 << 30)
#define MAX_MEMORY    ((rlim_t)8 << 30) /* of a worker, and of each process it runs */
#define MAX_FILE      ((rlim_t)1 << 30)
#define STACK_BYTES   ((size_t)256 << 20) /* LLVM recurses over deep expressions; touched pages count only */
#define GRACE_MS      500                 /* between a worker's own time limits and the alarm */
#define FIRST_WAIT_MS 60000               /* for the request, once a connection is there */
#define WARM_AFTER_MS 60                  /* without a request: the first ones come close together */
#define MAX_WORKERS   256
#define MAX_IDLE      2                   /* workers that are kept */
#define MAX_HEAP      ((size_t)256 << 20) /* of a worker that is kept */

/* What a signal handler needs: answers are made before the work begins. */
static struct {
    volatile sig_atomic_t connection;
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

/* An answer as the bytes of a frame. */
static void prepare(struct buf *frame, const char *log) {
    struct buf answer = {0};
    protocol_write_answer(&answer, &(struct answer){.status = ANSWER_COMPILER_FAILED, .log = (char *)log});
    buf_blob(frame, answer.data, answer.size);
    buf_free(&answer);
}

static void catch_signals(void) {
    static char stack[65536];
    prepare(&emergency.crashed, "error: the compiler crashed\n");
    sigaltstack(&(stack_t){.ss_sp = stack, .ss_size = sizeof stack}, NULL);
    static const int crashes[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGXFSZ, SIGSYS};
    struct sigaction action = {.sa_handler = on_crash, .sa_flags = SA_ONSTACK | SA_RESETHAND};
    for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++)
        sigaction(crashes[i], &action, NULL);
    action.sa_handler = on_alarm;
    sigaction(SIGALRM, &action, NULL);
}

/* The alarm rings when the request's own limit should long have been noticed; 0: never. */
static void set_alarm(unsigned timeout_ms) {
    struct itimerval timer = {0};
    if (timeout_ms) {
        char message[128];
        snprintf(message, sizeof message, "error: compile time limit of %u s exceeded\n",
                 (timeout_ms + 999) / 1000);
        buf_free(&emergency.timed_out);
        prepare(&emergency.timed_out, message);
        timer.it_value =
            (struct timeval){(timeout_ms + GRACE_MS) / 1000, (timeout_ms + GRACE_MS) % 1000 * 1000};
    }
    setitimer(ITIMER_REAL, &timer, NULL);
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

/* Answers the request on the connection. False: this process should serve no more. */
static bool serve(const struct request *request) {
    if (chdir(request->cwd && *request->cwd ? request->cwd : "/"))
        log_write(LOG_WARN, "weirc: %s: %s", request->cwd, strerror(errno));
    struct job job = {.request = request, .llvm = LLVMContextCreate()};
    if (request->timeout_ms)
        job.deadline_ns = time_ns() + request->timeout_ms * 1000000ull;
    set_alarm(request->timeout_ms);
    job_run(&job);
    struct buf bytes = {0};
    protocol_write_answer(&bytes, &job.answer);
    if (bytes.failed)
        answer_and_exit(&emergency.crashed);
    set_alarm(0);
    frame_send(emergency.connection, bytes.data, bytes.size, 0);
    buf_free(&bytes);
    if (job.answer.status == ANSWER_COMPILER_FAILED)
        return false;
    LLVMContextDispose(job.llvm);
    if (job.machine)
        LLVMDisposeTargetMachine(job.machine);
    if (job.optimizer)
        LLVMDisposeTargetMachine(job.optimizer);
    job_end();
    return true;
}

/* One connection: one request. */
static bool serve_connection(int connection) {
    struct buf bytes = {0};
    struct request request;
    bool well = frame_receive(connection, &bytes, MAX_REQUEST, FIRST_WAIT_MS);
    if (well) {
        emergency.connection = connection;
        if (!protocol_read_request(bytes.data, bytes.size, &request)) {
            buf_free(&emergency.crashed);
            prepare(&emergency.crashed, "error: malformed request to the compiler\n");
            answer_and_exit(&emergency.crashed);
        }
        well = serve(&request);
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
            emit_warm();
        }
        int connection = frame_receive_fd(server);
        if (connection < 0 && (errno == EINTR || errno == EAGAIN))
            continue;
        if (connection < 0 || !serve_connection(connection))
            _exit(0);
        struct mallinfo2 heap = mallinfo2();
        if (heap.arena + heap.hblkhd > MAX_HEAP || write(server, "", 1) != 1)
            _exit(0);
    }
}

/* The front end keeps sources in the cache for debuggers, and that is all that a worker writes to files. */
static void enter_sandbox(void) {
    const char *cache = env_get()->cache_dir;
    char *sources = *cache == '/' ? job_printf("%s/source", cache) : NULL;
    if (sources && (!mkdir(cache, 0700) || errno == EEXIST))
        mkdir(sources, 0700);
    /* A crashing clang would want a temporary file for it, and time. */
    setenv("LLVM_DISABLE_SYMBOLIZATION", "1", 1);
    sandbox_enter(sources);
}

/* The worker process. `server`: its end of a socket pair, over which it gets connections and says when it has served
 * one. */
static _Noreturn void worker(int server, pid_t parent) {
    signal(SIGCHLD, SIG_DFL);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(1);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) /* their shadows take terabytes of it */
    set_limit(RLIMIT_AS, MAX_MEMORY);
#endif
    set_limit(RLIMIT_FSIZE, MAX_FILE);
    set_limit(RLIMIT_CORE, 0);
    set_limit(RLIMIT_STACK, STACK_BYTES); /* clang's */
    enter_sandbox();
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
    pthread_join(thread, NULL);
    _exit(1);
}

/* A request that can't have a worker gets its answer here. */
static void refuse(int connection) {
    struct buf frame = {0};
    prepare(&frame, "error: the compiler can't fork: no memory or too many processes\n");
    if (write(connection, frame.data, frame.size) < 0)
        log_write(LOG_WARN, "weirc: %s", strerror(errno));
    buf_free(&frame);
}

/* ---- the server ---- */

static struct {
    struct worker {
        int fd; /* our end of its socket */
        bool busy;
    } at[MAX_WORKERS];
    size_t n;
} workers;

static void forget(size_t i) {
    close(workers.at[i].fd);
    workers.at[i] = workers.at[--workers.n];
}

/* Starts an idle worker; false: it can't. */
static bool add_worker(int control) {
    pid_t self = getpid();
    int ends[2];
    if (workers.n == MAX_WORKERS || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
        return false;
    pid_t pid = fork();
    if (pid == 0) {
        close(control);
        close(ends[0]);
        for (size_t i = 0; i < workers.n; i++)
            close(workers.at[i].fd);
        worker(ends[1], self);
    }
    close(ends[1]);
    if (pid < 0)
        close(ends[0]);
    else
        workers.at[workers.n++] = (struct worker){.fd = ends[0]};
    return pid >= 0;
}

/* Hands the connection to an idle worker, or to a new one. */
static void hand_out(int control, int connection) {
    for (;;) {
        size_t i = 0;
        while (i < workers.n && workers.at[i].busy)
            i++;
        if (i == workers.n && !add_worker(control)) {
            refuse(connection);
            break;
        }
        if (frame_send_fd(workers.at[i].fd, connection)) {
            workers.at[i].busy = true;
            break;
        }
        forget(i); /* somebody has killed it */
    }
    close(connection);
}

/* The worker has served its request and waits, or has ended. */
static void hear(size_t i) {
    char byte;
    size_t idle = 0;
    ssize_t n = read(workers.at[i].fd, &byte, 1);
    for (size_t w = 0; w < workers.n; w++)
        idle += !workers.at[w].busy;
    workers.at[i].busy = false;
    if (n != 1 || idle >= MAX_IDLE)
        forget(i); /* one that still is there ends at this */
}

int server_run(int control) {
    signal(SIGPIPE, SIG_IGN);
    signal(SIGCHLD, SIG_IGN); /* workers vanish by themselves */
    library_open();
    add_worker(control);
    for (;;) {
        struct pollfd polls[MAX_WORKERS + 1] = {{.fd = control, .events = POLLIN}};
        size_t n = workers.n;
        for (size_t i = 0; i < n; i++)
            polls[i + 1] = (struct pollfd){.fd = workers.at[i].fd, .events = POLLIN};
        if (poll(polls, n + 1, -1) < 0)
            continue;
        for (size_t i = n; i-- > 0;) /* from the end: `forget` moves the last one */
            if (polls[i + 1].revents)
                hear(i);
        if (!polls[0].revents)
            continue;
        int connection = frame_receive_fd(control);
        if (connection < 0 && (errno == EINTR || errno == EAGAIN))
            continue;
        if (connection < 0)
            return errno ? 1 : 0;
        hand_out(control, connection);
    }
}
