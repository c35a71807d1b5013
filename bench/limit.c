/* limit.c: what the hardware could do: threads, the choice among hand-written functions, and the roofline's
 * two numbers, bandwidth and rate of fused multiply-adds. */
#define _GNU_SOURCE
#include "bench.h"

#include <immintrin.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- threads --------------------------------------------------------------------------------------------- */

enum { MAX_THREADS = 64, SPINS = 20000, CHUNKS_EACH = 8 };

/* The threads wait for `round` to change; `left` counts those still at work. */
static struct {
    void (*body)(struct run *, size_t);
    struct run *run;
    size_t groups, next;           /* next: atomic */
    unsigned round, left, threads; /* atomic: round, left */
    pthread_mutex_t lock;
    pthread_cond_t changed;
} team = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

unsigned limit_threads(void) {
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set))
        return 1;
    unsigned n = (unsigned)CPU_COUNT(&set);
    return n > MAX_THREADS ? MAX_THREADS : n;
}

static void do_share(void) {
    size_t chunk = team.groups / (team.threads * CHUNKS_EACH) + 1, from;
    while ((from = __atomic_fetch_add(&team.next, chunk, __ATOMIC_RELAXED)) < team.groups)
        for (size_t g = from; g < from + chunk && g < team.groups; g++)
            team.body(team.run, g);
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

void limit_groups(struct run *run, size_t groups, void (*body)(struct run *, size_t)) {
    if (!team.threads) {
        team.threads = limit_threads();
        for (unsigned i = 1; i < team.threads; i++) {
            pthread_t thread;
            if (pthread_create(&thread, NULL, thread_main, NULL))
                run_end(ERROR, "cannot create a thread");
        }
    }
    team.run = run, team.groups = groups, team.next = 0, team.body = body;
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
}

/* ---- the limits ------------------------------------------------------------------------------------------ */

static void (*work)(struct run *);

bool limit_has(enum mode mode) {
    if (mode == AVX512)
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
               __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw");
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}

void limit_open(struct run *run) {
    const struct limit *limit = run->mode == AVX2 ? limits_avx2 : limits_avx512;
    if (!limit_has(run->mode))
        run_end(SKIP, "the processor lacks the instructions");
    while (limit->test && strcmp(limit->test, run->test->name))
        limit++;
    if (!limit->test)
        run_end(SKIP, "no hand-written code");
    work = limit->work;
}

double limit_sample(struct run *run) {
    double start = seconds();
    work(run);
    return seconds() - start;
}

/* ---- the roofline ---------------------------------------------------------------------------------------- */

enum { CHUNKS = 64, CHUNK = 1 << 20 }; /* 64 MiB to read and as much to write */
static char *source, *target;

static void copy_chunk(struct run *run, size_t chunk) {
    const __m128i *from = (const __m128i *)(source + chunk * CHUNK);
    __m128i *to = (__m128i *)(target + chunk * CHUNK);
    for (size_t i = 0; i < CHUNK / sizeof *to; i++)
        _mm_stream_si128(to + i, _mm_load_si128(from + i));
    _mm_sfence();
}

static double best(struct run *run, size_t groups, void (*body)(struct run *, size_t)) {
    double least = 1e9;
    for (double end = seconds() + 0.3; seconds() < end;) {
        double start = seconds();
        limit_groups(run, groups, body);
        double length = seconds() - start;
        if (length < least)
            least = length;
    }
    return least;
}

double limit_bandwidth(void) {
    source = allocate((size_t)CHUNKS * CHUNK);
    target = allocate((size_t)CHUNKS * CHUNK);
    double bytes = 2.0 * CHUNKS * CHUNK / best(NULL, CHUNKS, copy_chunk);
    free(source);
    free(target);
    return bytes;
}

enum { FMAS = 200000, CHAINS = 12 };
static volatile float sink;

#define MULTIPLY(name, isa, type, set, fma)                                                                  \
    __attribute__((target(isa))) static void name(struct run *run, size_t group) {                           \
        type x[CHAINS], a = set(0.999f), b = set(0.001f);                                                    \
        for (int i = 0; i < CHAINS; i++)                                                                     \
            x[i] = set((float)i);                                                                            \
        for (int n = 0; n < FMAS; n++) {                                                                     \
            _Pragma("GCC unroll 12") for (int i = 0; i < CHAINS; i++) x[i] = fma(x[i], a, b);                \
        }                                                                                                    \
        for (int i = 0; i < CHAINS; i++)                                                                     \
            sink = ((const float *)&x[i])[0];                                                                \
    }
MULTIPLY(multiply_avx2, "avx2,fma", __m256, _mm256_set1_ps, _mm256_fmadd_ps)
MULTIPLY(multiply_avx512, "avx512f", __m512, _mm512_set1_ps, _mm512_fmadd_ps)

double limit_flops(void) {
    double lanes = limit_has(AVX512) ? 16 : 8;
    if (!limit_has(AVX2))
        return 0;
    size_t groups = limit_threads();
    return 2 * lanes * CHAINS * FMAS * (double)groups /
           best(NULL, groups, lanes == 16 ? multiply_avx512 : multiply_avx2);
}
