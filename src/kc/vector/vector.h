/* vector.h: what vector_region.c (control flow of a pack), widen.c (instructions) and memory_access.c (memory) share. */
#ifndef WEIR_KC_VECTOR_H
#define WEIR_KC_VECTOR_H

#include "wg.h"

/* A value of the region as a pack has it. */
enum form {
    FORM_UNIFORM, /* scalar: the same for all lanes */
    FORM_AFFINE,  /* scalar of lane 0, plus stride per lane; lane 0 needn't be active */
    FORM_ROWS,    /* of a pack of several rows: such a scalar for each, plus stride per lane of the row */
    FORM_VECTOR,  /* a vector of W elements */
    FORM_LANES,   /* W values of a type that can't be an element */
    FORM_PARTS,   /* OpenCL vectors: for each of their elements a vector of W */
};
struct wide {
    enum form form;
    LLVMValueRef value; /* scalar or vector */
    int64_t stride;
    LLVMValueRef *lanes; /* or parts, or each row's scalar */
    unsigned n;          /* parts */
    LLVMValueRef first;  /* of a vector or rows: lane 0's value, which needn't be on, */
    const int64_t *at;   /* and what to add to it for each lane's, where that is known; else NULL */
    LLVMValueRef any;    /* of a compare in a block that all lanes run, or NULL: i1, true for some lane, */
    LLVMValueRef all;    /* true for all */
};

/* A region on its way into vector form. */
struct vec {
    struct wg *wg;
    struct region *r;
    struct linear *l;
    struct kernel *k;
    LLVMContextRef llvm;
    LLVMBuilderRef b;
    unsigned width;
    bool in_row; /* only row number at_row of the pack is looked at (rows.c) */
    unsigned at_row;
    bool apart;               /* only lanes that wait for the region run it */
    LLVMValueRef row;         /* the pack's lanes; NULL: all */
    LLVMValueRef all_base;    /* those that run the region; NULL: all */
    LLVMValueRef base;        /* the same, in a loop that lanes go around together those that came to it */
    unsigned loop;            /* that loop: a span, or NONE */
    LLVMValueRef *loop_base;  /* by such a span: v->base in it */
    LLVMBasicBlockRef *body;  /* by header of such a loop: where its rounds begin */
    LLVMValueRef awake;       /* lanes that go on in later rounds, in code for those (yield.c) */
    LLVMValueRef mask;        /* lanes that run the current block; NULL: all */
    LLVMValueRef stored_mask; /* of a divergent block: the same as variables keep it (vector_region.c) */
    unsigned node;            /* of the current block */
    LLVMValueRef source;      /* the last load or store that was made wider, or is being */
    LLVMValueRef nowhere;     /* a variable that lanes which are off may access, or NULL yet */
    struct ptrmap values;     /* original value -> struct wide */
    struct ptrmap woven; /* first part of an OpenCL vector -> the blocks of memory that it was in (weave.c) */
    struct list lane_variables; /* of lane_loop.c */
    bool knows_accesses;        /* the next one is there */
    struct ptrmap accesses;     /* slot -> struct list of the region's accesses to it (vector_slots.c) */
    LLVMValueRef *pending;      /* by divergent node: mask variable of the lanes that wait to run it */
    LLVMBasicBlockRef *label;   /* by node: where it begins */
    LLVMBasicBlockRef *run;     /* by divergent node: where it goes on if lanes wait for it, or NULL */
    LLVMBasicBlockRef *full;    /* by divergent node: its version for when all lanes are on, or NULL */
    LLVMValueRef *any,
        *all;            /* by divergent node: that some or all lanes wait for it, where known; else NULL */
    LLVMValueRef *maybe; /* the same: else none waits */
};

/* region_ends.c */
void ends_begin(struct vec *, LLVMValueRef *snapshots);
/* Which lanes run the region by their states, given as *states; where none does, the pack is done. */
LLVMValueRef ends_guard(struct vec *, LLVMValueRef *states);
void ends_resume(struct vec *, LLVMValueRef states);
void ends_save_state(struct vec *, LLVMValueRef state);
void ends_leave(struct vec *, unsigned to); /* the lanes of v->mask */

