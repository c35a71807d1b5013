/* report.h: what passes tell about their decisions. */
#ifndef WEIR_KC_REPORT_H
#define WEIR_KC_REPORT_H

#include "kernel.h"

/* ---- report.c: what passes decided, for people ----------------------------------------------------------------- */

/* How a pack reads or writes memory. */
enum access_kind {
    ACCESS_NONE,
    ACCESS_UNIFORM,    /* one scalar access */
    ACCESS_CONTIGUOUS, /* one vector */
    ACCESS_REVERSED,   /* one vector, turned around */
    ACCESS_SHUFFLED,   /* vectors that hold all lanes' elements, and shuffles */
    ACCESS_ROWS,       /* a vector for each of the rows that a pack may be in */
    ACCESS_CHECKED,    /* contiguous if the run finds it so, else scattered */
    ACCESS_STRIDED,    /* gather or scatter of elements that are evenly apart */
    ACCESS_SCATTERED,  /* gather or scatter */
};
/* Without k->report all of these do nothing. Instructions are those of k->run before regions are cut. */
void report_begin(struct kernel *);
/* With what has been said about the width of this one, whose passes begin anew. */
void report_go_on(struct kernel *, const struct kernel *before);
/* k->width has been chosen, or has given way: why, and perhaps because of which instruction (else NULL). */
void report_width(struct kernel *, LLVMValueRef at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void report_value(struct kernel *, LLVMValueRef var, LLVMValueRef value); /* lives in the variable */
/* `stride`: bytes from lane to lane, for ACCESS_STRIDED; `interleaved`: in a private array that is. */
void report_access(struct kernel *, LLVMValueRef load_or_store, enum access_kind, int64_t stride,
                   bool interleaved, bool masked);
/* An instruction that computes something. */
enum instruction_kind {
    INSTRUCTION_VECTOR,  /* for all lanes at once */
    INSTRUCTION_UNIFORM, /* once for the pack */
    INSTRUCTION_SCALAR,  /* width 1; also accesses and calls, of which nothing else is told then */
};
void report_instruction(struct kernel *, LLVMValueRef instruction, enum instruction_kind, bool masked);
void report_joined(struct kernel *, LLVMValueRef atomic, LLVMTypeRef); /* runs once for the pack */
void report_serial(struct kernel *, LLVMValueRef instruction);         /* runs once per lane */
void report_note(struct kernel *, LLVMValueRef at, const char *what,
                 const char *text); /* of static storage */
void report_end(struct kernel *);   /* becomes the answer's report */

#endif
