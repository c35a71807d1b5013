/* machine.c: threads that share groups of work, and what the machine does at most with them. See machine.h. */
#define _GNU_SOURCE
#include "machine.h"
#include "base.h"

#include <immintrin.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ---- threads --------------------------------------------------------------------------------------------- */

enum { MAX_THREADS = 1024, SPINS = 20000, CHUNKS_EACH = 8 };

/* The threads wait for `round` to change; `left` counts those still at work. */
static struct {
    void (*body)(void *, size_t);
    void *argument;
    size_t groups, next;           /* next: atomic */
    unsigned round, left, threads; /* atomic: round, left */
    pthread_mutex_t lock;
    pthread_cond_t changed;
} team = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

unsigned machine_threads(void) {
    static unsigned threads;
    cpu_set_t *set = threads ? NULL : CPU_ALLOC(MAX_THREADS);
    size_t size = CPU_ALLOC_SIZE(MAX_THREADS);
    uint64_t quota = threads ? 0 : cgroup_cpu(CGROUP_LIST, CGROUP_MOUNT);
    if (threads)
        return threads;
    unsigned n = set && !sched_getaffinity(0, size, set) ? (unsigned)CPU_COUNT_S(size, set) : 1;
    CPU_FREE(set);
    if (quota != UINT64_MAX && (quota + 999) / 1000 < n)
        n = (unsigned)((quota + 999) / 1000);
    return threads = n ? n : 1;
}

double machine_load(void) {
    double now;
    return getloadavg(&now, 1) == 1 ? now : 0;
}

static void do_share(void) {
    size_t chunk = team.groups / (team.threads * CHUNKS_EACH) + 1, from;
    while ((from = __atomic_fetch_add(&team.next, chunk, __ATOMIC_RELAXED)) < team.groups)
        for (size_t g = from; g < from + chunk && g < team.groups; g++)
            team.body(team.argument, g);
}

static void *thread_main(void *argument) {
    unsigned seen = 0;
    for (;;) {
        for (int i = 0; i < SPINS && __atomic_load_n(&team.round, __ATOMIC_ACQUIRE) == seen; i++)
            _mm_pause();
        pthread_mutex_lock(&team.lock);
        while (__atomic_load_n(&team.round, __ATOMIC_ACQUIRE) == seen)
            pthread_cond_wait(&team.changed, &team.lock);
        pthread_mutex_unlock(&team.lock);
        seen++;
        do_share();
        __atomic_sub_fetch(&team.left, 1, __ATOMIC_RELEASE);
    }
    return NULL;
}

bool machine_groups(void *argument, size_t groups, void (*body)(void *, size_t)) {
    if (!team.threads) {
        team.threads = machine_threads();
        for (unsigned i = 1; i < team.threads; i++) {
            pthread_t thread;
            if (pthread_create(&thread, NULL, thread_main, NULL)) {
                team.threads = 0;
                return false;
            }
        }
    }
    team.argument = argument, team.groups = groups, team.next = 0, team.body = body;
    __atomic_store_n(&team.left, team.threads - 1, __ATOMIC_RELAXED);
    pthread_mutex_lock(&team.lock);
    __atomic_add_fetch(&team.round, 1, __ATOMIC_RELEASE);
    pthread_cond_broadcast(&team.changed);
    pthread_mutex_unlock(&team.lock);
    do_share();
    for (unsigned spins = 0; __atomic_load_n(&team.left, __ATOMIC_ACQUIRE); spins++)
        if (spins < SPINS)
            _mm_pause();
        else
            sched_yield();
    return true;
}

/* ---- limits ------------------------------------------------------------------------------------------------ */

bool machine_has_avx512(void) {
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw");
}

bool machine_has_avx2(void) {
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}

/* Seconds of the shortest time; 0: none. */
static double best(void *argument, size_t groups, void (*body)(void *, size_t)) {
    uint64_t least = UINT64_MAX;
    for (uint64_t end = time_ns() + 300000000, start = 0; start < end;) {
        start = time_ns();
        if (!machine_groups(argument, groups, body))
            return 0;
        uint64_t length = time_ns() - start;
        if (length < least)
            least = length;
    }
    return (double)least * 1e-9;
}

enum { CHUNKS = 64, CHUNK = 1 << 20 }; /* 64 MiB to read and as much to write */
struct arrays {
    char *source, *target;
};

static void copy_chunk(void *argument, size_t chunk) {
    const struct arrays *a = argument;
    const __m128i *from = (const __m128i *)(a->source + chunk * CHUNK);
    __m128i *to = (__m128i *)(a->target + chunk * CHUNK);
    for (size_t i = 0; i < CHUNK / sizeof *to; i++)
        _mm_stream_si128(to + i, _mm_load_si128(from + i));
    _mm_sfence();
}

static char *allocate(size_t bytes) {
    char *p = aligned_alloc(4096, bytes);
    return p ? memset(p, 0, bytes) : NULL; /* untouched, its pages would all be one */
}