/* vec.c */
struct vec *
vec_new(struct wg *,
        struct region *); /* for code of the region, at the builder's place, that runs for all lanes */
LLVMTypeRef vec_type(struct vec *, LLVMTypeRef element);
bool vec_fits(LLVMTypeRef);                             /* may be a vector's element */
LLVMValueRef vec_bits(struct vec *, LLVMValueRef mask); /* an integer */
LLVMValueRef vec_any(struct vec *, LLVMValueRef mask);  /* i1: some lane is on */
LLVMValueRef vec_all(struct vec *, LLVMValueRef mask);  /* i1: all lanes are on */
LLVMValueRef vec_full(struct vec *, LLVMValueRef mask); /* the mask, or all lanes for NULL */
LLVMValueRef vec_and(struct vec *, LLVMValueRef mask, LLVMValueRef more); /* either may be NULL */
/* What may be branched on, of the index of an access that the lanes that are on make; others may hold poison. */
LLVMValueRef vec_defined(struct vec *, LLVMValueRef index);
LLVMValueRef vec_first(struct vec *, LLVMValueRef mask); /* i32: the first lane that is on; 0: none is */
LLVMValueRef vec_last(struct vec *, LLVMValueRef mask);
/* n elements: i is element order[i] of x and y (NULL: poison) one after the other. */
LLVMValueRef vec_shuffle(struct vec *, LLVMValueRef x, LLVMValueRef y, const unsigned *order, unsigned n);
/* n elements of `x` (NULL: NULL) from `first` on; those beyond its end are any. */
LLVMValueRef vec_some(struct vec *, LLVMValueRef x, unsigned first, unsigned n);
/* Every `step`-th element of `x`, from `first` on; step 0: the first one in all lanes. */
LLVMValueRef vec_every(struct vec *, LLVMValueRef x, unsigned first, unsigned step);
LLVMValueRef vec_variable(struct vec *, LLVMTypeRef, const char *name); /* on the stack, for the whole run */
LLVMValueRef vec_intrinsic(struct vec *, const char *name, LLVMTypeRef *overloads, unsigned noverloads,
                           LLVMValueRef *args, unsigned nargs);

/* block_versions.c */
bool block_needs_branch(struct vec *, LLVMBasicBlockRef, unsigned node);
bool block_gains_from_full(struct vec *, LLVMBasicBlockRef);

/* vector_slots.c */
LLVMTypeRef vslot_mask_type(struct vec *); /* how variables keep a mask */
LLVMValueRef vslot_of_mask(struct vec *, LLVMValueRef mask);
LLVMValueRef vslot_to_mask(struct vec *, LLVMValueRef kept);
LLVMValueRef vslot_full(struct vec *, LLVMValueRef kept); /* the same, or all lanes for NULL */
LLVMValueRef vslot_pending(struct vec *, unsigned node);  /* who waits at the divergent node */
bool vslot_is_scalar(const struct slot *);                /* one variable for the pack */
LLVMValueRef vslot_variable(struct vec *, struct slot *); /* that holds the slot's value for the pack */
struct wide *vslot_read(struct vec *, struct slot *);
void vslot_write(struct vec *, struct slot *, const struct wide *); /* for lanes of v->mask */
void vslot_save(struct vec *, struct slot *);                       /* in the context, for lanes of v->mask */
void vslot_restore(struct vec *, struct slot *);                    /* from there, for lanes of v->base */
/* Of the lanes of a mask, the first and those that come to the region with the same in what a pack shares. */
LLVMValueRef vslot_agree(struct vec *, LLVMValueRef mask);
void vslot_place(struct vec *, struct slot *); /* an array gets its address */

/* condition.c: a condition's parts, all of which hold where it does (or of its opposite, where it doesn't). */
struct condition {
    LLVMValueRef shared;   /* i1: parts that are the same for all lanes; NULL: there are none */
    LLVMValueRef lanes;    /* a mask: the others; NULL: there are none */
    LLVMValueRef any, all; /* i1: what is known of `lanes`, as in struct wide */
    LLVMValueRef maybe;    /* i1: only if this is true some lane is on; or NULL */
};
void condition_find(struct vec *, LLVMValueRef, bool holds, struct condition *);

