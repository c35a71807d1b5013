/* object_memory.c: where API objects lie: one range of addresses that nothing else is in and that may be read for ever. So
 * whatever a program passes as a handle can be told from an object without a fault: an address out of the range is none, and one
 * in it may be looked at, also of an object that is gone. That one keeps its dispatch table: the loader calls through it, and
 * what it calls finds out.
 *
 * Addresses are reserved when the library is loaded, for the range to grow: by chunks with blocks of one size, a power of two.
 * A larger block has several chunks to itself. Blocks that are free wait in a list for each size.
 */
#define _GNU_SOURCE
#include "rt.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>

struct object_range object_range;

#if defined(__SANITIZE_ADDRESS__)

/* The sanitizer's allocator shows uses of objects that are gone, which matters more. */
void *object_alloc(size_t n) {
    return calloc(1, n);
}

void object_free(void *p) {
    free(p);
}

__attribute__((constructor)) static void reserve(void) {
    object_range.begin = 1 << 16;
    atomic_store(&object_range.size, ((size_t)1 << 47) - (1 << 16));
}

#else

#define CHUNK ((size_t)256 << 10)
#define MOST  ((size_t)8 << 30) /* addresses; where they are limited, a small part of them */
enum {
    PART = 32,
    LEAST_BITS = 7, /* two cache lines, which are read together: no two objects in them */
    SIZES = 48
};

struct chunk {     /* at its beginning; blocks follow */
    size_t chunks; /* that a large block has, else 1 */
    unsigned bits; /* of the blocks' size */
} __attribute__((aligned(64)));

struct block { /* one that is free */
    struct object gone;
    struct block *next;
};

static pthread_mutex_t lock =
    PTHREAD_MUTEX_INITIALIZER;           /* guards what follows; nothing else is locked under it */
static struct block *free_blocks[SIZES]; /* by the bits of their size */
static size_t reserved;                  /* addresses from the range's beginning on */

/* New memory of so many chunks, zeroed; NULL: there is none. */
static struct chunk *chunks_new_locked(unsigned bits, size_t n) {
    size_t used = atomic_load_explicit(&object_range.size, memory_order_relaxed);
    struct chunk *c = (struct chunk *)(object_range.begin + used);
    if (n > (reserved - used) / CHUNK || mprotect(c, n * CHUNK, PROT_READ | PROT_WRITE))
        return NULL;
    c->bits = bits;
    c->chunks = n;
    /* relaxed: whoever is given an object's handle is given it after this */
    atomic_store_explicit(&object_range.size, used + n * CHUNK, memory_order_relaxed);
    return c;
}

/* Fills the list of this size; false: no memory. */
static bool add_blocks_locked(unsigned bits) {
    const size_t size = (size_t)1 << bits, n = size < CHUNK ? 1 : size / CHUNK + 1;
    struct chunk *c = chunks_new_locked(bits, n);
    if (!c)
        return false;
    char *blocks = (char *)(c + 1);
    size_t count = n > 1 ? 1 : (CHUNK - sizeof *c) / size;
    while (count--) { /* the lowest comes first */
        struct block *b = (struct block *)(blocks + count * size);
        b->next = free_blocks[bits];
        free_blocks[bits] = b;
    }
    return true;
}

static unsigned bits_of(size_t n) {
    unsigned bits = n > 1 ? 64 - (unsigned)__builtin_clzl(n - 1) : 0;
    return bits < LEAST_BITS ? LEAST_BITS : bits;
}

void *object_alloc(size_t n) {
    const unsigned bits = bits_of(n);
    if (bits >= SIZES)
        return NULL;
    pthread_mutex_lock(&lock);
    struct block *b = free_blocks[bits] || add_blocks_locked(bits) ? free_blocks[bits] : NULL;
    if (b)
        free_blocks[bits] = b->next;
    pthread_mutex_unlock(&lock);
    return b ? memset(b, 0, n) : NULL;
}

void object_free(void *p) {
    if (!p)
        return;
    assert(object_is_readable(p) && "what is freed is an object's memory");
    struct block *b = p; /* maybe one that never became an object */
    struct chunk *c = (struct chunk *)((uintptr_t)p - ((uintptr_t)p - object_range.begin) % CHUNK);
    object_set_kind(&b->gone, 0);
    atomic_store_explicit(&b->gone.held, 0, memory_order_relaxed);
    if (c->chunks > 1) /* it stays, as zeros */
        madvise((char *)c + CHUNK, (c->chunks - 1) * CHUNK, MADV_DONTNEED);
    pthread_mutex_lock(&lock);
    b->next = free_blocks[c->bits];
    free_blocks[c->bits] = b;
    pthread_mutex_unlock(&lock);
}

static void before_fork(void) {
    pthread_mutex_lock(&lock);
}

static void after_fork(void) {
    pthread_mutex_unlock(&lock);
}

/* The first to watch forks: so a fork takes this lock after all others, as everybody does. */
__attribute__((constructor)) static void reserve(void) {
    struct rlimit limit;
    size_t size = MOST;
    if (!getrlimit(RLIMIT_AS, &limit) && limit.rlim_cur != RLIM_INFINITY && limit.rlim_cur / PART < size)
        size = limit.rlim_cur / PART;
    void *begin = MAP_FAILED;
    while (size >= CHUNK && (begin = mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                                          -1, 0)) == MAP_FAILED)
        size /= 2;
    if (begin != MAP_FAILED) {
        object_range.begin = (uintptr_t)begin;
        reserved = size;
    }
    pthread_atfork(before_fork, after_fork, after_fork);
}

#endif
