/* ir.h: what the stages need of the IR and LLVM's C API lacks: containers, helpers, graphs of blocks. */
#ifndef WEIR_KC_IR_H
#define WEIR_KC_IR_H

#include "job.h"

/* ---- ptrmap.c: from pointers (values, blocks, types) to integers ------------------------------------- */

/* Open addressing; grows; job memory, never freed. Zero-initialized is empty. */
struct ptrmap {
    const void **keys;
    uintptr_t *values;
    size_t used, cap;
};
void ptrmap_set(struct ptrmap *, const void *key, uintptr_t value);
bool ptrmap_get(const struct ptrmap *, const void *key, uintptr_t *value);
uintptr_t ptrmap_at(const struct ptrmap *, const void *key, uintptr_t missing); /* `missing` if absent */

/* A growing list of pointers, in job memory. */
struct list {
    void **at;
    size_t n, cap;
};
void list_add(struct list *, void *);

/* ---- ir.c: what LLVM's C API lacks -------------------------------------------------------------------------- */

/* Calls of a declared function by name; NULL if the module has none. */
bool ir_is_call_to(LLVMValueRef instruction, const char *name);
bool ir_has_barrier(LLVMBasicBlockRef);
/* Direct callee of a call, or NULL (also for inline asm and pointers). */
LLVMValueRef ir_callee(LLVMValueRef call);
/* Whether the module has so many instructions that what takes time for each of them, again and again, is worth a detour; or
 * that what takes time for two of them at a time never ends. */
bool ir_is_long(LLVMModuleRef), ir_is_huge(LLVMModuleRef);
bool ir_is_intrinsic(LLVMValueRef call, const char *prefix); /* e.g. "llvm.lifetime." */
bool ir_is_marker(LLVMValueRef call);                        /* LLVM's notes, which are no code */
LLVMValueRef ir_address(LLVMValueRef);     /* that it reads or writes, atomically or not; or NULL */
LLVMTypeRef ir_access_type(LLVMValueRef);  /* of what a load or a store moves */
bool ir_is_plain(LLVMValueRef);            /* a load or store, neither volatile nor atomic */
bool ir_is_action(LLVMValueRef);           /* a call with effects, a fence, an atomic operation */
bool ir_may_write(LLVMValueRef);           /* or order what others write, as volatile loads do */
unsigned ir_length(LLVMBasicBlockRef);     /* its instructions */
unsigned ir_function_length(LLVMValueRef); /* all blocks' */
/* The block that alone leads here, by one way; or NULL. */
LLVMBasicBlockRef ir_only_predecessor(LLVMBasicBlockRef);
bool ir_is_index(LLVMValueRef);                 /* an address, or an integer of 8 to 64 bits */
LLVMIntPredicate ir_swapped(LLVMIntPredicate);  /* x p y is y p' x */
LLVMIntPredicate ir_opposite(LLVMIntPredicate); /* holds where it doesn't */
bool ir_is_division(LLVMValueRef);              /* of integers: quotient or remainder */
bool ir_divides(LLVMValueRef function);         /* a number by one that isn't constant */
/* Takes back what the instruction promises of its result (nsw, exact, ...): for one that runs where the program wouldn't. */
void ir_drop_flags(LLVMValueRef);
bool ir_is_limit(LLVMValueRef); /* the least or the greatest of two integers */
/* The first instruction from this one on that is no PHI. */
LLVMValueRef ir_after_phis(LLVMValueRef from);
/* What the PHI is behind that block, or NULL; the constant c if next is v + c, else NULL. */
LLVMValueRef ir_incoming(LLVMValueRef phi, LLVMBasicBlockRef from);
LLVMValueRef ir_counts_by(LLVMValueRef next, LLVMValueRef v);
LLVMValueRef ir_unextended(LLVMValueRef);    /* what it was before it got more bits */
bool ir_is_address_arithmetic(LLVMValueRef); /* an operation that never traps, of integers and addresses */
bool ir_has_no_effect(LLVMValueRef call);    /* memory(none): depends on its arguments alone */
/* The block's instructions from `first` on move to a new block after it, with the terminator: the old block
 * ends without one. Successors' PHIs are repaired. */
