/* facts.h: the facts of a report, which report.c collects and print.c shows. */
#ifndef WEIR_KC_FACTS_H
#define WEIR_KC_FACTS_H

#include "report.h"
#include "wg.h"

struct place {
    const char *file; /* NULL: unknown */
    unsigned line;
};

enum { UNMASKED = 1, MASKED = 2 }; /* ways that an access was emitted */

/* One row of the table: a loop, an access, an instruction that runs lane by lane, or a note. Other instructions are no rows
 * of it: JSON alone has them, for listings. */
enum section { FACT_LOOP, FACT_ACCESS, FACT_SERIAL, FACT_NOTE, FACT_INSTRUCTION };
enum loop_kind { LOOP_UNIFORM, LOOP_DIVERGENT, LOOP_SCALAR };
struct fact {
    enum section section;
    struct place at;
    const char *what;          /* load, store, or what is serial */
    const char *memory, *type; /* access; type: of a note its text */
    unsigned kind;             /* enum access_kind, loop_kind or instruction_kind */
    int64_t stride;            /* ACCESS_STRIDED: bytes */
    unsigned masks;
    bool interleaved; /* access: to an interleaved private array */
    bool barriers;    /* loop: holds some */
    unsigned count;
    struct fact *next; /* of the same instruction */
};

/* Values of one type and line that live after a barrier, or private arrays. */
struct value {
    struct place at;
    const char *type;
    uint64_t bytes; /* of one, per work-item */
    bool of_group, is_array, interleaved, in_context;
    unsigned count;
};
struct width_choice {
    uint32_t width;
    const char *why;
    struct place at;
};
struct region_facts {
    struct place barrier, parts;
    bool guarded, is_cut; /* is_cut: no barrier of the program, but a cut (kernel_cut) */
    struct list values;   /* struct value */
};
struct report {
    struct place kernel;
    struct list widths, facts, regions, arrays; /* of struct width_choice, fact, region_facts, value */
    struct ptrmap by_instruction;               /* the latest struct fact of each */
    struct ptrmap origin;                       /* demoted value and its variable -> struct place */
    struct ptrmap files;                        /* DIFile -> name */
    struct ptrmap looped;                       /* blocks of loops */
    double float_operations
        [2]; /* of a work-item that takes all ways: outside of loops, and in a round of each */
};

/* print.c */
void print_sort(struct report *); /* facts by place, equal ones joined */
void print_text(struct kernel *, struct buf *);
void print_json(struct kernel *, struct buf *);

#endif
