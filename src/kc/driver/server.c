/* server.c: weirc as a server: a process that hands out requests to workers.
 *
 * In: descriptors of request connections over a control socket, each with what the request may read. Out: an empty frame
 * on each connection as soon as it is received, then a worker's answer frame. Where there is no worker, or where memory
 * runs out, the answer is the server's. The runtime's end of the control socket closes when its process ends; then all
 * workers end as well.
 *
 * What a worker can read is fixed when it is made: requests that include files have workers of their own, by their folders.
 */
#include "driver.h"
#include "folders.h"
#include "frontend.h"
#include "sandbox.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define MAX_WORKERS 256
#define MAX_IDLE    2 /* workers that are kept, of those that read no files and of the others */
#define MAX_READING ((size_t)64 << 20)
#define READING_MS  5000 /* for the rest of what the runtime has begun to send */
#define LOOK_SHARE  100  /* a look takes at most one part in that many of a core's time */
#define WATCH_MS    250  /* between looks at what working workers take */

static struct {
    struct worker {
        pid_t pid;      /* 0: it has ended */
        int fd;         /* our end of its socket */
        int connection; /* of the request that it serves; -1: it is idle */
        char *key;      /* folders that it may read; NULL: none */
        size_t key_size;
        uint64_t idle_since;
        unsigned alone; /* looks at which nobody waited for its answer any more */
    } at[MAX_WORKERS];
    size_t n;
} workers;

/* An answer of the server's own. A connection that is gone needs none. */
static void answer(int connection, const char *log) {
    struct buf frame = {0};
    worker_failure(&frame, log);
    if (frame.failed || send(connection, frame.data, frame.size, MSG_NOSIGNAL | MSG_DONTWAIT) < 0)
        log_write(LOG_DEBUG, "weirc: no answer: %s", strerror(errno));
    buf_free(&frame);
}

/* A worker that is still there ends at this. */
static void forget(size_t i) {
    close(workers.at[i].fd);
    if (workers.at[i].connection >= 0)
        close(workers.at[i].connection);
    free(workers.at[i].key);
    workers.at[i] = workers.at[--workers.n];
}

/* Collects those that have ended: only then can their numbers become those of others. */
static void reap(void) {
    for (pid_t pid; (pid = waitpid(-1, NULL, WNOHANG)) > 0;)
        for (size_t i = 0; i < workers.n; i++)
            if (workers.at[i].pid == pid)
                workers.at[i].pid = 0;
}

static bool has_key(const struct worker *w, const struct folders *folders) {
    return !w->key == !folders->key_size && w->key_size == folders->key_size &&
           (!w->key || !memcmp(w->key, folders->key, w->key_size));
}

