/* output.c: files that Weir writes where its user asked for them. One that is there is replaced, or appended to, only if Weir
 * wrote it: a file of another kind is left alone, whoever runs the program.
 *
 * In: a path, and what kind of output goes there. Out: a descriptor, or why there is none. Each kind begins with bytes of
 * its own, by which earlier ones are known again; who writes them takes them from output_head().
 */
#define _GNU_SOURCE
#include "base.h"
#include "finding.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct {
    const char *name; /* with its article */
    const char *head;
} kinds[] = {
    [OUTPUT_TRACE] = {"a trace", "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"weir\":\""},
    [OUTPUT_PROFILE] = {"a profile", "{\"weir\":\"profile\","},
    [OUTPUT_FINDINGS] = {"a list of findings", "{\"kind\":\""},
    [OUTPUT_NOTES] = {"a list of notes", "weir check: "},
    [OUTPUT_PAGE] = {"a page", "<!doctype html>\n<html lang=\"en\">\n<head>\n"
                               "<meta name=\"generator\" content=\"weir trace\">\n"},
    [OUTPUT_SARIF] = {"a log", "{\"$schema\":\"https://json.schemastore.org/sarif-2.1.0.json\",\"version\":"
                               "\"2.1.0\",\"runs\":[{\"tool\":{\"driver\":{\"name\":\"weir check\","},
    [OUTPUT_ARRAY] = {"an array", "\x93NUMPY"},
};

const char *output_head(enum output_kind kind) {
    return kinds[kind].head;
}

static bool is_ours(int fd, enum output_kind kind) {
    char begin[256] = "";
    ssize_t size = pread(fd, begin, sizeof begin - 1, 0);
    const char *head = kinds[kind].head;
    size_t n = strlen(head);
    if (size <= 0)
        return !size;
    if ((size_t)size < n || memcmp(begin, head, n))
        return false;
    return kind != OUTPUT_FINDINGS || finding_kind_of(begin + n, strcspn(begin + n, "\"")) >= 0;
}

int output_open(const char *path, enum output_kind kind, unsigned flags) {
    struct stat info;
    bool is_new = stat(path, &info) && errno == ENOENT;
    bool is_file = is_new || S_ISREG(info.st_mode);
    int how = is_file ? O_RDWR : O_WRONLY; /* a pipe that nobody reads is an error */
    if (!(flags & OUTPUT_THERE))
        how |= O_CREAT;
    int fd = open(path, how | O_CLOEXEC | (flags & OUTPUT_APPEND ? O_APPEND : 0), 0666);
    if (fd < 0)
        return -1;
    int error = fstat(fd, &info) ? errno : 0;
    if (!error && S_ISREG(info.st_mode)) {
        if (!is_file || !is_ours(fd, kind))
            error = EEXIST;
        else if (!(flags & (OUTPUT_APPEND | OUTPUT_THERE)) && ftruncate(fd, 0))
            error = errno;
    }
    if (!error)
        return fd;
    close(fd);
    errno = error;
    return -1;
}

bool output_write(const char *path, enum output_kind kind, const struct buf *text) {
    if (text->failed) {
        errno = ENOMEM;
        return false;
    }
    struct stat info;
    int fd = output_open(path, kind, OUTPUT_APPEND | OUTPUT_THERE);
    if (fd < 0 && errno != ENOENT)
        return false;
    if (fd < 0 || fstat(fd, &info) || S_ISREG(info.st_mode)) {
        if (fd >= 0)
            close(fd);
        return replace_file(path, text->data, text->size);
    }
    bool ok = write_all(fd, text->data, text->size);
    int error = errno;
    if (close(fd))
        return false;
    errno = error;
    return ok;
}

bool output_may_open(const char *path, enum output_kind kind) {
    int fd = output_open(path, kind, OUTPUT_APPEND | OUTPUT_THERE);
    if (fd >= 0)
        return !close(fd);
    char *copy = errno == ENOENT ? strdup(path) : NULL;
    bool may = copy && !access(dirname(copy), W_OK | X_OK);
    int error = errno;
    free(copy);
    errno = error;
    return may;
}

void output_error(struct buf *out, const char *path, enum output_kind kind, int error) {
    const char *name = kinds[kind].name, *noun = strchr(name, ' ') + 1;
    if (error == EEXIST)
        buf_printf(
            out,
            "%s is left as it is: it isn't %s that Weir wrote. Remove it, or name another file for the %s",
            path, name, noun);
    else
        buf_printf(out, "cannot write the %s %s: %s", noun, path, strerror(error));
}

void output_log(const char *setting, enum output_kind kind, int error) {
    struct buf why = {0};
    char *path = env_file_name(setting);
    output_error(&why, path ? path : setting, kind, error);
    const char *text = buf_cstr(&why);
    log_line(env_get()->log_json, LOG_ERROR, text ? text : setting);
    buf_free(&why);
    free(path);
}

bool output_is_possible(const char *setting, enum output_kind kind) {
    char *path = env_file_name(setting);
    bool may = path && output_may_open(path, kind);
    if (!may)
        output_log(setting, kind, errno);
    free(path);
    return may;
}
