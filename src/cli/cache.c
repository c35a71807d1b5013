/* cache.c: `weir cache`: lists and clears the on-disk cache of compiled programs and kernels.
 * In: the directory that WEIR_CACHE_DIR or its defaults name. Only files that look like Weir's own entries
 * are ever shown, counted or removed. */
#include "cli.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { HEADER_BYTES = 96, MAX_ENTRY = 1 << 28 }; /* of rt/cache.c: magic, versions, key, hash, length */
#define SOURCES "source/"
static const char magic[] = "WEIR-CACHE-1\n", elf_magic[] = {0x7f, 'E', 'L', 'F'};

struct entry {
    char name[56]; /* path below the cache's directory */
    time_t time;
    uint64_t bytes;
};
struct listing {
    int directory; /* descriptor; -1: there is none */
    int error;     /* why it can't be opened, if there is one */
    struct entry *entries;
    size_t n;
    uint64_t bytes;
};

/* <32 hex digits>: an answer of the compiler; the same with .so: a kernel object; with .cl, in source/: a copy of
 * a program for debuggers; .new.* or, in source/, .<digits>: being written. */
static bool is_entry(const char *name, bool is_source) {
    if (strlen(name) >= sizeof((struct entry *)0)->name - sizeof SOURCES)
        return false;
    if (!strncmp(name, ".new.", 5))
        return true;
    if (strspn(name, "0123456789abcdef") != 32)
        return false;
    const char *rest = name + 32;
    if (is_source)
        return !strcmp(rest, ".cl") || (*rest == '.' && rest[1] && !rest[1 + strspn(rest + 1, "0123456789")]);
    return !*rest || !strcmp(rest, ".so");
}

static int newest_first(const void *a, const void *b) {
    const struct entry *x = a, *y = b;
    return x->time != y->time ? (x->time < y->time) - (x->time > y->time) : strcmp(x->name, y->name);
}

