/* The count of locks that builds with sanitizers keep: a callback that would run under one ends the process. */
#define _GNU_SOURCE
#include <signal.h>
#include <unistd.h>
#include "unit.h"

#ifndef WEIR_DEBUG_LOCKS
#define WEIR_DEBUG_LOCKS
#endif
#include "../../src/rt/api/held_locks.c"

/* What the linker makes of these names in such builds. */
int __real_pthread_mutex_lock(pthread_mutex_t *m) {
    return pthread_mutex_lock(m);
}

int __real_pthread_mutex_trylock(pthread_mutex_t *m) {
    return pthread_mutex_trylock(m);
}

int __real_pthread_mutex_timedlock(pthread_mutex_t *m, const struct timespec *until) {
    return pthread_mutex_timedlock(m, until);
}

int __real_pthread_mutex_unlock(pthread_mutex_t *m) {
    return pthread_mutex_unlock(m);
}

static sigjmp_buf back;

static void on_abort(int signal) {
    siglongjmp(back, 1);
}

static bool a_callback_aborts(void) {
    struct sigaction action = {.sa_handler = on_abort}, old;
    sigaction(SIGABRT, &action, &old);
    bool aborts = sigsetjmp(back, 1);
    if (!aborts)
        no_lock_is_held("clTest");
    sigaction(SIGABRT, &old, NULL);
    return aborts;
}

TEST(a_callback_under_a_lock_aborts) {
    pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER, two = PTHREAD_MUTEX_INITIALIZER;
    struct timespec now = {0};
    assert_false(a_callback_aborts());
    __wrap_pthread_mutex_lock(&one);
    assert_true(a_callback_aborts());
    assert_int_equal(__wrap_pthread_mutex_trylock(&two), 0);
    __wrap_pthread_mutex_unlock(&one);
    assert_true(a_callback_aborts());
    __wrap_pthread_mutex_unlock(&two);
    assert_false(a_callback_aborts());
    assert_int_equal(__wrap_pthread_mutex_timedlock(&one, &now), 0);
    assert_true(a_callback_aborts());
    __wrap_pthread_mutex_unlock(&one);
    assert_false(a_callback_aborts());
}

TEST(a_lock_that_was_not_had_is_not_held) {
    pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    struct timespec now = {0};
    pthread_mutex_lock(&lock);
    assert_int_not_equal(__wrap_pthread_mutex_trylock(&lock), 0);
    assert_int_not_equal(__wrap_pthread_mutex_timedlock(&lock, &now), 0);
    assert_false(a_callback_aborts());
    pthread_mutex_unlock(&lock);
}

static void *ask(void *aborts) {
    *(bool *)aborts = a_callback_aborts();
    return NULL;
}

TEST(locks_of_other_threads_do_not_count) {
    pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    pthread_t thread;
    bool aborts = true;
    __wrap_pthread_mutex_lock(&lock);
    assert_int_equal(pthread_create(&thread, NULL, ask, &aborts), 0);
    pthread_join(thread, NULL);
    __wrap_pthread_mutex_unlock(&lock);
    assert_false(aborts);
}
