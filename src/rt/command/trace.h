/* trace.h: between trace.c, which collects records, and trace_file.c, which writes them. */
#ifndef WEIR_TRACE_H
#define WEIR_TRACE_H

#include "rt.h"

struct trace_chunk { /* of one thread; pages of zeros */
    struct trace_chunk *next;
    uint64_t generation;
    uint32_t thread;
    _Atomic uint32_t
        used; /* release: what is before it is filled in, but for commands, which say so themselves */
    char bytes[(64 << 10) - 32];
};
struct trace_end {
    const struct trace_chunk *chunks;
    uint64_t start_ns, start_ticks, end_ns, end_ticks; /* two points of a line */
    uint64_t ids, dropped;                             /* ids: the last command's */
};
void trace_write(const struct trace_end *);

#endif
