/* kernel.h: struct kernel, one kernel on its way through the passes. */
#ifndef WEIR_KC_KERNEL_H
#define WEIR_KC_KERNEL_H

#include "ir.h"
#include "target.h"

/* One kernel on its way through the passes. Analyses are written here; transforms say what they invalidate. */
struct kernel {
    struct job *job;
    LLVMModuleRef module;
    LLVMContextRef llvm;
    const struct kernel_meta *meta;
    LLVMValueRef entry;     /* the kernel as the program has it; NULL after `inline` */
    LLVMValueRef run;       /* the work-group function, a weir_group_fn, from `enter` on */
    uint32_t local_size[3]; /* specialized for, or 0; by dimensions as they are `turned`, or of `one_row` */
    bool one_row;           /* all work-items of a group are one row for packs (base.h: meta_is_one_row) */
    unsigned turned;        /* the dimension that has changed places with 0 (turn.c), or 0 */
    uint32_t width;         /* work-items per pack */
    uint32_t rows;          /* of the work-group that a pack has width / rows work-items of each; mostly 1 */
    double
        kept_share; /* from `kept-vectors` on: what of its time a work-item alone takes if it keeps its OpenCL vectors */
    bool keeps_vectors; /* work-items run one by one, and keep them: the passes begin anew, with width 1 */
    bool small_ids;     /* from `queries` on: global ids are taken to be below 2^31 */
    bool zero_local; /* from `local` on: a variable in local memory has an initial value, of zeros (SPIR-V) */
    bool any_order;  /* from `regions` on: no work-group waits for another, nor does the checker ask */
    bool optimize;   /* false: -cl-opt-disable */
    bool shown;      /* to debuggers: -g with -cl-opt-disable: variables stay in memory */
    bool progress;   /* of sub-groups, independent of each other; false: -cl-no-subgroup-ifp */
    const struct target *target; /* what the processor is like */
    struct ptrmap globals;       /* program-scope variable -> offset in the block */
    struct list local_variables; /* from `local` on: struct local_variable */
    uint64_t local_bytes, context_fixed, context_per_item, private_bytes; /* for struct weir_kernel */
    uint64_t context_arrays;     /* of context_fixed: large private arrays */
    LLVMValueRef context_scope;  /* alias.scope of accesses to the context */
    bool context_is_small;       /* a variable of the kernel's own: the runtime has nothing to provide */
    bool checked;                /* WEIR_CHECK: accesses and barriers are looked at (lower/instrument.c) */
    struct list sites;           /* checked: struct kernel_site */
    struct list places;          /* checked: struct kernel_place */
    struct list forms;           /* checked: struct weir_form */
    struct ptrmap widened;       /* checked: variable in local memory -> struct widened_variable */
    struct ptrmap numbers;       /* checked: integers that are arguments -> their index */
    const char **argument_types; /* checked: of what they point to; NULL: not known */
    struct ptrmap images;        /* image argument, and its bits -> its index, and IMAGE_IS_CONSTANT */
    struct ptrmap arguments;     /* pointer argument, as `enter` loads it -> its index */
    struct report *report;       /* NULL: none is asked for */
    struct buf *analysis;        /* gets what analyses find; NULL: nobody asks */
};
#define IMAGE_IS_CONSTANT 0x80000000u /* read_only */
#define SHOWN_IDS         "weir.ids"  /* metadata of a variable that has the work-item's ids, for debuggers */
/* A place of a checked kernel's source, as struct weir_site has it. */
struct kernel_site {
    const char *file, *function, *stack;
    uint32_t line, column, what, bytes, object, align, quiet, form;
    bool is_local; /* what is accessed by a pointer to local memory */
    bool marks;    /* a store that nothing can race with, but which has to say that the memory is written */
};
/* A variable in local memory with a word for each of the program's elements (lower/whole_words.c). */
struct widened_variable {
    const char *name, *type; /* the program's, or "" */
    uint32_t times;          /* as large */
    bool is_argument;
};
/* A variable, as struct weir_place has it. */
struct kernel_place {
    const char *name, *variable; /* in the source, in the IR */
    const char *type;
    uint32_t space; /* WEIR_PLACE_* */
    uint64_t offset, bytes;
};
/* A variable in local memory: where it is, and what a row of it has, if it has several; else 0. In bytes. */
struct local_variable {
    uint64_t offset, bytes, row;
};
/* Parameters of the work-group function, in order. */
enum run_param { RUN_LAUNCH, RUN_WORKER, RUN_GROUP };
#define LAUNCH_FIELD(field) ((unsigned)offsetof(struct weir_launch, field))
#define WORKER_FIELD(field) ((unsigned)offsetof(struct weir_worker, field))
/* Loads a field of struct weir_launch or weir_worker (`base`: RUN_LAUNCH or RUN_WORKER) that is invariant
 * while the work-group runs. */
LLVMValueRef kernel_field(struct kernel *, LLVMBuilderRef, enum run_param base, unsigned offset, LLVMTypeRef,
                          const char *name);

void kernel_set_invariant(LLVMValueRef load);
bool kernel_is_invariant(LLVMValueRef load); /* it is such a one */
/* A volatile access of memory that other threads may use, too. Local memory is this thread's alone: where regions are formed, the
 * order of its code is all that work-items can see of it. (Before, volatile accesses keep the order of one work-item's own.) */
