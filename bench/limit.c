/* limit.c: what the hardware could do: the choice among hand-written functions. */
#include "bench.h"

#include <string.h>

/* ---- threads --------------------------------------------------------------------------------------------- */

struct share {
    struct run *run;
    void (*body)(struct run *, size_t);
};

static void do_group(void *argument, size_t group) {
    const struct share *share = argument;
    share->body(share->run, group);
}

void limit_groups(struct run *run, size_t groups, void (*body)(struct run *, size_t)) {
    struct share share = {run, body};
    if (!machine_groups(&share, groups, do_group))
        run_end(ERROR, "cannot create a thread");
}

/* ---- the limits ------------------------------------------------------------------------------------------ */

static void (*work)(struct run *);

bool limit_has(enum mode mode) {
    return mode == AVX512 ? machine_has_avx512() : machine_has_avx2();
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
