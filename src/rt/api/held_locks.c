/* held_locks.c: how many locks a thread holds, in builds that look for mistakes (WEIR_DEBUG_LOCKS, as those with sanitizers).
 *
 * User callbacks run under no lock: they may call anything. The linker has all calls that lock and unlock go through here
 * (--wrap), so that nothing need be said where locks are used.
 */
#include "rt.h"

#ifdef WEIR_DEBUG_LOCKS
#include <stdlib.h>

static _Thread_local int held;
static bool is_child; /* of a fork, whose handlers make locks anew that its parent held */

int __real_pthread_mutex_lock(pthread_mutex_t *);
int __real_pthread_mutex_trylock(pthread_mutex_t *);
int __real_pthread_mutex_timedlock(pthread_mutex_t *, const struct timespec *);
int __real_pthread_mutex_unlock(pthread_mutex_t *);
int __wrap_pthread_mutex_lock(pthread_mutex_t *);
int __wrap_pthread_mutex_trylock(pthread_mutex_t *);
int __wrap_pthread_mutex_timedlock(pthread_mutex_t *, const struct timespec *);
int __wrap_pthread_mutex_unlock(pthread_mutex_t *);

static int counted(int error) {
    held += !error;
    return error;
}

int __wrap_pthread_mutex_lock(pthread_mutex_t *m) {
    return counted(__real_pthread_mutex_lock(m));
}

int __wrap_pthread_mutex_trylock(pthread_mutex_t *m) {
    return counted(__real_pthread_mutex_trylock(m));
}

int __wrap_pthread_mutex_timedlock(pthread_mutex_t *m, const struct timespec *until) {
    return counted(__real_pthread_mutex_timedlock(m, until));
}

int __wrap_pthread_mutex_unlock(pthread_mutex_t *m) {
    held--;
    return __real_pthread_mutex_unlock(m);
}

static void after_fork_child(void) {
    is_child = true;
}

__attribute__((constructor)) static void watch_forks(void) {
    pthread_atfork(NULL, NULL, after_fork_child);
}

void no_lock_is_held(const char *function) {
    if (!held || is_child)
        return;
    log_write(LOG_ERROR, "%s may call the application with %d locks held", function, held);
    abort();
}
#endif
