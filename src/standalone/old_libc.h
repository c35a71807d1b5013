/* old_libc.h: included before all else in builds that stand alone: names of the C library as version 2.28 has them.
 *
 * The linker would take the newest version of each function that the machine has which builds. These are the ones that
 * moved between libraries or changed their type in no way that matters here; what 2.28 lacks is in old_libc.c.
 */
#define OLD(name, version) __asm__(".symver " #name "," #name "@GLIBC_" #version);
#define OLD_NAMES(X)                                                                                         \
    X(dladdr, 2.2.5)                                                                                         \
    X(dlclose, 2.2.5)                                                                                        \
    X(dlerror, 2.2.5)                                                                                        \
    X(dlinfo, 2.3.3)                                                                                         \
    X(dlopen, 2.2.5)                                                                                         \
    X(dlsym, 2.2.5)                                                                                          \
    X(pthread_attr_getstack, 2.2.5)                                                                          \
    X(pthread_attr_setstacksize, 2.2.5)                                                                      \
    X(pthread_create, 2.2.5)                                                                                 \
    X(pthread_detach, 2.2.5)                                                                                 \
    X(pthread_getattr_np, 2.2.5)                                                                             \
    X(pthread_join, 2.2.5)                                                                                   \
    X(pthread_key_create, 2.2.5)                                                                             \
    X(pthread_mutex_timedlock, 2.2.5)                                                                        \
    X(pthread_mutex_trylock, 2.2.5)                                                                          \
    X(pthread_once, 2.2.5)                                                                                   \
    X(pthread_setaffinity_np, 2.3.4)                                                                         \
    X(pthread_setspecific, 2.2.5)                                                                            \
    X(pthread_sigmask, 2.2.5)                                                                                \
    X(pthread_timedjoin_np, 2.3.3)                                                                           \
    X(sem_init, 2.2.5)                                                                                       \
    X(sem_post, 2.2.5)                                                                                       \
    X(sem_wait, 2.2.5)                                                                                       \
    X(exp, 2.2.5)                                                                                            \
    X(log, 2.2.5)                                                                                            \
    X(log2, 2.2.5)                                                                                           \
    X(pow, 2.2.5)
OLD_NAMES(OLD)