/* compare.c */

/* Sets whether an integer compare holds for some lane, and for all, as scalars, where two lanes tell that. */
void compare_bounds(struct vec *, LLVMValueRef compare, struct wide *result);
/* Places of a row where compares hold together, bounds that all packs share: from `begin` on and before `end` they surely do,
 * before `first` and from `past` on they don't. All NULL: all places. */
struct range {
    LLVMValueRef begin, end, first, past; /* i64 */
};
/* Takes one more compare into account, in a block that all lanes run, or its opposite. False: it is none of an even ascent. */
bool compare_narrows(struct vec *, LLVMValueRef compare, bool holds, bool may_be_poison, struct range *);
/* Whether all lanes of the pack are within; whether some may be. */
void compare_ranges(struct vec *, const struct range *, LLVMValueRef *all, LLVMValueRef *maybe);
/* A compare of 64 bits as one of 32, or NULL. */
LLVMValueRef compare_steps(struct vec *, LLVMValueRef compare);

/* widen.c */
struct wide *wide_of(struct vec *, LLVMValueRef original);
struct wide *wide_new(enum form, LLVMValueRef, int64_t stride);
LLVMValueRef wide_vector(struct vec *, const struct wide *, LLVMTypeRef element);
LLVMValueRef wide_splat(struct vec *, LLVMValueRef scalar);
LLVMValueRef wide_ramp(struct vec *, LLVMTypeRef element, int64_t stride); /* <0, stride, 2 * stride, ...> */
LLVMValueRef wide_lane(struct vec *, const struct wide *, unsigned lane);  /* scalar of one lane */
/* Whether the address points into an interleaved private array. */
bool wide_is_interleaved(struct vec *, LLVMValueRef address);
struct wide *wide_parts(LLVMValueRef *parts, unsigned n);
/* The parts of a value of an OpenCL vector type, whatever its form. */
LLVMValueRef *wide_to_parts(struct vec *, const struct wide *, LLVMTypeRef vector);
void wide_set(struct vec *, LLVMValueRef original, struct wide *);
void widen_instruction(struct vec *, LLVMValueRef);
/* Runs the instruction once per lane; with `ordered`, only for lanes that are on, each after a branch. */
void widen_by_lane(struct vec *, LLVMValueRef, bool ordered);

/* weave.c: one vector with n parts of each lane side by side, from the parts and to them. */
LLVMValueRef weave(struct vec *, LLVMValueRef *parts, unsigned n);
void weave_apart(struct vec *, LLVMValueRef all, LLVMValueRef *parts, unsigned n);
/* The same for memory in blocks of WEAVE_BLOCK bytes: whether these parts take fewer shuffles so. */
enum { WEAVE_BLOCK = 16 };
bool weave_has_blocks(struct vec *, LLVMTypeRef element, unsigned n);
void weave_blocks_apart(struct vec *, LLVMValueRef *blocks, LLVMTypeRef element, LLVMValueRef *parts,
                        unsigned n);
void weave_to_blocks(struct vec *, LLVMValueRef *parts, LLVMTypeRef element, unsigned n,
                     LLVMValueRef *blocks);
/* n vectors of so many elements one after the other; changes the list. */
LLVMValueRef weave_joined(struct vec *, LLVMValueRef *vectors, unsigned n, unsigned length);
/* n vectors as squares of n x n elements beside each other, each of which is transposed; n is a power of two. */
void weave_squares(struct vec *, LLVMValueRef *rows, unsigned n);
/* From or to an OpenCL vector. False: it is nothing that is put together so. */
bool weave_bitcast(struct vec *, LLVMValueRef bitcast);

/* rows.c: packs of several rows */

