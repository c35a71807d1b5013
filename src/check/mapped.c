/* mapped.c: whether an address of memory that nobody told us of is there at all.
 *
 * In: an address that a kernel accesses, which is none of the launch's memory: system memory is everybody's. Out: whether it
 * can be read or written. The system's list of the process's mappings is kept, and read again where it doesn't have the
 * address: memory that appears costs one look, memory that is there none. */
#define _GNU_SOURCE
#include "check.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct mapped {
    uint64_t start, end;
    bool reads, writes;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct mapped *list; /* by address */
static size_t n, room;

pthread_mutex_t *mapped_lock(void) {
    return &lock;
}

static bool add_locked(const struct mapped *m) {
    if (n == room) {
        size_t more = room ? 2 * room : 256;
        struct mapped *grown = realloc(list, more * sizeof *grown);
        if (!grown)
            return false;
        list = grown;
        room = more;
    }
    list[n++] = *m;
    return true;
}

/* False: nothing is known. */
static bool read_locked(void) {
    struct buf text = {0};
    char block[4096];
    ssize_t got;
    int fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
    while (fd >= 0 && (got = read(fd, block, sizeof block)) > 0)
        buf_bytes(&text, block, (size_t)got);
    if (fd >= 0)
        close(fd);
    n = 0;
    const char *line = fd >= 0 && !text.failed ? buf_cstr(&text) : NULL;
    for (; line && *line; line = strchr(line, '\n') + 1) {
        unsigned long long start, end;
        char rights[5];
        if (sscanf(line, "%llx-%llx %4s", &start, &end, rights) == 3 &&
            !add_locked(&(struct mapped){start, end, rights[0] == 'r', rights[1] == 'w'}))
            n = 0;
        if (!strchr(line, '\n'))
            break;
    }
    buf_free(&text);
    return n > 0;
}

static bool has_locked(uint64_t address, bool writes) {
    size_t low = 0, high = n;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (list[middle].end <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low < n && list[low].start <= address && (writes ? list[low].writes : list[low].reads);
}

bool mapped_has(uint64_t address, uint64_t bytes, bool writes) {
    uint64_t last = address + bytes - 1;
    pthread_mutex_lock(&lock);
    bool there = last >= address && has_locked(address, writes) && has_locked(last, writes);
    if (!there && last >= address)
        there = !read_locked() || (has_locked(address, writes) && has_locked(last, writes));
    pthread_mutex_unlock(&lock);
    return there;
}
