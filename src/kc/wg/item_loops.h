/* item_loops.h: loops over the work-items of a group, and facts about memory for LLVM. */
#ifndef WEIR_KC_ITEM_LOOPS_H
#define WEIR_KC_ITEM_LOOPS_H

#include "kernel.h"

/* ---- item_loops.c: loops over the work-items of a group ---------------------------------------------------------- */

/* A loop nest under construction: begin, emit the body at `b`, branch to `latch` from everywhere, end. */
struct item_loops {
    struct kernel *k;
    LLVMBuilderRef b;
    LLVMValueRef size[3];     /* work-items of the group; constants where known */
    LLVMValueRef local_id[3]; /* of the current work-item */
    LLVMValueRef place;       /* its number, if rows were whole packs */
    LLVMBasicBlockRef latch, header[3], step[3];
    struct list bounds[3]; /* variables, i64: beyond all of a dimension's, if any, there is nothing to do */
    LLVMValueRef group;    /* metadata: accesses of this nest, which work-items do independently */
};
/* Sizes of the group, at the builder's position (k->run's entry). */
void item_loops_sizes(struct kernel *, LLVMBuilderRef, struct item_loops *);
LLVMValueRef item_loops_row(struct item_loops *); /* work-items of a row, up to whole packs */
void item_loops_begin(struct item_loops *,
                      const char *name);  /* items in linear order; builder moves into the body */
void item_loops_end(struct item_loops *); /* builder moves after the nest */

/* ---- memory_facts.c: what LLVM may assume ---------------------------------------------------------------------- */

enum memory_kind {
    MEMORY_CONTEXT,
    MEMORY_GLOBAL,
    MEMORY_LOCAL,
    MEMORY_OTHER, /* LLVM is told nothing of it, nor of those after it */
    MEMORY_LANES, /* an interleaved private array */
    MEMORY_KINDS
};
struct memory_facts {
    LLVMValueRef scope[MEMORY_KINDS], noalias[MEMORY_KINDS]; /* metadata */
    unsigned scope_kind, noalias_kind, group_kind;
};
void memory_facts(struct kernel *, struct memory_facts *);
LLVMValueRef memory_group(struct kernel *); /* metadata: a new access group */
/* Tells LLVM what an access can't alias, and that it is independent between work-items (`group`). */
void memory_annotate(const struct memory_facts *, LLVMValueRef access, enum memory_kind, LLVMValueRef group);

#endif
