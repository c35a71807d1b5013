/* freed.c: blocks that were freed: kept for a while, so that who still uses one is told what it was.
 *
 * In: blocks as they are freed. Out: for an address, the block that it was in. Their pages are given back at once, their
 * addresses when there are too many. Blocks that kernels get from elsewhere are none of ours. */
#define _GNU_SOURCE
#include "check.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { MOST_BLOCKS = 1024, PAGE = 4096, SMALL = 64 * 1024 };
#define MOST_BYTES                                                                                           \
    (UINT64_C(256) << 20) /* of blocks that keep their pages, and address space of the others times 64 */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct freed blocks[MOST_BLOCKS]; /* by address */
static unsigned n;
static uint64_t total, numbers;
static _Thread_local const char *freeing; /* the call that frees the next block */

void check_freed_by(const char *call) {
    freeing = call;
}

pthread_mutex_t *freed_lock(void) {
    return &lock;
}

/* The index of the first block that ends after the address. */
static unsigned find_locked(uint64_t address) {
    unsigned low = 0, high = n;
    while (low < high) {
        unsigned middle = (low + high) / 2;
        if (blocks[middle].start + blocks[middle].size <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static uint64_t cost_of(uint64_t size) {
    return size < SMALL ? size : size / 64;
}

static void *evict_locked(void) {
    unsigned oldest = 0;
    for (unsigned i = 1; i < n; i++)
        if (blocks[i].number < blocks[oldest].number)
            oldest = i;
    void *start = (void *)(uintptr_t)blocks[oldest].start;
    total -= cost_of(blocks[oldest].size);
    memmove(&blocks[oldest], &blocks[oldest + 1], (n - oldest - 1) * sizeof *blocks);
    n--;
    return start;
}

bool check_freed(void *start, uint64_t size) {
    uint64_t from = ((uint64_t)start + PAGE - 1) / PAGE * PAGE, to = ((uint64_t)start + size) / PAGE * PAGE;
    if (!size || cost_of(size) > MOST_BYTES)
        return false;
    if (size >= SMALL && from < to)
        madvise((void *)(uintptr_t)from, to - from, MADV_DONTNEED);
    pthread_mutex_lock(&lock);
    while (n && (n == MOST_BLOCKS || total + cost_of(size) > MOST_BYTES))
        free(evict_locked());
    unsigned at = find_locked((uint64_t)start);
    memmove(&blocks[at + 1], &blocks[at], (n - at) * sizeof *blocks);
    blocks[at] = (struct freed){(uint64_t)start, size, ++numbers, freeing};
    freeing = NULL;
    n++;
    total += cost_of(size);
    pthread_mutex_unlock(&lock);
    return true;
}

bool freed_find(uint64_t address, uint64_t bytes, struct freed *found) {
    pthread_mutex_lock(&lock);
    unsigned at = find_locked(address);
    bool is_there = at < n && blocks[at].start < address + bytes;
    if (is_there)
        *found = blocks[at];
    pthread_mutex_unlock(&lock);
    return is_there;
}