double machine_bandwidth(void) {
    struct arrays a = {allocate((size_t)CHUNKS * CHUNK), allocate((size_t)CHUNKS * CHUNK)};
    double length = a.source && a.target ? best(&a, CHUNKS, copy_chunk) : 0;
    free(a.source);
    free(a.target);
    return length > 0 ? 2.0 * CHUNKS * CHUNK / length : 0;
}

enum { CHAINS = 12 };
static volatile float sink;

#define MULTIPLY(name, isa, type, set, fma)                                                                  \
    __attribute__((target(isa))) static void name(void *argument, size_t group) {                            \
        type x[CHAINS], a = set(0.999f), b = set(0.001f);                                                    \
        for (int i = 0; i < CHAINS; i++)                                                                     \
            x[i] = set((float)i);                                                                            \
        const unsigned *count = argument;                                                                    \
        for (unsigned n = 0; n < *count; n++) {                                                              \
            _Pragma("GCC unroll 12") for (int i = 0; i < CHAINS; i++) x[i] = fma(x[i], a, b);                \
        }                                                                                                    \
        for (int i = 0; i < CHAINS; i++)                                                                     \
            sink = ((const float *)&x[i])[0];                                                                \
    }
MULTIPLY(multiply_avx2, "avx2,fma", __m256, _mm256_set1_ps, _mm256_fmadd_ps)
MULTIPLY(multiply_avx512, "avx512f", __m512, _mm512_set1_ps, _mm512_fmadd_ps)

/* Seconds of `groups` with at least so many operations each; sets *done to how many all do. 0: no such processor. */
static double multiply(size_t groups, double operations, double *done) {
    double each = 2.0 * CHAINS * (machine_has_avx512() ? 16 : 8); /* of a step */
    unsigned count = (unsigned)(operations / each) + 1;
    *done = each * count * (double)groups;
    return machine_has_avx2() ? best(&count, groups, machine_has_avx512() ? multiply_avx512 : multiply_avx2)
                              : 0;
}

double machine_flops(void) {
    double done, length = multiply(machine_threads(), 8e7, &done);
    return length > 0 ? done / length : 0;
}

double machine_launch(size_t groups, double operations) {
    double done;
    return multiply(groups, operations, &done);
}

enum { EXCHANGE_GROUP = 256, EXCHANGE_ROUNDS = 1000 };

/* As the kernel of that name, all of a group's items in each step. The value after the last is the first once more. */
#define EXCHANGE(name, isa, lanes, type, load, store, three)                                                 \
    __attribute__((target(isa))) static void name(void *argument, size_t group) {                            \
        uint32_t x[EXCHANGE_GROUP], s[EXCHANGE_GROUP + 16] __attribute__((aligned(64)));                     \
        for (uint32_t i = 0; i < EXCHANGE_GROUP; i++)                                                        \
            x[i] = (uint32_t)group * EXCHANGE_GROUP + i;                                                     \
        for (int n = 0; n < EXCHANGE_ROUNDS; n++) {                                                          \
            for (size_t i = 0; i < EXCHANGE_GROUP; i += lanes)                                               \
                store((void *)(s + i), load((const void *)(x + i)));                                         \
            s[EXCHANGE_GROUP] = s[0];                                                                        \
            __asm__ volatile("" ::: "memory");                                                               \
            for (size_t i = 0; i < EXCHANGE_GROUP; i += lanes) {                                             \
                type v = load((const void *)(x + i));                                                        \
                store((void *)(x + i), three(v, load((const void *)(s + i + 1))));                           \
            }                                                                                                \
            __asm__ volatile("" ::: "memory");                                                               \
        }                                                                                                    \
        sink = (float)x[0];                                                                                  \
    }
#define THREE_128(v, w) _mm_add_epi32(_mm_add_epi32(v, _mm_add_epi32(v, v)), w)
#define THREE_256(v, w) _mm256_add_epi32(_mm256_add_epi32(v, _mm256_add_epi32(v, v)), w)
#define THREE_512(v, w) _mm512_add_epi32(_mm512_add_epi32(v, _mm512_add_epi32(v, v)), w)
EXCHANGE(exchange_sse2, "sse2", 4, __m128i, _mm_loadu_si128, _mm_storeu_si128, THREE_128)
EXCHANGE(exchange_avx2, "avx2", 8, __m256i, _mm256_loadu_si256, _mm256_storeu_si256, THREE_256)
EXCHANGE(exchange_avx512, "avx512f", 16, __m512i, _mm512_loadu_si512, _mm512_storeu_si512, THREE_512)

double machine_exchange(void) {
    size_t groups = machine_threads() * (size_t)8;
    double length = best(NULL, groups,
                         machine_has_avx512() ? exchange_avx512
                         : machine_has_avx2() ? exchange_avx2
                                              : exchange_sse2);
    return length > 0 ? (double)groups * EXCHANGE_GROUP * EXCHANGE_ROUNDS / length : 0;
}