bool kernel_is_volatile(LLVMValueRef access);
bool kernel_is_plain(LLVMValueRef access); /* neither that nor atomic */
/* Whether it is a relaxed atomic that may find nothing to change: a minimum, a maximum, a conjunction or a disjunction. */
bool kernel_may_idle(LLVMValueRef);
/* A load of what nothing changes while a work-group runs. */
LLVMValueRef kernel_invariant_load(struct kernel *, LLVMBuilderRef, LLVMTypeRef, LLVMValueRef at,
                                   const char *name);
/* The function that barriers call. */
LLVMValueRef kernel_barrier(struct kernel *);
/* The local id in the first dimension, i32 or i64. */
LLVMValueRef kernel_local_id(struct kernel *, LLVMBuilderRef, LLVMTypeRef);
/* A barrier that orders nothing: the code after it has a loop over packs of its own. All work-items come to it, or none; it has
 * the place of `like` in the source. */
void kernel_cut(struct kernel *, LLVMBuilderRef, LLVMValueRef like);
bool kernel_is_cut(LLVMValueRef);
/* Where a dimension of the NDRange is in what is `turned`. */
unsigned kernel_axis(const struct kernel *, unsigned dim);
/* Work-items of this group in a dimension of the NDRange: a constant in a specialized variant. */
LLVMValueRef kernel_group_size(struct kernel *, LLVMBuilderRef, unsigned dim);
/* The global id of the group's first work-item in a dimension of the NDRange. */
LLVMValueRef kernel_first_id(struct kernel *, LLVMBuilderRef, unsigned dim);

/* ---- intrinsics.c: the intrinsics of abi.h, as calls ------------------------------------------------------- */

enum id { ID_NONE, ID_LOCAL, ID_GLOBAL };
/* Whether the value asks for the work-item's id, and in which dimension (may be NULL). */
enum id intrinsic_id(LLVMValueRef, unsigned *dim);

/* What the work-items of a sub-group compute together: __weir_sub_NAME, or __weir_sub_NAME_OPERATION. */
enum subgroup_op {
    SUBGROUP_BASE,    /* position in the row of lane 0 */
    SUBGROUP_LANE,    /* the lane's number */
    SUBGROUP_BARRIER, /* (flags, scope) */
    SUBGROUP_BALLOT,  /* (predicate): bits */
    SUBGROUP_SHUFFLE, /* (value, lane) */
    SUBGROUP_FIRST,   /* (value): of the first active lane */
    SUBGROUP_REDUCE,  /* (value) */
    SUBGROUP_SCAN,    /* (value): inclusive */
    SUBGROUP_BEFORE,  /* (value): exclusive */
    SUBGROUP_CLUSTER, /* (value, size) */
    SUBGROUP_ITEMS,   /* (vector): of elements that lanes have in turns, each lane's own in a row (deal.c) */
    SUBGROUP_TOTAL,   /* (accumulator, value, is_first): joins the pack's values into it, gives what it was */
    SUBGROUP_STAY,    /* never true: on it a way back stands that is never taken (ways_back.c) */
    SUBGROUP_NONE,
};
enum subgroup_op subgroup_op_of(LLVMValueRef instruction); /* SUBGROUP_NONE: it is none */
const char *
subgroup_operation_of(LLVMValueRef call); /* of one that combines values: its name goes on with it */
bool subgroup_is_op(LLVMValueRef instruction);
bool subgroup_is_place(LLVMValueRef instruction);   /* where the work-item is: no exchange with others */
bool subgroup_is_lane_id(LLVMValueRef instruction); /* the lane's number in its pack */
/* A function's control flow without the ways back that are never taken. */
struct graph *cfg_taken(struct graph *, LLVMBasicBlockRef *blocks);

/* A barrier, or a half of one: no pass of LLVM copies it, merges it with another, or moves memory accesses across. */
void intrinsic_declare_barrier(struct kernel *, LLVMValueRef function);
/* A function that tells a work-item's place has no effects and may be computed anywhere; its value is below `limit`
 * (0: any). */
void intrinsic_declare_query(struct kernel *, LLVMValueRef function, uint64_t limit);
void intrinsic_declare_subgroup(struct kernel *, LLVMValueRef function);

/* The dot product of four bytes by name; u and s after the prefix say which operands are signed. Vectors of it: packs. */
#define DOT_PREFIX "__weir_dot_"
/* A number's mantissa or exponent (lib/cl/weir.h). Vectors of it: packs. */
#define PART_PREFIX "__weir_part_"

/* Has `lower` replace and erase each call of functions whose names go on with `kind` after the prefix, and deletes the functions. */
void intrinsic_lower(struct kernel *, const char *prefix,
                     void (*lower)(struct kernel *, LLVMValueRef call, const char *kind));

/* Whether it is such a call, which stays one until packs are vectors. */
bool kernel_is_pack_call(LLVMValueRef call);

/* A checked kernel's access, until regions are formed: (address, site, WEIR_SITE_*, bytes, value's first 8 bytes, its
 * next). */
#define CHECK_ACCESS  "__weir_check_access"
#define CHECK_ARRIVED "__weir_check_arrived"
enum { CHECK_OPERANDS = 6 };
/* What it does first of an access, a barrier or a loop's round: check.cl's functions, and theirs into the runtime. */
bool intrinsic_is_check(LLVMValueRef call);
/* It changes nothing that the kernel sees. But it may stop the kernel: accesses don't move up across it. */
void intrinsic_declare_check(struct kernel *, LLVMValueRef function);

#endif