struct wide *rows_part(struct vec *, const struct wide *); /* what the row that is looked at has of it */
LLVMValueRef rows_vector(struct vec *, const struct wide *, LLVMTypeRef element);
LLVMValueRef rows_lane(struct vec *, const struct wide *, unsigned lane);
/* A value that is affine in each row, of operands that are: `scalar_of` gives lane 0's of a row. False: it is none. */
bool rows_widen(struct vec *, LLVMValueRef, LLVMValueRef scalar_of(struct vec *, LLVMValueRef, bool varies));
struct wide *rows_read(struct vec *, struct slot *); /* a slot that is of_rows */
void rows_write(struct vec *, struct slot *, const struct wide *, bool blends);
void rows_restore(struct vec *, struct slot *, LLVMValueRef at);

/* lane_loop.c: the same in a loop, for an atomic or a call whose result nobody uses. False: it has no such form. */
bool lane_loop_widen(struct vec *, LLVMValueRef);
/* Of an address or a number made wider, the one operand that isn't the same in all lanes; NULL: it is no such thing, or
 * has several. */
LLVMValueRef lane_loop_source(struct vec *, LLVMValueRef);

/* division.c: an integer division or remainder as a vector. */
LLVMValueRef division_widen(struct vec *, LLVMValueRef division);

/* subgroup_ops.c */
void subgroup_widen(struct vec *, LLVMValueRef call);
/* A vector's elements in the lanes that are on joined by an operation (add, and, or, xor, smin, ...): a scalar. */
LLVMValueRef subgroup_total(struct vec *, const char *operation, LLVMValueRef);
LLVMValueRef subgroup_identity(const char *operation,
                               LLVMTypeRef); /* joined with it a number stays the same */
LLVMValueRef subgroup_joined(struct vec *, const char *operation, LLVMValueRef, LLVMValueRef);
/* In each lane what `first` and the elements of the lanes before it that are on give: a vector. */
LLVMValueRef subgroup_after_lanes_before(struct vec *, const char *operation, LLVMValueRef,
                                         LLVMValueRef first);
/* In each lane the element of the last lane before it that is on, or `first`: a vector. */
LLVMValueRef subgroup_of_lane_before(struct vec *, LLVMValueRef, LLVMValueRef first);

/* lane_totals.c: joins x, which has the identity in lanes that are off, for a call of __weir_sub_total_* whose total goes to `at`.
 * False: its total isn't kept by lane. */
bool totals_join(struct vec *, LLVMValueRef call, LLVMValueRef x, LLVMValueRef at);

/* joined_atomics.c: an atomic at one place for all lanes as one. False: it has to be done lane by lane. */
bool joined_atomic_widen(struct vec *, LLVMValueRef atomic);

/* checks.c */
struct checked {                 /* a pack's access as the checker sees it */
    LLVMValueRef at;             /* i64: lane 0's address, which needn't be on */
    LLVMValueRef lanes;          /* or all lanes' addresses, if they may be a row; NULL: they surely aren't */
    bool is_beside;              /* it may be decided beside the access */
    uint64_t site, bytes, align; /* bytes: of each lane */
    bool is_one, is_row;         /* all lanes access one place; lane i what lies i times `bytes` behind */
    bool is_local;               /* by a pointer to local memory */
    bool is_known;               /* the site accesses one object, always */
    bool writes, updates, subgroups; /* WEIR_CHECK_* */
    bool marks;                      /* nothing can race with it: it is only entered */
};
void checks_widen(struct vec *, LLVMValueRef call);
LLVMValueRef checks_item(struct wg *); /* i32: lane 0's linear id */
LLVMValueRef checks_object_field(struct wg *, const struct checked *, size_t field); /* i64: of weir_object */

/* check_row.c */
bool check_row_is_usual(struct vec *, const struct checked *); /* it may be what check_row decides */
/* Decides the usual case and goes to `after`, else to `ask`, where the builder is put. */
void check_row(struct vec *, const struct checked *, LLVMBasicBlockRef ask, LLVMBasicBlockRef after);

/* memory_access.c */

/* What a pack reads or writes: per lane `n` elements one after the other. */
struct access {
    LLVMValueRef instruction;
    LLVMValueRef at; /* the address, as the work-item has it */
    LLVMTypeRef type;
    unsigned n;
    int64_t size; /* bytes of one element */
    unsigned align;
    enum memory_kind kind;
};

