/* write.c: writing that costs the host no signal: a closed pipe and a file that may not grow (ulimit -f) are errors, not
 * its end. */
#define _GNU_SOURCE
#include "base.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
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
