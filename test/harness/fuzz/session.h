/* session.h: what all fuzzers share: numbers from the environment, random numbers by seed, and child processes that may end
 * badly.
 *
 * Usage of each fuzzer of the API: NAME [COUNT [SEED]], or FUZZ_COUNT and FUZZ_SEED; COUNT runs with the seeds SEED, SEED +
 * 1, ... A child does them all, for a crash needs a process of its own and fork between runs would hide what they leave
 * behind. What ends it, or hangs, is reported with the seed that repeats it. With FUZZ_IN_PROCESS set there is no child,
 * for debuggers.
 */
#ifndef WEIR_FUZZ_SESSION_H
#define WEIR_FUZZ_SESSION_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* The environment's number of this name. */
unsigned long number_from(const char *name, unsigned long otherwise);
/* FUZZ_COUNT, else `all`, or `quick` where WEIR_TEST_QUICK asks for a short test. */
unsigned long runs_asked(unsigned long all, unsigned long quick);

/* ---- random numbers ---- */

extern uint64_t random_state;
uint64_t random_bits(void);
uint32_t below(uint32_t n); /* n isn't 0 */
bool one_in(uint32_t n);
uint64_t odd_number(void); /* at which checks of sizes go wrong */

/* ---- child processes ---- */

/* Shared with children. Who changes none of it for five minutes hangs. */
struct progress {
    volatile uint64_t seed; /* that runs */
    volatile uint64_t runs; /* done */
    _Atomic uint64_t beats;
    volatile uint64_t count[4]; /* a fuzzer's own */
};
extern struct progress *progress;

/* Runs it in a process of its own, or in this one with FUZZ_IN_PROCESS. Returns its exit code, or minus the signal that
 * ended it. SIGTERM, by which `timeout` ends a fuzzer, ends the child, and no other begins: that is no failure. */
int child_run(int (*run)(void *), void *arg);
unsigned child_number(void); /* how many children there have been, this one included */

/* ---- fuzzers of the API ---- */

extern bool failed_run; /* set by runs: what is wrong has been printed */
void wrong(const char *what, long value);

/* `count` runs by default; `setup` once before them, `finish` after them; both may be NULL. Returns main's exit code. */
int session(int argc, char **argv, unsigned long count, void (*setup)(void), void (*run)(void),
            void (*finish)(void));

#endif
