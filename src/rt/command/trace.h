/* trace.h: between trace.c, which collects records, and trace_file.c, which writes them. */
#ifndef WEIR_TRACE_H
#define WEIR_TRACE_H

#include "rt.h"

struct trace_chunk { /* of one thread; pages of zeros */
    struct trace_chunk *next;
    uint32_t thread;
    _Atomic uint32_t
        used;        /* release: what is before it is filled in, but for commands, which say so themselves */
    bool is_full;    /* its thread has another one */
    bool is_leaving; /* the next part has all that is left of it */
    _Alignas(8) char bytes[(64 << 10) - 24];
};

/* The next record of the chunk; NULL: none. *at: bytes before it. */
static inline struct trace_record *trace_next(struct trace_chunk *c, uint32_t *at) {
    if (*at >= atomic_load_explicit(&c->used, memory_order_acquire))
        return NULL;
    struct trace_record *r = (struct trace_record *)(c->bytes + *at);
    *at += r->size;
    return r;
}
static inline bool trace_is_done(const struct trace_record *r) {
    return r->kind != TRACE_COMMAND ||
           atomic_load_explicit(&((const struct trace_command *)r)->done, memory_order_acquire);
}

/* A part of a trace: what is new in these chunks, which becomes TRACE_WRITTEN. Their threads may be adding to them. The file gets
 * one part after the other. */
struct trace_part {
    struct trace_chunk *const *chunks; /* the oldest first */
    size_t nchunks;
    uint64_t start_ns, start_ticks; /* of the trace */
    uint64_t now_ns, now_ticks;     /* the same moment, after all that is in the part */
    uint64_t dropped;               /* so far */
    bool is_last;
};
void trace_write(const struct trace_part *);
void trace_forget_file(void); /* in a forked child: it writes one of its own */

#endif
