/* server.c: weirc as a server: one forked child per request.
 *
 * In: descriptors of request connections over a control socket. Out: an answer frame on each connection,
 * whatever becomes of the compiler: crash, time-out and want of memory are answers too. The runtime's end of the
 * control socket closes when its process ends; then all children end as well.
 */
#include "kc.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#define MAX_REQUEST   ((size_t)1 << 30)
#define MAX_MEMORY    ((rlim_t)8 << 30) /* of a child, and of each process it runs */
#define MAX_FILE      ((rlim_t)1 << 30)
#define STACK_BYTES   ((size_t)256 << 20) /* LLVM recurses over deep expressions; touched pages count only */
#define GRACE_MS      500                 /* between a child's own time limits and the alarm */
#define FIRST_WAIT_MS 60000               /* for the request, once a connection is there */

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

static void catch_signals(const struct request *request) {
    static char stack[65536];
    char message[128];
    snprintf(message, sizeof message, "error: compile time limit of %u s exceeded\n",
             (request->timeout_ms + 999) / 1000);
    prepare(&emergency.timed_out, message);
    prepare(&emergency.crashed, "error: the compiler crashed\n");
    sigaltstack(&(stack_t){.ss_sp = stack, .ss_size = sizeof stack}, NULL);
    static const int crashes[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGXFSZ, SIGSYS};
    struct sigaction action = {.sa_handler = on_crash, .sa_flags = SA_ONSTACK | SA_RESETHAND};
    for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++)
        sigaction(crashes[i], &action, NULL);
    action.sa_handler = on_alarm;
    sigaction(SIGALRM, &action, NULL);
    if (request->timeout_ms) {
        unsigned ms = request->timeout_ms + GRACE_MS;
        setitimer(ITIMER_REAL, &(struct itimerval){.it_value = {ms / 1000, ms % 1000 * 1000}}, NULL);
    }
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

/* The child's thread: LLVM wants more stack than the host's limits may leave the main thread. */
static void *work(void *arg) {
    struct job *job = arg;
    catch_signals(job->request);
    job_run(job);
    struct buf bytes = {0};
    protocol_write_answer(&bytes, &job->answer);
    int connection = emergency.connection;
    if (bytes.failed)
        answer_and_exit(&emergency.crashed);
    setitimer(ITIMER_REAL, &(struct itimerval){0}, NULL);
    frame_send(connection, bytes.data, bytes.size, 0);
    _exit(0);
}

/* The front end keeps sources in the cache for debuggers, and that is all that a child writes to files. */
static void enter_sandbox(void) {
    const char *cache = env_get()->cache_dir;
    char *sources = *cache == '/' ? job_printf("%s/source", cache) : NULL;
    if (sources && (!mkdir(cache, 0700) || errno == EEXIST))
        mkdir(sources, 0700);
    setenv("LLVM_DISABLE_SYMBOLIZATION", "1",
           1); /* a crashing clang would want a temporary file for it, and time */
    sandbox_enter(sources);
}

static _Noreturn void child(int connection, pid_t server, LLVMContextRef llvm) {
    signal(SIGCHLD, SIG_DFL);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != server)
        _exit(1);
    struct buf bytes = {0};
    struct request request;
    if (!frame_receive(connection, &bytes, MAX_REQUEST, FIRST_WAIT_MS))
        _exit(1);
    emergency.connection = connection;
    if (!protocol_read_request(bytes.data, bytes.size, &request)) {
        prepare(&emergency.crashed, "error: malformed request to the compiler\n");
        answer_and_exit(&emergency.crashed);
    }
    if (request.cwd && *request.cwd && chdir(request.cwd)) /* where relative -I paths begin */
        log_write(LOG_WARN, "weirc: %s: %s", request.cwd, strerror(errno));
    set_limit(RLIMIT_AS, MAX_MEMORY);
    set_limit(RLIMIT_FSIZE, MAX_FILE);
    set_limit(RLIMIT_CORE, 0);
    set_limit(RLIMIT_STACK, STACK_BYTES); /* clang's */
    enter_sandbox();
    struct job *job = job_alloc(sizeof *job);
    job->request = &request;
    job->llvm = llvm;
    if (request.timeout_ms)
        job->deadline_ns = time_ns() + request.timeout_ms * 1000000ull;
    pthread_attr_t attributes;
    pthread_t thread;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, STACK_BYTES);
    if (pthread_create(&thread, &attributes, work, job))
        work(job);
    pthread_join(thread, NULL);
    _exit(1);
}

/* A request that can't have a child gets its answer here. */
static void refuse(int connection) {
    struct buf frame = {0};
    prepare(&frame, "error: the compiler can't fork: no memory or too many processes\n");
    if (write(connection, frame.data, frame.size) < 0)
        log_write(LOG_WARN, "weirc: %s", strerror(errno));
    buf_free(&frame);
}

/* Does the next piece of work that all children profit from, while no request waits. */
static bool prepare_more(int step, LLVMContextRef llvm) {
    switch (step) {
    case 0:
        library_open();
        return true;
    case 1:
        emit_warm(llvm);
        return true;
    default:
        return false;
    }
}

int server_run(int control) {
    static const int idle_ms[] = {0, 60, -1}; /* before each step: the first requests come close together */
    LLVMContextRef llvm = LLVMContextCreate();
    signal(SIGPIPE, SIG_IGN);
    signal(SIGCHLD, SIG_IGN); /* children vanish by themselves */
    pid_t self = getpid();
    for (int step = 0;;) {
        struct pollfd waiting = {.fd = control, .events = POLLIN};
        if (poll(&waiting, 1, idle_ms[step]) == 0) {
            step += prepare_more(step, llvm);
            continue;
        }
        int connection = frame_receive_fd(control);
        if (connection < 0 && (errno == EINTR || errno == EAGAIN))
            continue;
        if (connection < 0)
            return errno ? 1 : 0;
        pid_t pid = fork();
        if (pid == 0) {
            close(control);
            child(connection, self, llvm);
        }
        if (pid < 0)
            refuse(connection);
        close(connection);
    }
}
