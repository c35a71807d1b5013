/* watchers.c: whether there is anybody left whom the threads of trace.c, profile.c and interrupt.c watch.
 *
 * A process whose main thread has called pthread_exit ends with its last thread, which must not be one that only waits for
 * what others do. So threads with something to trace or sample count from their first time on until they end, and those who
 * watch them end after the last one; who comes later starts them again.
 *
 * In: threads that something is recorded of. Out: for watchers, whether to stay. */
#define _GNU_SOURCE
#include "rt.h"

static _Atomic unsigned watched; /* threads */
static pthread_key_t key;        /* counts its thread down */
static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool has_key;
static _Thread_local bool is_counted;

static void count_down(void *arg) {
    if (!is_counted) /* by the parent of a forked child */
        return;
    is_counted = false;
    if (atomic_fetch_sub(&watched, 1) == 1) {
        trace_rouse();
        interrupt_rouse();
    }
}

/* The one thread that there is counts when it does something. */
static void after_fork_child(void) {
    atomic_store(&watched, 0);
    is_counted = false;
}

static void make_key(void) {
    has_key = !pthread_key_create(&key, count_down);
    pthread_atfork(NULL, NULL, after_fork_child);
}

/* Without a key nobody counts down, and watchers stay. */
void watchers_serve(void) {
    if (is_counted)
        return;
    pthread_once(&once, make_key);
    is_counted = !has_key || !pthread_setspecific(key, &watched);
    if (is_counted && !atomic_fetch_add(&watched, 1))
        interrupt_watch();
}

bool watchers_needed(void) {
    return atomic_load(&watched);
}