bool access_is_own(
    enum memory_kind); /* memory of this thread alone: lanes that are off may read, and write back */
bool access_has_short_form(struct vec *, const struct access *, int64_t stride, bool writes);

void access_load(struct vec *, LLVMValueRef load);
void access_store(struct vec *, LLVMValueRef store);
/* Contiguous load and store of W elements at a scalar address under a mask (NULL: all lanes). */
LLVMValueRef access_read(struct vec *, LLVMTypeRef element, LLVMValueRef at, unsigned align,
                         LLVMValueRef mask, enum memory_kind);
/* Whether the processor has masked loads of such elements. */
bool access_has_masks(const struct vec *, const struct access *);
LLVMValueRef access_read_row(struct vec *, const struct access *, LLVMValueRef at, LLVMValueRef mask);
void access_write(struct vec *, LLVMValueRef value, LLVMValueRef at, unsigned align, LLVMValueRef mask,
                  enum memory_kind);

/* Part i's alignment. */
unsigned access_part_align(const struct access *, unsigned i);
/* Says which memory it is. */
void access_annotate(struct vec *, LLVMValueRef access, enum memory_kind);
/* The same load of any vector. */
LLVMValueRef access_read_some(struct vec *, LLVMTypeRef vector, LLVMValueRef at, unsigned align,
                              LLVMValueRef mask, enum memory_kind);

/* by_lane.c */

/* One instruction for each element. */
void by_lane_elements(struct vec *, const struct access *, const struct wide *address, LLVMValueRef *parts,
                      bool writes);
/* Whether that is better than a gather or scatter. */
bool by_lane_is_better(struct vec *, const struct access *, const struct wide *address, bool writes);
/* OpenCL vectors in pieces of 16 bytes; whether they have some. */
void by_lane_pieces(struct vec *, const struct access *, const struct wide *address, LLVMValueRef *parts,
                    bool writes);
bool by_lane_has_pieces(struct vec *, const struct access *);

/* rows.c */

/* Whether each row of the pack is accessed by itself. */
bool rows_may(struct vec *, const struct access *, const struct wide *address, bool writes);
/* `access`: that of one row, at an address as it has it. */
void rows_access(struct vec *, const struct access *, const struct wide *address, LLVMValueRef *parts,
                 bool writes,
                 void access(struct vec *, const struct access *, const struct wide *, LLVMValueRef *, bool));
/* A load of numbers or addresses that each row shares, as `copy_at` makes it at one address. False: it is none. */
bool rows_load(struct vec *, LLVMValueRef load, const struct wide *address,
               LLVMValueRef copy_at(struct vec *, LLVMValueRef, LLVMValueRef));

/* shape.c */

enum shape {
    SHAPE_ONE, /* element for all lanes */
    SHAPE_ROW,
    SHAPE_PIECES, /* a few rows, known which: short vectors */
    SHAPE_NEAR,   /* known to lie within a few vectors: shuffles */
    SHAPE_LOOKED, /* code looks whether they are rows */
    SHAPE_APART,  /* by a constant */
    SHAPE_REMOTE, /* each in another line of the cache */
    SHAPE_LANES,  /* by data: gathered or scattered */
};
enum shape shape_of(const struct wg *, LLVMValueRef access, int64_t bytes);
/* In how many rows of the same length elements lie whose distances are known. */
unsigned shape_pieces(const struct wg *, LLVMValueRef at, int64_t bytes);
/* Whether what lanes have comes from memory, or from loops that they leave at different times. */
bool shape_is_of_data(const struct wg *, LLVMValueRef, unsigned depth);

/* counters.c: whether the load or store will be part of one. */
bool counters_are(const struct wg *, LLVMValueRef access);

/* offsets.c */

/* From lane 0's address to this lane's, in bytes: of an address whose lanes are constants apart. */
int64_t offsets_of_lane(const struct wide *address, unsigned lane);
/* Whether the elements' distances are known, and no gather or scatter is as good. */
bool offsets_may(struct vec *, const struct access *, const struct wide *address, bool writes);
/* False: they aren't. */
bool offsets_access(struct vec *, const struct access *, const struct wide *address, LLVMValueRef *part,
                    bool writes);