LLVMBasicBlockRef ir_split_before(LLVMValueRef first, const char *name);
/* What leads from the end of a block to `from` leads to `to`. */
void ir_lead(LLVMValueRef end, LLVMBasicBlockRef from, LLVMBasicBlockRef to);
void ir_come_from(LLVMBasicBlockRef, LLVMBasicBlockRef old, LLVMBasicBlockRef new); /* what its PHIs name */
LLVMBasicBlockRef ir_block(LLVMValueRef function, const char *name);                /* a new one at its end */
/* Builder positioned before the instruction, or at the end of a block; dispose with LLVMDisposeBuilder. */
LLVMBuilderRef ir_before(LLVMValueRef instruction);
LLVMBuilderRef ir_at_end(LLVMBasicBlockRef);
LLVMBuilderRef ir_at_entry(LLVMValueRef function); /* after the allocas of the entry block */
enum { DWARF_DEREF = 6 };                          /* the step of debug information that follows a pointer */
/* The pointer that `p` is some bytes behind, maybe in another address space. */
LLVMValueRef ir_strip_offsets(LLVMValueRef p);
/* base + bytes as a pointer of base's type. */
LLVMValueRef ir_offset(LLVMBuilderRef, LLVMValueRef base, LLVMValueRef bytes, const char *name);
/* A number of things of `size` bytes, or a vector of such, in bytes of 64 bits; it is signed. */
LLVMValueRef ir_bytes_of(LLVMBuilderRef, LLVMValueRef number, uint64_t size);
/* A getelementptr as a sum of index * bytes; a struct's field is a step without an index. Returns how many
 * steps; 0 if there are more than GEP_STEPS. */
struct gep_step {
    LLVMValueRef index; /* NULL: `bytes` alone */
    uint64_t bytes;
};
enum { GEP_STEPS = 32 };
/* Whether it is such an instruction, or an expression of constants. */
bool ir_is_op(LLVMValueRef, LLVMOpcode);
unsigned ir_gep_steps(LLVMTargetDataRef, LLVMValueRef gep, struct gep_step steps[GEP_STEPS]);
uint64_t ir_align_up(uint64_t n, uint64_t align);
/* Of a program-scope or local variable, in bytes; `least` at least. */
uint32_t ir_variable_align(LLVMTargetDataRef, LLVMValueRef variable, uint32_t least);
/* Whether the block calls a function that has stayed one: what is common is inlined. */
bool ir_calls_function(LLVMBasicBlockRef);
void ir_attribute(LLVMContextRef, LLVMValueRef function, const char *name,
                  uint64_t value); /* enum attribute */
void ir_remove_attribute(LLVMValueRef function, unsigned index, const char *name);
/* Those of the result (0), a parameter (1 ...) or the whole; of functions and of calls. */
void ir_copy_attributes(LLVMValueRef from, LLVMValueRef to, unsigned index);

/* ---- values.c: constants, and vectors of values -------------------------------------------------------- */

LLVMValueRef ir_const32(LLVMContextRef, uint32_t);
LLVMValueRef ir_const64(LLVMContextRef, uint64_t);
/* The constant, or a vector type's constant with it in each element. */
LLVMValueRef ir_repeat(LLVMTypeRef, LLVMValueRef element);
LLVMValueRef ir_number(LLVMTypeRef, uint64_t); /* the same of an integer */
/* Calls an LLVM intrinsic by its name without types, which follow from `overloads`. */
LLVMValueRef ir_intrinsic(LLVMBuilderRef, const char *name, LLVMTypeRef *overloads, unsigned noverloads,
                          LLVMValueRef *args, unsigned nargs);
