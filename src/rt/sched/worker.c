/* worker.c: what a thread needs to run work-groups: local memory and context arenas, and its stack's bounds; and how
 * threads of the runtime start.
 *
 * Arenas are mapped on demand, grow, and are reused by later commands. They lie between two pages that lanes
 * which are off may read and write back (WEIR_ARENA_MARGIN), the first of them there from the beginning, for masked
 * accesses that reach into a missing one cost hundreds of cycles each. After the second one is an inaccessible page.
 */
#define _GNU_SOURCE
#include "rt.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static void *arena_map(size_t bytes, size_t page) {
    _Static_assert(WEIR_ARENA_MARGIN <= 4096, "a page is a margin");
    char *p = mmap(NULL, bytes + 3 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED)
        return NULL;
    mprotect(p + 2 * page + bytes, page, PROT_NONE);
    p[page - 1] = 1; /* now the page is there */
    return p + page;
}

/* Makes room for `need` bytes; what the arena held is lost. */
static bool arena_grow(void **arena, weir_u64 *bytes, size_t need) {
    const size_t page = (size_t)sysconf(_SC_PAGESIZE), least = 1 << 16;
    if (need > SIZE_MAX / 4)
        return false;
    size_t size = need < least ? least : (need + need / 4 + page - 1) / page * page;
    void *larger = arena_map(size, page);
    if (!larger && need > least)
        larger = arena_map(size = (need + page - 1) / page * page, page);
    if (!larger)
        return false;
    if (*arena)
        munmap((char *)*arena - page, *bytes + 3 * page);
    *arena = larger;
    *bytes = size;
    return true;
}

bool worker_reserve(struct worker *w, size_t local_bytes, size_t context_bytes) {
    /* Kernels may form addresses of empty arenas: there is always something mapped. */
    return ((w->abi.local && w->abi.local_bytes >= local_bytes) ||
            arena_grow(&w->abi.local, &w->abi.local_bytes, local_bytes)) &&
           ((w->abi.context && w->abi.context_bytes >= context_bytes) ||
            arena_grow(&w->abi.context, &w->abi.context_bytes, context_bytes));
}

static _Atomic(struct worker *) newest;

struct worker *worker_newest(void) {
    return atomic_load(&newest);
}

struct worker *worker_new(unsigned index) {
    struct worker *w = calloc(1, sizeof *w);
    if (w) {
        w->older = atomic_load(&newest);
        while (!atomic_compare_exchange_weak(&newest, &w->older, w))
            continue;
        w->index = index;
        w->abi.printf_reserve = printf_reserve;
        w->abi.calls = &device_calls;
    }
    return w;
}

void worker_enter(struct worker *w) {
    static _Thread_local weir_u64 low, high; /* asking is slow on a process's first thread */
    if (!high) {
        pthread_attr_t attr;
        void *base;
        size_t size;
        if (!pthread_getattr_np(pthread_self(), &attr)) {
            if (!pthread_attr_getstack(&attr, &base, &size)) {
                low = (uintptr_t)base;
                high = low + size;
            }
            pthread_attr_destroy(&attr);
        }
    }
    w->abi.stack_low = low;
    w->abi.stack_high = high;
}

int worker_thread(pthread_t *thread, size_t stack_bytes, void *(*main)(void *), void *arg) {
    static const int own[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS};
    pthread_attr_t attr;
    sigset_t mask, before;
    int error = pthread_attr_init(&attr);
    if (error)
        return error;
    if (stack_bytes)
        pthread_attr_setstacksize(&attr, stack_bytes);
    sigfillset(&mask);
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        sigdelset(&mask, own[i]);
    pthread_sigmask(SIG_SETMASK, &mask, &before); /* threads inherit it */
    struct float_mode mode = float_mode_enter();  /* and this */
    error = pthread_create(thread, &attr, main, arg);
    float_mode_leave(mode);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attr);
    return error;
}