/* Starts an idle worker; false: it can't. */
static bool add_worker(int control, int connection, const struct folders *folders) {
    static bool is_first = true;
    pid_t self = getpid();
    int ends[2];
    if (workers.n == MAX_WORKERS || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
        return false;
    struct worker made = {.fd = ends[0], .connection = -1, .key_size = folders->key_size};
    if (folders->key_size && (made.key = malloc(folders->key_size)) != NULL)
        memcpy(made.key, folders->key, folders->key_size);
    made.pid = folders->key_size && !made.key ? -1 : fork();
    if (made.pid == 0) {
        close(control);
        close(ends[0]);
        if (connection >= 0)
            close(connection);
        for (size_t i = 0; i < workers.n; i++) {
            close(workers.at[i].fd);
            if (workers.at[i].connection >= 0)
                close(workers.at[i].connection);
        }
        worker_run(ends[1], self, folders, is_first);
    }
    is_first = false;
    close(ends[1]);
    if (made.pid < 0) {
        close(ends[0]);
        free(made.key);
        return false;
    }
    workers.at[workers.n++] = made;
    return true;
}

/* Hands the connection to an idle worker, or to a new one. */
static void hand_out(int control, int connection, const struct folders *folders) {
    for (;;) {
        size_t i = 0;
        while (i < workers.n && (workers.at[i].connection >= 0 || !has_key(&workers.at[i], folders)))
            i++;
        if (i == workers.n && !add_worker(control, connection, folders)) {
            answer(connection, "error: the compiler can't fork: no memory or too many processes\n");
            break;
        }
        if (frame_send_fd(workers.at[i].fd, connection)) {
            workers.at[i].connection = connection;
            return;
        }
        forget(i); /* somebody has killed it */
    }
    close(connection);
}

/* Ends the one that has been idle for longest, if there are more than MAX_IDLE of its kind. */
static void keep_few_idle(bool with_key) {
    size_t idle = 0, oldest = 0;
    for (size_t i = 0; i < workers.n; i++) {
        const struct worker *w = &workers.at[i];
        if (w->connection >= 0 || !w->key != !with_key)
            continue;
        if (!idle++ || w->idle_since < workers.at[oldest].idle_since)
            oldest = i;
    }
    if (idle > MAX_IDLE)
        forget(oldest);
}

/* The worker has served its request and waits, or has ended. */
static void hear(size_t i) {
    static uint64_t count;
    struct worker *w = &workers.at[i];
    char byte;
    if (read(w->fd, &byte, 1) != 1) {
        forget(i);
        return;
    }
    if (w->connection >= 0)
        close(w->connection);
    w->connection = -1;
    w->idle_since = ++count;
}

/* Ends the request that takes most while all together take too much. */
static void watch_memory(void) {
    size_t taken[MAX_WORKERS], total = 0, most = 0, largest = 0;
    pid_t pids[MAX_WORKERS];
    for (size_t i = 0; i < workers.n; i++)
        pids[i] = workers.at[i].pid;
    memory_look(pids, workers.n, taken);
    for (size_t i = 0; i < workers.n; i++) {
        total += taken[i];
        if (workers.at[i].connection >= 0 && taken[i] > most) {
            most = taken[i];
            largest = i;
        }
    }
    if (total <= memory_limit() || !most)
        return;
    struct worker *w = &workers.at[largest];
    char log[256];
    snprintf(log, sizeof log,
             "error: the compiler ran out of memory: its requests took %zu MiB, this one %zu MiB, and may "
             "take %zu MiB "
             "(WEIR_COMPILER_MEMORY)\n",
             total >> 20, most >> 20, memory_limit() >> 20);
    kill(w->pid, SIGKILL); /* what it runs dies with it */
    while (waitpid(w->pid, NULL, 0) < 0 && errno == EINTR)
        continue;
    answer(w->connection, log);
    forget(largest);
}

/* Ends what nobody waits for any more: another answer came first, or the runtime's process ended. A worker that has just
 * answered has until the next look to say so. */
static void end_unwanted(void) {
    for (size_t i = workers.n; i-- > 0;) { /* from the end: `forget` moves the last one */
        struct worker *w = &workers.at[i];
        struct pollfd p = {.fd = w->connection, .events = POLLRDHUP};
        bool gone = w->connection >= 0 && poll(&p, 1, 0) > 0 && p.revents & (POLLHUP | POLLRDHUP);
        w->alone = gone ? w->alone + 1 : 0;
        if (w->alone > 1 && w->pid > 0) {
            kill(w->pid, SIGKILL); /* what it runs dies with it */
            forget(i);
        }
    }
}

/* Looks at the workers' memory if it is time to; returns when it is again. Most requests are too short to be looked at. */
static uint64_t next_look(bool busy, uint64_t at) {
    uint64_t now = time_ns();
    if (!busy)
        return 0;
    if (at && now < at)
        return at;
    if (at) {
        end_unwanted();
        watch_memory();
    }
    return time_ns() + WATCH_MS * 1000000ull + LOOK_SHARE * (time_ns() - now);
}

/* Receives one request's connection. False: the runtime has gone. */
static bool take(int control) {
    struct buf bytes = {0};
    struct reading reading;
    struct folders folders = {0};
    int connection = frame_receive_fd(control);
    if (connection < 0)
        return errno == EINTR || errno == EAGAIN;
    frame_send(connection, "", 0, READING_MS);
    if (frame_receive(control, &bytes, MAX_READING, READING_MS) &&
        protocol_read_reading(bytes.data, bytes.size, &reading)) {
        if (sandbox_limits_files())
            folders = folders_of(&reading);
        reading_free(&reading);
        hand_out(control, connection, &folders);
        job_end(); /* the folders' memory */
    } else {
        answer(connection, "error: malformed request to the compiler\n");
        close(connection);
    }
    buf_free(&bytes);
    return true;
}

int server_run(int control) {
    signal(SIGPIPE, SIG_IGN);
    signal(SIGCHLD, SIG_DFL);
    library_open();
    sandbox_prepare();
    add_worker(control, -1, &(struct folders){0});
    for (uint64_t look_ns = 0;;) {
        struct pollfd polls[MAX_WORKERS + 1] = {{.fd = control, .events = POLLIN}};
        size_t n = workers.n;
        bool busy = false;
        for (size_t i = 0; i < n; i++) {
            polls[i + 1] = (struct pollfd){.fd = workers.at[i].fd, .events = POLLIN};
            busy |= workers.at[i].connection >= 0;
        }
        int ready = poll(polls, n + 1, busy ? WATCH_MS : -1);
        reap();
        if (ready < 0)
            continue;
        for (size_t i = n; i-- > 0;) /* from the end: `forget` moves the last one */
            if (polls[i + 1].revents)
                hear(i);
        keep_few_idle(false);
        keep_few_idle(true);
        look_ns = next_look(busy, look_ns);
        if (polls[0].revents && !take(control))
            return 0;
    }
}
