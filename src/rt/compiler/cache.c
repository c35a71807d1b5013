/* cache.c: compiler answers on disk, shared by all processes of a user.
 *
 * An entry is one file, named by its key: a header, then the bytes. Writers publish a finished file by
 * rename; readers verify length and content hash. So a reader sees a whole entry or a miss, whatever
 * other processes do, and a torn or foreign file is removed. Kernel objects lie beside the entries as
 * <content hash>.so. A directory that is not ours alone is not used at all: objects are code.
 */
#define _GNU_SOURCE
#include "rt.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define MAGIC    "WEIR-CACHE-1\n\0\0\0" /* 16 bytes with the terminator */
#define HEADER   (16 + 4 + 4 + 32 + 32 + 8)
#define MAX_FILE (1 << 30)
#define FRESH_S  3600 /* a hit renews an entry's time at most this often */

/* ---- the directory ---- */

static const char *directory; /* NULL: off */

static void open_directory(void) {
    const char *path = env_get()->cache_dir;
    if (!*path)
        return;
    int fd = folder_make(path) ? folder_open(AT_FDCWD, path) : -1;
    if (fd >= 0)
        directory = *path == '/' ? path : realpath(path, NULL);
    else if (errno == EPERM)
        log_write(LOG_WARN, "no cache: others may write to %s", path);
    else
        log_write(LOG_WARN, "no cache: %s: %s", path, strerror(errno));
    if (fd >= 0)
        close(fd);
}

static bool usable(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, open_directory);
    return directory;
}

/* DIRECTORY/NAME, malloc'd: an application's thread may have a small stack. NULL: out of memory. */
static char *path_of(const char *name) {
    char *path;
    return asprintf(&path, "%s/%s", directory, name) < 0 ? NULL : path;
}

/* ---- entries ---- */

static void write_header(struct buf *b, const char key[33], const void *bytes, size_t n) {
    struct hash h;
    char hex[33];
    hash_init(&h);
    hash_bytes(&h, bytes, n);
    hash_hex(&h, hex);
    buf_bytes(b, MAGIC, 16);
    buf_u32(b, WEIR_ABI_VERSION);
    buf_u32(b, WEIR_PROTOCOL);
    buf_bytes(b, key, 32);
    buf_bytes(b, hex, 32);
    buf_u64(b, n);
}

/* Whether `file` is the entry of `key`, to the last byte. */
static bool verify(const char key[33], const unsigned char *file, size_t size) {
    struct buf header = {0};
    if (size < HEADER)
        return false;
    write_header(&header, key, file + HEADER, size - HEADER);
    bool ok = !header.failed && header.size == HEADER && !memcmp(header.data, file, HEADER);
    buf_free(&header);
    return ok;
}

static bool read_all(int fd, unsigned char *to, size_t n) {
    while (n) {
        ssize_t done = read(fd, to, n);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return false;
        to += done;
        n -= (size_t)done;
    }
    return true;
}

/* The whole regular file `path` (malloc'd), or NULL. */
static unsigned char *read_file(const char *path, size_t *size) {
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    struct stat st;
    unsigned char *data = NULL;
    if (fd < 0)
        return NULL;
    if (!fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_size <= MAX_FILE) {
        *size = (size_t)st.st_size;
        data = malloc(*size + 1);
        if (data && !read_all(fd, data, *size)) {
            free(data);
            data = NULL;
        }
        if (data && time(NULL) - st.st_mtime > FRESH_S)
            futimens(fd, NULL);
    }
    close(fd);
    return data;
}

bool cache_load(const char key[33], struct buf *out) {
    size_t size;
    char *path = usable() ? path_of(key) : NULL;
    unsigned char *file = path ? read_file(path, &size) : NULL;
    bool ok = file && verify(key, file, size);
    if (ok) {
        out->size = 0;
        buf_bytes(out, file + HEADER, size - HEADER);
        ok = !out->failed;
    } else if (file) {
        log_write(LOG_WARN, "removed a damaged cache entry: %s", path);
        unlink(path);
    }
    free(file);
    free(path);
    return ok;
}

/* Publishes head and bytes as directory/name, all or nothing. */
static bool publish(const char *name, const struct buf *head, const void *bytes, size_t n, mode_t mode) {
    static _Atomic unsigned counter;
    char new_name[64];
    snprintf(new_name, sizeof new_name, ".new.%d.%u.%llx", (int)getpid(), atomic_fetch_add(&counter, 1),
             (unsigned long long)time_ns());
    char *temporary = path_of(new_name), *path = path_of(name);
    int fd = temporary && path ? open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode) : -1;
    bool ok = fd >= 0 && (!head || write_all(fd, head->data, head->size)) && write_all(fd, bytes, n);
    if (fd >= 0)
        ok = !close(fd) && ok;
    ok = ok && !rename(temporary, path);
    if (!ok) {
        log_write(LOG_INFO, "not cached: %s: %s", name, strerror(errno));
        if (fd >= 0)
            unlink(temporary);
    }
    free(temporary);
    free(path);
    return ok;
}

/* ---- keeping it small ---- */

struct entry {
    uint64_t time; /* ns since the epoch; 0: abandoned */
    uint64_t size;
    char name[48];
};

