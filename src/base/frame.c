/* frame.c: length-prefixed messages over stream sockets and pipes, and descriptors over Unix sockets.
 *
 * Works on blocking and non-blocking descriptors alike: each step polls first and moves only what can be
 * moved at once, so that a time-out holds whatever the peer does.
 */
#define _GNU_SOURCE
#include "base.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

/* Waits until `fd` is ready or the deadline (0: none) has passed. */
static bool ready(int fd, short events, uint64_t deadline) {
    for (;;) {
        int wait = -1;
        if (deadline) {
            uint64_t now = time_ns(), left = deadline > now ? (deadline - now + 999999) / 1000000 : 0;
            wait = left > INT_MAX ? INT_MAX : (int)left;
        }
        struct pollfd p = {.fd = fd, .events = events};
        int n = poll(&p, 1, wait);
        if (n > 0 && !(p.revents & POLLNVAL))
            return true;
        if (n > 0)
            errno = EBADF;
        else if (!n)
            errno = ETIMEDOUT;
        if (n >= 0 || errno != EINTR)
            return false;
    }
}

static bool transient(int error) {
    return error == EINTR || error == EAGAIN || error == EWOULDBLOCK;
}

static bool send_all(int fd, const void *bytes, size_t n, uint64_t deadline) {
    for (const unsigned char *p = bytes; n;) {
        if (!ready(fd, POLLOUT, deadline))
            return false;
        ssize_t done = send(fd, p, n, MSG_NOSIGNAL | MSG_DONTWAIT);
        /* A pipe that polls writable takes PIPE_BUF bytes without blocking. */
        if (done < 0 && errno == ENOTSOCK)
            done = write_quietly(fd, p, n < PIPE_BUF ? n : PIPE_BUF);
        if (done < 0 && !transient(errno))
            return false;
        if (done > 0) {
            p += done;
            n -= (size_t)done;
        }
    }
    return true;
}

/* `at_start`: an end of stream before the first byte is a clean one. */
static bool receive_all(int fd, void *bytes, size_t n, uint64_t deadline, bool at_start) {
    for (unsigned char *p = bytes; n;) {
        if (!ready(fd, POLLIN, deadline))
            return false;
        ssize_t done = read(fd, p, n);
        if (!done) {
            errno = at_start && p == bytes ? 0 : ECONNRESET;
            return false;
        }
        if (done < 0 && !transient(errno))
            return false;
        if (done > 0) {
            p += done;
            n -= (size_t)done;
        }
    }
    return true;
}

static uint64_t deadline_of(unsigned timeout_ms) {
    return timeout_ms ? time_ns() + timeout_ms * 1000000ull : 0;
}

bool frame_send(int fd, const void *bytes, size_t n, unsigned timeout_ms) {
    uint64_t deadline = deadline_of(timeout_ms);
    unsigned char head[8];
    for (int i = 0; i < 8; i++)
        head[i] = (unsigned char)((uint64_t)n >> 8 * i);
    return send_all(fd, head, sizeof head, deadline) && send_all(fd, bytes, n, deadline);
}

bool frame_receive(int fd, struct buf *out, size_t max, unsigned timeout_ms) {
    uint64_t deadline = deadline_of(timeout_ms);
    enum { CHUNK = 16384 };
    unsigned char head[8];
    if (!receive_all(fd, head, sizeof head, deadline, true))
        return false;
    struct cursor c = cursor_of(head, sizeof head);
    uint64_t n = cursor_u64(&c);
    out->size = 0;
    if (n > max) {
        errno = EMSGSIZE;
        return false;
    }
    /* The buffer grows with what really arrives: a wrong length costs no memory. */
    while (out->size < n) {
        size_t part = n - out->size < CHUNK ? (size_t)(n - out->size) : CHUNK;
        void *room = buf_room(out, part);
        if (!room) {
            errno = ENOMEM;
            return false;
        }
        if (!receive_all(fd, room, part, deadline, false))
            return false;
        out->size += part;
    }
    return true;
}

/* Room for one descriptor, aligned as cmsghdr wants it. */
union control {
    struct cmsghdr align;
    char bytes[CMSG_SPACE(sizeof(int))];
};

bool frame_send_fd(int socket, int fd) {
    char byte = 0;
    union control control = {0};
    struct iovec io = {.iov_base = &byte, .iov_len = 1};
    struct msghdr m = {
        .msg_iov = &io, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    struct cmsghdr *c = CMSG_FIRSTHDR(&m);
    c->cmsg_level = SOL_SOCKET;
    c->cmsg_type = SCM_RIGHTS;
    c->cmsg_len = CMSG_LEN(sizeof fd);
    memcpy(CMSG_DATA(c), &fd, sizeof fd);
    ssize_t n;
    do
        n = sendmsg(socket, &m, MSG_NOSIGNAL);
    while (n < 0 && errno == EINTR);
    return n == 1;
}

int frame_receive_fd(int socket) {
    char byte;
    union control control;
    struct iovec io = {.iov_base = &byte, .iov_len = 1};
    struct msghdr m = {
        .msg_iov = &io, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    ssize_t n;
    do
        n = recvmsg(socket, &m, MSG_CMSG_CLOEXEC);
    while (n < 0 && errno == EINTR);
    if (n <= 0) {
        errno = n ? errno : 0;
        return -1;
    }
    for (struct cmsghdr *c = CMSG_FIRSTHDR(&m); c; c = CMSG_NXTHDR(&m, c))
        if (c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_RIGHTS &&
            c->cmsg_len >= CMSG_LEN(sizeof(int))) {
            int fd;
            memcpy(&fd, CMSG_DATA(c), sizeof fd);
            return fd;
        }
    errno = EPROTO;
    return -1;
}
