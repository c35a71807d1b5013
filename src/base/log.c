/* log.c: messages to standard error, as WEIR_LOG asks, and the clock they and everything else use. */
#define _GNU_SOURCE
#include "base.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

bool log_on(enum log_level level) {
    return level != LOG_NONE && level <= env_get()->log;
}

void log_text(const char *text) {
    int saved = errno;
    size_t n = strlen(text);
    for (ssize_t done = 1; n && done > 0; text += done, n -= (size_t)done)
        done = write(STDERR_FILENO, text, n);
    errno = saved;
}

void log_write(enum log_level level, const char *format, ...) {
    if (!log_on(level))
        return;
    int saved = errno;
    struct buf line = {0};
    char *text = NULL;
    va_list args;
    va_start(args, format);
    int n = vasprintf(&text, format, args);
    va_end(args);
    if (n >= 0) {
        buf_printf(&line, "weir: %s\n", text);
        /* One write keeps lines of several threads and processes apart; a lost message is no error. */
        if (!line.failed && write(STDERR_FILENO, line.data, line.size) < 0)
            errno = saved;
        free(text);
    }
    buf_free(&line);
    errno = saved;
}

uint64_t time_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}