static int older_first(const void *a, const void *b) {
    const struct entry *x = a, *y = b;
    return (x->time > y->time) - (x->time < y->time);
}

/* Ours are <32 hex digits>, the same with .so, .cl (weirc's copies of sources for debuggers, in source/) or
 * .<digits>, and .new.*; nothing else is touched. */
static bool is_ours(const char *name) {
    if (strlen(name) >= sizeof((struct entry *)0)->name)
        return false;
    const char *rest = name + strspn(name, "0123456789abcdef");
    bool known = !*rest || !strcmp(rest, ".so") || !strcmp(rest, ".cl") ||
                 (*rest == '.' && !rest[1 + strspn(rest + 1, "0123456789")]);
    return !strncmp(name, ".new.", 5) || (rest - name == 32 && known);
}

static struct entry *list(DIR *d, size_t *count, uint64_t *total) {
    struct entry *entries = NULL;
    size_t cap = 0;
    *count = 0;
    *total = 0;
    for (struct dirent *e; (e = readdir(d));) {
        struct stat st;
        if (!is_ours(e->d_name) || fstatat(dirfd(d), e->d_name, &st, AT_SYMLINK_NOFOLLOW))
            continue;
        if (*count == cap) {
            cap = cap ? cap * 2 : 256;
            struct entry *more = realloc(entries, cap * sizeof *more);
            if (!more)
                break;
            entries = more;
        }
        struct entry *entry = &entries[(*count)++];
        /* An abandoned temporary file counts as oldest; one being written is minutes old at most. */
        bool abandoned = e->d_name[0] == '.' && time(NULL) - st.st_mtime > FRESH_S;
        *entry = (struct entry){.size = (uint64_t)st.st_size};
        entry->time =
            abandoned ? 0 : (uint64_t)st.st_mtim.tv_sec * 1000000000u + (uint64_t)st.st_mtim.tv_nsec;
        snprintf(entry->name, sizeof entry->name, "%.47s", e->d_name);
        *total += entry->size;
    }
    return entries;
}

/* Removes the oldest entries of the folder (`flags`: how to open it) once they exceed 7/8 of `limit` bytes, until a quarter
 * of it is free again. Other processes may do the same meanwhile. */
static void evict(const char *path, uint64_t limit, int flags) {
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | flags);
    DIR *d = fd >= 0 ? fdopendir(fd) : NULL;
    size_t count;
    uint64_t total;
    if (!d) {
        if (fd >= 0)
            close(fd);
        return;
    }
    struct entry *entries = list(d, &count, &total);
    if (entries)
        qsort(entries, count, sizeof *entries, older_first);
    bool over = total > limit / 8 * 7;
    for (size_t i = 0; i < count; i++) {
        if (entries[i].time && (!over || total <= limit / 4 * 3))
            break;
        unlinkat(dirfd(d), entries[i].name, 0);
        total -= entries[i].size;
    }
    free(entries);
    closedir(d);
}

static uint64_t limit_bytes(void) {
    return (uint64_t)env_get()->cache_size << 20;
}

/* Whether an eighth of the limit was stored since this was last true, by all processes together: the length of the file
 * `.stored` counts KiB. Two that count at once may lose one of both, which only puts it off. */
static bool much_was_stored(size_t n) {
    struct stat st;
    char *path = path_of(".stored");
    int fd = path ? open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600) : -1;
    free(path);
    if (fd < 0)
        return false;
    bool much = false;
    if (!fstat(fd, &st) && S_ISREG(st.st_mode)) {
        uint64_t sum = (uint64_t)st.st_size + n / 1024 + 1;
        much = sum > limit_bytes() / 8 / 1024;
        if (ftruncate(fd, much ? 0 : (off_t)sum))
            much = true; /* nobody counts */
    }
    close(fd);
    return much;
}

/* After n bytes more. Looking at all files takes longer the more there are: it is done once per eighth of the limit. */
static void keep_small(size_t n) {
    if (!much_was_stored(n))
        return;
    evict(directory, limit_bytes(), 0);
    char *sources = path_of("source");
    if (sources)
        evict(sources, limit_bytes() / 8, O_NOFOLLOW);
    free(sources);
}

static bool enter(const char *name, const struct buf *head, const void *bytes, size_t n, mode_t mode) {
    bool entered = publish(name, head, bytes, n, mode);
    if (entered)
        keep_small(n);
    return entered;
}

void cache_store(const char key[33], const void *bytes, size_t n) {
    struct buf header = {0};
    if (!usable() || n > limit_bytes() / 16)
        return;
    write_header(&header, key, bytes, n);
    if (!header.failed)
        enter(key, &header, bytes, n, 0600);
    buf_free(&header);
}

char *cache_object(const void *elf, size_t n) {
    struct hash h;
    char hex[33], name[40];
    if (!usable())
        return NULL;
    hash_init(&h);
    hash_bytes(&h, elf, n);
    hash_hex(&h, hex);
    snprintf(name, sizeof name, "%s.so", hex);
    char *path = path_of(name);
    size_t size;
    unsigned char *there = path ? read_file(path, &size) : NULL;
    bool same = there && size == n && !memcmp(there, elf, n);
    free(there);
    if (path && (same || enter(name, NULL, elf, n, 0700)))
        return path;
    free(path);
    return NULL;
}
