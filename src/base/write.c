/* write.c: writing that costs the host no signal: a closed pipe and a file that may not grow (ulimit -f) are errors, not
 * its end; and files that are there wholly or as they were before. */
#define _GNU_SOURCE
#include "base.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* The signals are blocked meanwhile, and what comes is taken back; what was there before stays. */
ssize_t write_quietly(int fd, const void *bytes, size_t n) {
    static const int signals[] = {SIGPIPE, SIGXFSZ};
    sigset_t both, pending, old;
    sigemptyset(&both);
    sigpending(&pending);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        if (!sigismember(&pending, signals[i]))
            sigaddset(&both, signals[i]);
    pthread_sigmask(SIG_BLOCK, &both, &old);
    ssize_t done = write(fd, bytes, n);
    int saved = errno;
    if (done < 0 && (saved == EPIPE || saved == EFBIG))
        sigtimedwait(&both, NULL, &(struct timespec){0});
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    errno = saved;
    return done;
}

bool write_all(int fd, const void *bytes, size_t n) {
    for (const unsigned char *at = bytes; n;) {
        ssize_t done = write_quietly(fd, at, n);
        if (done < 0 && errno != EINTR)
            return false;
        if (done > 0) {
            at += done;
            n -= (size_t)done;
        }
    }
    return true;
}

/* A file of another name in the same folder, which is to take the place of `path`, no link. -1: what is there is no plain file,
 * has other names, belongs to another user or may not be written to, or the folder takes no file. */
static int open_beside(const char *path, char *name, size_t size) {
    struct stat info;
    bool is_new = lstat(path, &info) != 0;
    bool is_own = is_new || (S_ISREG(info.st_mode) && info.st_nlink == 1 && info.st_uid == geteuid() &&
                             !access(path, W_OK));
    int length = snprintf(name, size, "%s.%d.%llx", path, getpid(), (unsigned long long)time_ns());
    if (!is_own || length >= (int)size)
        return -1;
    int fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd >= 0 && !is_new && fchmod(fd, info.st_mode & 07777)) {
        close(fd);
        unlink(name);
        return -1;
    }
    return fd;
}

bool replace_file(const char *path, const void *bytes, size_t n) {
    char *real = realpath(path, NULL), beside[PATH_MAX + 40];
    const char *place = real ? real : path;
    int fd = open_beside(place, beside, sizeof beside);
    bool is_beside = fd >= 0;
    if (!is_beside)
        fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    bool ok = fd >= 0 && write_all(fd, bytes, n);
    int error = ok ? 0 : errno;
    if (fd >= 0 && close(fd) && ok)
        error = errno;
    if (!error && is_beside && rename(beside, place))
        error = errno;
    if (error && is_beside)
        unlink(beside);
    free(real);
    errno = error;
    return !error;
}