/* A vector of this type with the scalar in each element. */
LLVMValueRef ir_splat(LLVMBuilderRef, LLVMTypeRef, LLVMValueRef scalar);
/* Whether it is a shuffle that puts its first operand's first element everywhere; the scalar that is inserted there for it, or NULL. */
bool ir_is_splat(LLVMValueRef);
LLVMValueRef ir_splat_of(LLVMValueRef);
/* n elements of a vector, from `first` on; poison beyond its end. */
LLVMValueRef ir_piece(LLVMBuilderRef, LLVMValueRef vector, unsigned first, unsigned n);
/* Of vectors of equally many elements, what `one` makes of pieces that are registers: of 4, 8, ... and at most `most`
 * elements. What a piece has beyond the vectors' end is poison. */
LLVMValueRef ir_by_registers(LLVMBuilderRef, LLVMValueRef *vectors, unsigned nvectors, unsigned most,
                             LLVMValueRef (*one)(void *, LLVMValueRef *pieces), void *arg);

/* ---- metadata.c: likely ways, properties of loops, alias scopes ---------------------------------------- */

void ir_expect(LLVMValueRef branch); /* its first way is by far the likely one */
/* Which way of the terminator is a hundred times as likely as its other one; UINT_MAX: none. */
unsigned ir_expected(LLVMValueRef end);
/* A node that is equal to no other, with up to 7 operands, as loops and alias scopes need. */
LLVMMetadataRef ir_distinct(LLVMContextRef, LLVMMetadataRef *operands, size_t n);
/* An access's list of alias scopes, of the kind "alias.scope" or "noalias", gets more of them; all that another access has. */
void ir_add_to_list(LLVMValueRef access, const char *kind, LLVMMetadataRef more);
void ir_add_lists_of(LLVMValueRef access, LLVMValueRef other);
/* A property of a loop: a word, with a number behind it or, as 0, none. */
LLVMMetadataRef ir_loop_property(LLVMContextRef, const char *word, unsigned number);
/* Makes `property` the one of the loop that the branch closes. */
void ir_set_loop_property(LLVMContextRef, LLVMValueRef branch, LLVMMetadataRef property);
/* Gives it one more, if there aren't too many. */
void ir_add_loop_property(LLVMContextRef, LLVMValueRef branch, LLVMMetadataRef property);
/* Whether one of them begins with the name. */
bool ir_has_loop_property(LLVMContextRef, LLVMValueRef branch, const char *name);

/* ---- read.c -------------------------------------------------------------------------------------------- */

LLVMModuleRef ir_read(struct job *, struct blob); /* bitcode or text; fails the job on others */
/* Of bitcode only what one function needs, and all variables: programs may have many kernels. */
LLVMModuleRef ir_read_function(struct job *, struct blob, const char *name);

/* ---- expand_globals.c ---------------------------------------------------------------------------------- */

/* Whether an operand constant refers to a global of the set, through constant expressions or aggregates. */
bool ir_refers(LLVMValueRef constant, const struct ptrmap *globals);
/* Rewrites every operand of the function's instructions that refers to globals of the set: instructions
 * built from `replace(arg, builder, index)` take the place of the global with that map value.
 * False: a constant form that can't be expanded (`*bad`). */
bool ir_expand_globals(LLVMValueRef function, const struct ptrmap *globals,
                       LLVMValueRef (*replace)(void *, LLVMBuilderRef, uintptr_t), void *arg,
                       LLVMValueRef *bad);
LLVMValueRef ir_expand(LLVMBuilderRef, LLVMValueRef constant, const struct ptrmap *globals,
                       LLVMValueRef (*replace)(void *, LLVMBuilderRef, uintptr_t), void *arg,
                       LLVMValueRef *bad);

/* ---- private_memory.c: variables in private memory ---------------------------------------------------------- */

