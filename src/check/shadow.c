/* shadow.c: the cells of allocations.
 *
 * In: an allocation's place. Out: its cells, 20 bytes for each 4 of memory, which cost nothing until they are touched. They
 * stay until the memory is freed: launches tell their own cells by numbers that only grow. Cells of memory that is freed while
 * a kernel runs, which may be the one that uses it, lose what they hold, and stay where they are until no kernel runs. */
#include "check.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct shadow *all, *retired;
static unsigned users;

pthread_mutex_t *shadow_lock(void) {
    return &lock;
}

struct shadow *shadow_new(uint64_t start, uint64_t size) {
    struct shadow *s = malloc(sizeof *s);
    uint64_t low = start & ~UINT64_C(3), cells = (start + size - low + 3) / 4;
    size_t n = (cells + 31) / 32 * 32; /* each array begins where a vector may */
    if (!s)
        return NULL;
    s->bytes = n * 44;
    void *block =
        mmap(NULL, s->bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (block == MAP_FAILED) {
        free(s);
        return NULL;
    }
    s->start = low;
    s->size = cells * 4;
    s->writers = block;
    s->readers = s->writers + n;
    s->writer_sites = (uint16_t *)(s->readers + n);
    s->reader_sites = s->writer_sites + n;
    s->tainted = (uint32_t *)(s->reader_sites + n);
    s->crowds = s->tainted + n;
    s->written = (uint64_t *)(s->crowds + n);
    s->read = s->written + n;
    s->under = NULL;
    s->next = NULL;
    return s;
}

static size_t under_bytes(const struct shadow *s) {
    return s->size * sizeof(struct under);
}

void shadow_free(struct shadow *s) {
    if (s)
        munmap(s->writers, s->bytes);
    if (s && s->under)
        munmap(s->under, under_bytes(s));
    free(s);
}

static void clear(void *start, size_t bytes) {
    if (madvise(start, bytes, MADV_DONTNEED)) /* which makes it zeros */
        memset(start, 0, bytes);
}

void shadow_clear(struct shadow *s) {
    clear(s->writers, s->bytes);
    if (s->under)
        clear(s->under, under_bytes(s));
}

struct under *shadow_under(struct shadow *s, uint64_t address, bool make) {
    struct under *all_of = s->under;
    if (!all_of && make) {
        pthread_mutex_lock(&lock);
        all_of = s->under;
        if (!all_of)
            all_of = mmap(NULL, under_bytes(s), PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        all_of = all_of == MAP_FAILED ? NULL : all_of;
        s->under = all_of;
        pthread_mutex_unlock(&lock);
    }
    return all_of ? &all_of[address - s->start] : NULL;
}

enum { TOUCHED = 1 << 16 }; /* bytes of memory whose cells are there from the start */

/* Two groups that access the same at the same moment each look before they enter themselves. That takes some nanoseconds, but
 * microseconds if the page isn't there yet: enough to miss a race that the launch has but once. */
static void touch(const struct shadow *s) {
    madvise(s->writers, (size_t)((char *)s->tainted - (char *)s->writers), MADV_POPULATE_WRITE);
}

struct shadow *shadow_of(uint64_t start, uint64_t size) {
    pthread_mutex_lock(&lock);
    struct shadow *s = all;
    while (s && !(start >= s->start && start + size <= s->start + s->size))
        s = s->next;
    if (!s && (s = shadow_new(start, size))) {
        if (size <= TOUCHED)
            touch(s);
        s->next = all;
        all = s;
    }
    pthread_mutex_unlock(&lock);
    return s;
}

struct shadow *shadow_at(uint64_t start, uint64_t size) {
    pthread_mutex_lock(&lock);
    struct shadow *s = all;
    while (s && !(start >= s->start && start + size <= s->start + s->size))
        s = s->next;
    pthread_mutex_unlock(&lock);
    return s;
}

void shadow_enter(void) {
    pthread_mutex_lock(&lock);
    users++;
    pthread_mutex_unlock(&lock);
}

void shadow_leave(void) {
    pthread_mutex_lock(&lock);
    struct shadow *s = --users ? NULL : retired;
    if (s)
        retired = NULL;
    pthread_mutex_unlock(&lock);
    for (struct shadow *next; s; s = next) {
        next = s->next;
        shadow_free(s);
    }
}

/* Nobody finds it any more. */
static void retire_locked(struct shadow *s) {
    if (!users) {
        shadow_free(s);
        return;
    }
    shadow_clear(s);
    s->next = retired;
    retired = s;
}

void check_memory_gone(uint64_t start, uint64_t size) {
    order_memory_gone(start, size);
    pthread_mutex_lock(&lock);
    for (struct shadow **at = &all; *at;) {
        struct shadow *s = *at;
        if (s->start < start + size && start < s->start + s->size) {
            *at = s->next;
            retire_locked(s);
        } else {
            at = &s->next;
        }
    }
    pthread_mutex_unlock(&lock);
}