/* Adds the entries of the cache's directory, or of its folder of sources. */
static void list_add(struct listing *list, size_t *cap, const char *folder) {
    char name[sizeof SOURCES];
    snprintf(name, sizeof name, "%s", *folder ? folder : ".");
    name[strcspn(name, "/")] = 0; /* after which a link would be followed */
    int fd = openat(list->directory, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
    DIR *directory = fd >= 0 ? fdopendir(fd) : NULL;
    if (!directory) {
        if (fd >= 0)
            close(fd);
        return;
    }
    for (struct dirent *d; (d = readdir(directory)) != NULL;) {
        struct stat status;
        if (!is_entry(d->d_name, *folder) || fstatat(fd, d->d_name, &status, AT_SYMLINK_NOFOLLOW) ||
            !S_ISREG(status.st_mode))
            continue;
        if (list->n == *cap) {
            *cap = *cap ? 2 * *cap : 256;
            list->entries = realloc(list->entries, *cap * sizeof *list->entries);
            if (!list->entries)
                die(EXIT_FAULT, "out of memory");
        }
        struct entry *e = &list->entries[list->n++];
        *e = (struct entry){.time = status.st_mtime, .bytes = (uint64_t)status.st_size};
        snprintf(e->name, sizeof e->name, "%s%.40s", folder, d->d_name);
        list->bytes += e->bytes;
    }
    closedir(directory);
}

static struct listing list_open(void) {
    const char *path = env_get()->cache_dir;
    struct listing list = {.directory = *path ? open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1};
    size_t cap = 0;
    list.error = *path && list.directory < 0 && errno != ENOENT ? errno : 0;
    if (list.directory < 0)
        return list;
    list_add(&list, &cap, "");
    list_add(&list, &cap, SOURCES);
    if (list.n)
        qsort(list.entries, list.n, sizeof *list.entries, newest_first);
    return list;
}

static void list_close(struct listing *list) {
    if (list->directory >= 0)
        close(list->directory);
    free(list->entries);
}

struct cache_size cache_measure(void) {
    struct listing list = list_open();
    struct cache_size size = {list.n, list.bytes};
    list_close(&list);
    return size;
}

/* What a compiler's answer holds: a program is told by its kernels. */
static void describe_answer(const unsigned char *bytes, size_t n, struct buf *out) {
    struct answer answer;
    if (n < HEADER_BYTES || memcmp(bytes, magic, sizeof magic - 1) ||
        !protocol_read_answer(bytes + HEADER_BYTES, n - HEADER_BYTES, &answer)) {
        buf_printf(out, "damaged, or of another version");
        return;
    }
    if (answer.output_size > 4 && !memcmp(answer.output, elf_magic, 4))
        buf_printf(out, "kernel, compiled");
    else
        buf_printf(out, "program%s", answer.meta.nkernels ? ":" : " to link");
    for (uint32_t i = 0; i < answer.meta.nkernels; i++)
        buf_printf(out, "%s %s", i ? "," : "", answer.meta.kernels[i].name);
    answer_free(&answer);
}

static char *describe(const struct listing *list, const struct entry *e) {
    struct buf file = {0}, out = {0};
    char *path = must_printf("/proc/self/fd/%d/%s", list->directory, e->name);
    bool is_source = !strncmp(e->name, SOURCES, sizeof SOURCES - 1);
    const char *dot = strchr(e->name, '.');
    if (dot && strcmp(dot, ".so") && strcmp(dot, ".cl"))
        buf_printf(&out, "being written");
    else if (is_source)
        buf_printf(&out, "source, for debuggers");
    else if (dot)
        buf_printf(&out, "kernel, loadable");
    else if (e->bytes > MAX_ENTRY || !read_file(path, &file))
        buf_printf(&out, "not readable");
    else
        describe_answer(file.data, file.size, &out);
    free(path);
    buf_free(&file);
    return buf_cstr(&out);
}

static int list_main(struct listing *list) {
    for (size_t i = 0; i < list->n; i++) {
        const struct entry *e = &list->entries[i];
        char when[32] = "?", *what = describe(list, e);
        struct tm tm;
        if (localtime_r(&e->time, &tm))
            strftime(when, sizeof when, "%Y-%m-%d %H:%M:%S", &tm);
        printf("%s %10llu  %-42s  %s\n", when, (unsigned long long)e->bytes, e->name, what ? what : "");
        free(what);
    }
    printf("%zu entries, %llu bytes of %u MiB in %s\n", list->n, (unsigned long long)list->bytes,
           env_get()->cache_size, env_get()->cache_dir);
    return EXIT_DONE;
}

static int clear_main(struct listing *list) {
    size_t removed = 0;
    uint64_t bytes = 0;
    for (size_t i = 0; i < list->n; i++) {
        const struct entry *e = &list->entries[i];
        if (unlinkat(list->directory, e->name, 0) == 0)
            removed++, bytes += e->bytes;
        else if (errno != ENOENT)
            die(EXIT_FAULT, "cannot remove %s/%s: %s", env_get()->cache_dir, e->name, strerror(errno));
    }
    printf("removed %zu entries, %llu bytes from %s\n", removed, (unsigned long long)bytes,
           env_get()->cache_dir);
    return EXIT_DONE;
}

static int cache_main(int argc, char **argv) {
    static const struct option options[] = {{"help", no_argument, NULL, 'h'}, {0}};
    next_option(&command_cache, argc, argv, options);
    if (argc - optind != 1 || (strcmp(argv[optind], "list") && strcmp(argv[optind], "clear")))
        die(EXIT_USAGE, "cache wants list or clear");
    if (!*env_get()->cache_dir)
        die(EXIT_FAULT,
            "the cache is off: neither WEIR_CACHE_DIR, XDG_CACHE_HOME nor HOME names a directory");
    struct listing list = list_open();
    if (list.error)
        die(EXIT_FAULT, "cannot read the cache %s: %s", env_get()->cache_dir, strerror(list.error));
    int code = strcmp(argv[optind], "list") ? clear_main(&list) : list_main(&list);
    list_close(&list);
    return code;
}

static const char help[] =
    "Usage: weir cache list|clear\n\n"
    "Lists or removes the compiled programs and kernels on disk. Clearing is safe at any\n"
    "time: what is needed again is compiled again.\n\n"
    "The directory is WEIR_CACHE_DIR, else XDG_CACHE_HOME/weir, else ~/.cache/weir.\n"
    "WEIR_CACHE_SIZE limits it to so many MiB (default 1024): the least used entries go.\n";
const struct command command_cache = {"cache", "lists or clears the compiled programs on disk", cache_main,
                                      help, NULL};