/* The alloca that a private address surely points into, or NULL. */
LLVMValueRef private_base(LLVMValueRef pointer);
/* Whether anything but loads, stores and intrinsics on memory may learn the address. */
bool private_escapes(LLVMValueRef address);
/* Bytes of a private variable, padded to its alignment. */
uint64_t private_size(LLVMTargetDataRef, LLVMValueRef var);
uint64_t private_align(LLVMTargetDataRef,
                       LLVMValueRef var); /* bytes, as the program asks for or its type needs */
/* A type whose values may be a vector's elements as they are in memory. */
bool private_is_element(LLVMTypeRef);

/* ---- globals_layout.c: program-scope variables ---------------------------------------------------------------- */

/* Bytes of the block that holds all program-scope variables of the module (0: none). Variables are laid out
 * in module order; in address space 1, or 4 when their initializer refers to one of those. `offsets` gets
 * each variable's place; `align` and `offsets` may be NULL. */
uint64_t globals_layout(LLVMModuleRef, struct ptrmap *offsets, uint32_t *align);

/* ---- cfg.c: graphs of blocks ---------------------------------------------------------------------------------- */

/* A graph over nodes 0..n-1; node 0 is the entry. */
struct graph {
    unsigned n;
    unsigned *nsucc, **succ;
    unsigned *npred, **pred;
    struct component_search *search; /* graph_components's */
};
/* The function's control flow; *index maps blocks to nodes, *blocks the other way. */
struct graph *cfg_of(LLVMValueRef function, struct ptrmap *index, LLVMBasicBlockRef **blocks);
struct graph *graph_new(unsigned n);
void graph_edge(struct graph *, unsigned from, unsigned to);
/* Strongly connected components of the `n` given nodes (as integers in pointers), in reverse topological order:
 * `starts` has the index in `nodes` of each one's first node. Only edges between nodes with in[node] == set count;
 * all given nodes have it. */
struct components {
    struct list nodes, starts;
};
void graph_components(const struct graph *, const unsigned *in, unsigned set, void **nodes, size_t n,
                      struct components *);
bool graph_has_edge(const struct graph *, unsigned from, unsigned to);
/* Its nodes in reverse post-order, but those that nothing reaches; *reached: how many. */
unsigned *graph_order(const struct graph *, unsigned *reached);
/* Immediate dominators; the entry has itself, nodes that nothing reaches have UINT32_MAX. */
unsigned *graph_idom(const struct graph *);
/* Immediate post-dominators towards a virtual exit, which is node n. Nodes that reach no sink have n. */
unsigned *graph_ipdom(const struct graph *);
/* Its loops, outer ones first, of struct graph_loop. */
struct graph_loop {
    unsigned header;
    struct list nodes;
};
struct list graph_loops(const struct graph *);
unsigned *graph_depths(const struct graph *); /* by node: how many loops it is in */
bool graph_loop_has(const struct graph_loop *, unsigned node);
/* As graph_ipdom, but that those who go around a loop and those who stay in its round meet at its header, or when they have
 * left it: never within a round that only some of them are in. */
unsigned *graph_meets(const struct graph *, const struct list *loops);

/* ---- live.c: where values live -------------------------------------------------------------------------------- */

static inline bool bit_at(const uint64_t *set, unsigned i) {
    return set[i / 64] >> (i % 64) & 1;
}
static inline void bit_add(uint64_t *set, unsigned i) {
    set[i / 64] |= UINT64_C(1) << (i % 64);
}
struct live {
    struct list values;   /* in the order of live_number */
    struct ptrmap number; /* value -> its place in `values` + 1 */
    const struct graph *cfg;
    const struct ptrmap *index;
    uint64_t **out; /* by block: which values live at its end */
};
void live_number(struct live *, LLVMValueRef); /* asks about an instruction's value */
void live_find(struct live *, const struct graph *, const struct ptrmap *index);
/* Whether the value is there before the instruction and needed after it. */
bool live_across(const struct live *, unsigned value, LLVMValueRef instruction);

#endif
