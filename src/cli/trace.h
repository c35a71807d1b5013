/* trace.h: what `weir trace` sums up, for its tables and its page. */
#ifndef WEIR_CLI_TRACE_H
#define WEIR_CLI_TRACE_H

#include "cli.h"

struct kind { /* of commands: those of one name */
    char *name;
    bool is_kernel;
    double *us, total, bytes, items, waited;
    size_t n, cap;
};
struct build {           /* a request to the compiler; times in us */
    char *name, *phases; /* phases: JSON, members of an object */
    double begin, us, thread;
    bool is_cached, is_report; /* is_report: for the page, and none of the program's */
};
struct summary {
    struct kind *kinds; /* in the end by time, descending */
    size_t nkinds;
    struct build *builds;
    size_t nbuilds;
    double span, built, fresh, cached, calls_us, waits_us, busy_us, first, last;
    size_t nwaits, nlaunches, nfailed, nevents;
    double dropped, unended;
    bool crashed; /* by a fault, not by a signal from outside */
    char *oldest; /* of the commands that haven't ended; NULL: there is none */
    double oldest_us;
    char *advice[3]; /* what to do first */
    unsigned nadvice;
};

/* ---- page.c: the page of --html ------------------------------------------------------------------------------ */

struct page *page_new(void);
void page_add(struct page *, const struct json *event); /* of the trace */
/* The page as HTML; `program`: its command line. Measures the machine for a moment. */
void page_write(struct page *, const char *path, const char *program, const struct summary *,
                const struct profile *);

#endif