/* quotient_rows.c: in rows that a division by a constant ends. False: it isn't. */
bool quotient_rows_access(struct vec *, const struct access *, LLVMValueRef *part, bool writes);

/* tables.c */

/* Whether the load is of a table of constants, of elements of that size, that fits in registers. */
bool table_is(const struct wg *, LLVMValueRef load, int64_t size);
/* Reads it there. False: it is none. */
bool table_read(struct vec *, const struct access *, LLVMValueRef *parts);

/* congruence.c: of an index */

/* Whether lanes that are all on surely don't access a row. */
bool congruence_is_no_row(const struct wg *, LLVMValueRef index);
/* Whether they may access places less than `places` apart. */
bool congruence_may_be_within(const struct wg *, LLVMValueRef index, uint64_t places);

/* contiguity.c */

/* Whether the address comes from what each lane has read from memory: then nobody looks for rows. */
bool contiguity_is_of_memory(const struct wg *, LLVMValueRef address);
/* Where each lane's element lies in the row that all lanes together access, which begins at *start; NULL: the indices
 * aren't constant, or aren't a row in another order. */
unsigned *contiguity_order(struct vec *, const struct access *, LLVMValueRef *start);
/* i1: the active lanes access one element; where it lies. NULL: not worth looking. */
LLVMValueRef contiguity_one_place(struct vec *, const struct access *, LLVMValueRef *place);
/* The one index of an access that differs between lanes, if that is worth a look at run time. */
struct index {
    LLVMValueRef value, extended; /* before it is extended, and after */
    bool is_signed;               /* the extension */
    uint64_t bytes;               /* from one element to the next */
    LLVMValueRef ahead;           /* bytes that all lanes' addresses have been moved on by; or NULL */
    bool bends;                   /* lanes may be on either side of a point where it goes on elsewhere */
    bool is_limited;              /* that, or of one where it stays at a limit */
    bool is_no_row;               /* nor are there two: it isn't worth looking */
};
bool contiguity_index(struct vec *, const struct access *, struct index *);
/* The same also where it isn't. It has no `bends` then. */
bool contiguity_single_index(struct vec *, const struct access *, struct index *);
/* The address of the element with this number, or of one for each lane. */
LLVMValueRef contiguity_address(struct vec *, const struct access *, const struct index *,
                                LLVMValueRef number);
/* i1: the active lanes access elements in a row, or a few apart, whose first is *row; a constant: surely. NULL: not worth
 * looking. */
LLVMValueRef contiguity_one_row(struct vec *, const struct access *, const struct index *, struct wide *row,
                                bool writes);
/* i1: they access two rows; those of `mask` the first, the others the second. NULL: not worth looking. */
struct rows {
    struct wide row[2];
    LLVMValueRef mask[2];
};
LLVMValueRef contiguity_two_rows(struct vec *, const struct access *, const struct index *, struct rows *);

/* i1: the active lanes' elements lie in a window (window.c). NULL: not worth looking. */
struct window {
    LLVMValueRef address; /* where it begins */
    LLVMValueRef places;  /* of each lane's element in it: a vector of i32 below 2 * W */
};
LLVMValueRef contiguity_window(struct vec *, const struct access *, const struct index *, struct window *,
                               bool writes);
/* The pack's addresses once more, for where looking has found nothing: so that they aren't computed elsewhere. */
LLVMValueRef contiguity_addresses(struct vec *, const struct access *, const struct index *);

/* window.c */

bool window_may_be(struct vec *, const struct access *, bool writes);
/* Of a vector of integers, i1: those of the active lanes lie in a window, whose first number is *first. Gives the places. */
LLVMValueRef window_find(struct vec *, LLVMValueRef numbers, bool writes, LLVMValueRef *first,
                         struct window *);
LLVMValueRef window_read(struct vec *, const struct access *, const struct window *);
void window_write(struct vec *, const struct access *, const struct window *, LLVMValueRef value);

#endif
