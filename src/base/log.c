/* log.c: messages to standard error, as WEIR_LOG asks, and the clock they and everything else use. */
#define _GNU_SOURCE
#include "base.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

bool log_on(enum log_level level) {
    return level != LOG_NONE && level <= env_get()->log;
}

/* In one piece if it can: that keeps lines of several threads and processes apart. A lost message is no error. */
static void put(const void *bytes, size_t n) {
    const char *text = bytes;
    int saved = errno;
    for (ssize_t done = 1; n && done > 0; text += done, n -= (size_t)done)
        done = write_quietly(STDERR_FILENO, text, n);
    errno = saved;
}

static void field(struct buf *line, const char *name, const char *value) {
    if (!value)
        return;
    buf_printf(line, ",\"%s\":", name);
    buf_json(line, value);
}

/* {"time":"2026-01-31T12:00:00.123456Z","level":"error","process":1,"thread":2,"program":"x",...} */
static void put_json(const char *level, const struct log_error *e, const char *message) {
    struct timespec now;
    struct tm utc;
    char day[40];
    struct buf line = {0};
    clock_gettime(CLOCK_REALTIME, &now);
    gmtime_r(&now.tv_sec, &utc);
    strftime(day, sizeof day, "%Y-%m-%dT%H:%M:%S", &utc);
    buf_printf(&line, "{\"time\":\"%s.%06ldZ\",\"level\":\"%s\",\"process\":%d,\"thread\":%ld", day,
               now.tv_nsec / 1000, level, (int)getpid(), syscall(SYS_gettid));
    field(&line, "program", program_invocation_short_name);
    if (e) {
        field(&line, "call", e->call);
        field(&line, "error", e->error);
        field(&line, "sentence", e->sentence);
        field(&line, "way_out", e->way_out);
    }
    field(&line, "message", message);
    buf_printf(&line, "}\n");
    if (!line.failed)
        put(line.data, line.size);
    buf_free(&line);
}

static const char *const level_names[] = {"none", "error", "warn", "info", "debug"};

void log_text(const char *text, bool is_json) {
    size_t n = text ? strlen(text) : 0;
    char *message = n && env_get()->log_json && !is_json ? strdup(text) : NULL;
    if (message) {
        message[n - (message[n - 1] == '\n')] = 0;
        put_json("report", NULL, message);
    } else {
        put(text, n);
    }
    free(message);
}

void log_line(bool json, enum log_level level, const char *message) {
    struct buf line = {0};
    if (json) {
        put_json(level_names[level], NULL, message);
        return;
    }
    buf_printf(&line, "weir: %s\n", message);
    if (!line.failed)
        put(line.data, line.size);
    buf_free(&line);
}

void log_write(enum log_level level, const char *format, ...) {
    if (!log_on(level))
        return;
    int saved = errno;
    char *text = NULL;
    va_list args;
    va_start(args, format);
    int n = vasprintf(&text, format, args);
    va_end(args);
    if (n >= 0) {
        log_line(env_get()->log_json, level, text);
        free(text);
    }
    errno = saved;
}

void log_error(const struct log_error *e, const char *message) {
    if (!log_on(LOG_ERROR))
        return;
    if (env_get()->log_json)
        put_json(level_names[LOG_ERROR], e, message);
    else
        log_line(false, LOG_ERROR, message);
}

uint64_t time_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}
