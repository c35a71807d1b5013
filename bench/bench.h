/* bench.h: the rows of the benchmark table, as the measuring process and the one that compares share them. */
#ifndef BENCH_H
#define BENCH_H

#include "host.h"

enum row_kind {
    ROW_JOB,    /* a program of the demo: seconds of one run */
    ROW_INSIDE, /* measured by a function in the running process */
    ROW_COLD,   /* build and first launch in a new process, with an empty cache */
    ROW_CACHED, /* the same, with a cache that has it all */
};
struct row {
    const char *name;
    enum row_kind kind;
    unsigned job, size;               /* ROW_JOB: index of jobs[] and of its sizes */
    double (*measure)(struct host *); /* ROW_INSIDE: seconds of one sample */
};
extern const struct row rows[];
extern const unsigned nrows;

/* Measures one block of samples, a fifth of a second of them or at least one; returns their median. */
double row_block(struct host *, const struct row *);
/* Seconds to build a 20-line kernel from source and to run it once. `nonce` makes the source new. */
double row_build(struct host *, unsigned nonce);

#endif
