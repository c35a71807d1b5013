/* session.h: what the fuzzers of the API share: random numbers by seed, and a child process that may end badly.
 *
 * Usage of each: NAME [COUNT [SEED]], or FUZZ_COUNT and FUZZ_SEED; COUNT runs with the seeds SEED, SEED + 1, ... A child
 * does them all, for a crash needs a process of its own and fork between runs would hide what they leave behind. What
 * ends it, or hangs, is reported with the seed that repeats it. With FUZZ_IN_PROCESS set there is no child, for debuggers.
 */
#ifndef WEIR_FUZZ_SESSION_H
#define WEIR_FUZZ_SESSION_H

#define _GNU_SOURCE
#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define UNUSED       __attribute__((unused))
#define COUNT(array) (sizeof(array) / sizeof *(array))

static uint64_t random_state;

static UNUSED uint64_t random_bits(void) { /* splitmix64 */
    uint64_t z = random_state += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

/* Below n, which isn't 0. */
static UNUSED uint32_t below(uint32_t n) {
    return (uint32_t)(random_bits() >> 16) % n;
}

static UNUSED bool one_in(uint32_t n) {
    return !below(n);
}

/* Numbers at which checks of sizes go wrong. */
static UNUSED uint64_t odd_number(void) {
    static const uint64_t numbers[] = {0,   1,    2,    3,    4,    7,     8,     15,
                                       16,  63,   64,   100,  127,  128,   129,   255,
                                       256, 1000, 4095, 4096, 4097, 65535, 65536, 1 << 20};
    uint64_t n = numbers[below(COUNT(numbers))];
    switch (below(8)) {
    case 0:
        return ~n;
    case 1:
        return (UINT64_C(1) << below(64)) + n;
    case 2:
        return (UINT64_C(1) << below(64)) - n;
    case 3:
        return random_bits();
    default:
        return n;
    }
}

struct progress {
    volatile uint64_t seed, runs;
};

static UNUSED bool failed_run; /* set by runs: what is wrong has been printed */

static UNUSED void wrong(const char *what, long value) {
    printf("%s (%ld)\n", what, value);
    failed_run = true;
}

/* Waits for the child, and ends it where one run takes two minutes. */
static UNUSED int watch(pid_t child, struct progress *progress) {
    uint64_t before = 0;
    int status, quiet = 0;
    while (waitpid(child, &status, WNOHANG) == 0) {
        usleep(20000);
        quiet = progress->runs == before ? quiet + 1 : 0;
        before = progress->runs;
        if (quiet > 6000) {
            printf("hangs\n");
            kill(child, SIGABRT);
        }
    }
    return status;
}

/* `count` runs by default; `setup` once before them, `finish` after them; both may be NULL. */
static UNUSED int session(int argc, char **argv, unsigned long count, void (*setup)(void), void (*run)(void),
                          void (*finish)(void)) {
    const char *texts[] = {argc > 1 ? argv[1] : getenv("FUZZ_COUNT"),
                           argc > 2 ? argv[2] : getenv("FUZZ_SEED")};
    uint64_t first = texts[1] ? strtoull(texts[1], NULL, 10) : 1;
    struct progress *progress =
        mmap(NULL, sizeof *progress, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    count = texts[0] ? strtoul(texts[0], NULL, 10) : count;
    fflush(stdout);
    pid_t child = getenv("FUZZ_IN_PROCESS") ? 0 : fork();
    if (!child) {
        if (setup)
            setup();
        for (uint64_t seed = first; seed < first + count && !failed_run; seed++) {
            random_state = seed * 0x2545f4914f6cdd1d;
            progress->seed = seed;
            run();
            progress->runs += !failed_run;
        }
        if (finish && !failed_run)
            finish();
        fflush(stdout);
        exit(failed_run);
    }
    int status = child < 0 ? -1 : watch(child, progress);
    if (status) {
        printf("%s 1 %llu: ", argv[0], (unsigned long long)progress->seed);
        if (WIFSIGNALED(status))
            printf("signal %d\n", WTERMSIG(status));
        else
            printf("exit code %d\n", WEXITSTATUS(status));
    }
    printf("%llu runs, seeds from %llu\n", (unsigned long long)progress->runs, (unsigned long long)first);
    return status != 0;
}

#endif
