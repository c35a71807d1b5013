/* access.h: an access that is looked at, and what access.c and bounds.c share of it. */
#ifndef WEIR_CHECK_ACCESS_H
#define WEIR_CHECK_ACCESS_H

#include "check.h"

struct access {
    struct check_worker *c;
    uint64_t p, bytes;
    uint32_t site, kind, item, how, scope;
    bool writes, atomic, has_value;
    bool subgroups; /* the kernel has barriers of them */
    uint64_t value[2];
};

const char *access_does(const struct access *); /* "writes" */
extern const char access_copy[];                /* whose an access by WHO_ASYNC is, in words */

/* pack.c: one byte of an access, which has the bytes `part` of a word with these cells; all but those are entered. */
void pack_byte(const struct access *, const struct shadow *word, unsigned space, uint64_t part);
/* Of a word that is accessed: what other groups have accessed that its cells don't tell of goes where bytes are looked for. */
void pack_keep_under(struct check_worker *, const struct shadow *word, uint64_t at, unsigned space);

/* changed.c: before a pack stores to one place; what was stored there before by a work-item that then stored another value. */
void changed_keep(struct check_worker *, const uint64_t *lanes, uint64_t mask, uint32_t code, uint32_t bytes,
                  uint32_t item);
const struct changed *changed_at(const struct check_worker *, uint64_t address);

/* spans.c: whether nobody has been at its cells whom nothing orders before; then it is entered there. */
bool span_is_usual(const struct access *, const struct shadow *, unsigned space);

/* blame.c: says of a data-race of the access with the one of the cell which barrier lies between, and what it lacks. */
void blame_barrier(const struct access *, uint64_t cell, unsigned space, struct finding *);

/* bounds.c */
bool bounds_is_private(const struct check_worker *, uint64_t p);
/* Memory that a launch may access and that holds the address, or the next one below. */
const struct check_memory *bounds_memory(const struct check_launch *, uint64_t p);
/* Variables and arguments in local memory that lie side by side, one of which holds the address. False: there is none. */
bool bounds_local(const struct check_worker *, uint64_t p, uint64_t *start, uint64_t *size);
/* Reports an access that lies beyond what it may access, and stops the group. */
void bounds_check(const struct access *);
void bounds_check_alignment(const struct access *);
/* Of a variable in local memory of which the compiler knows the size. */
_Noreturn void bounds_check_extent(struct check_worker *, uint64_t offset, uint64_t bytes, uint32_t site,
                                   uint32_t item);
/* A call through a pointer that is no function's. */
_Noreturn void bounds_check_call(struct check_worker *, uint64_t pointer, uint32_t site, uint32_t item);

#endif
