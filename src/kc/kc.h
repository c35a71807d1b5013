/* kc.h: the compiler's parts and what they offer each other. Sections in the order of the flow:
 * request -> front end -> program IR -> kernel IR -> passes -> object.
 *
 * A request is a job: its LLVM context, memory and descriptors are given back at its end, so nothing else here
 * frees, and no state crosses requests but what is the same for all of them: the built-in library's index, the code
 * generator, and a clang that has started and waits.
 */
#ifndef WEIR_KC_H
#define WEIR_KC_H

#include <llvm-c/Analysis.h>
#include <llvm-c/BitReader.h>
#include <llvm-c/BitWriter.h>
#include <llvm-c/Comdat.h>
#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/Error.h>
#include <llvm-c/IRReader.h>
#include <llvm-c/Linker.h>
#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <setjmp.h>

#include "abi.h"
#include "base.h"

/* OpenCL address spaces as the IR has them (the nvptx64 numbering). */
enum address_space { AS_PRIVATE = 0, AS_GLOBAL = 1, AS_LOCAL = 3, AS_CONSTANT = 4 };

/* ---- job.c: one request's state and its failures --------------------------------------------------------- */

/* Everything one request needs. */
struct job {
    const struct request *request;
    struct answer answer;
    struct buf log; /* becomes answer.log */
    LLVMContextRef llvm;
    jmp_buf failed;                          /* where job_fail goes */
    uint64_t deadline_ns;                    /* on time_ns()'s clock; 0: none */
    uint64_t phase_ns;                       /* when the current phase began */
    LLVMTargetMachineRef machine, optimizer; /* emit.c: of request->cpu, if that is another than the host's */
    bool llvm_error;                         /* LLVM reported an error: the request fails */
};
void *job_alloc(
    size_t); /* zeroed; until job_end; never NULL (ends the process with a message when memory is out) */
int job_fd(int fd); /* to be closed by job_end; returns it */
char *job_strdup(const char *);
char *job_printf(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Appends the message to the log, sets the status (enum answer_status), and leaves the request. */
_Noreturn void job_fail(struct job *, uint32_t status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void job_check(struct job *, LLVMErrorRef, const char *what); /* consumes; fails the job on error */
unsigned job_remaining_ms(const struct job *);  /* until the deadline, at least 1; 0: there is none */
void job_phase(struct job *, const char *done); /* WEIR_LOG=debug: the time since the last phase's end */
/* Serves one request: never fails but by its answer. What the answer points to lasts until job_end. */
void job_run(struct job *);
void job_end(void); /* gives back the memory and descriptors of all jobs so far */

/* ---- server.c: many requests, one process at a time each ------------------------------------------------------------- */

/* Serves request connections received over the control socket until its end. Returns main's status. */
int server_run(int control);

/* ---- options.c: build options of the specification to clang's -------------------------------------------- */

struct options {
    char **clang; /* NULL-terminated arguments for clang -cc1 */
    size_t nclang;
    unsigned cl_version; /* 120, 200, 300, ... from -cl-std */
    bool create_library, enable_link_options;
    bool fast_math, denorms_are_zero, optimize_none, no_progress, arg_info, finite_math, mad, unsafe_math,
        no_signed_zeros;
    bool uniform_groups; /* -cl-uniform-work-group-size, or -cl-std below 2.0 */
    bool has_includes;   /* -I given */
    bool strict_aliasing;
};
/* Fails the job with ANSWER_INVALID_OPTIONS naming the option. `linking`: clLinkProgram's set. */
struct options *options_parse(struct job *, const char *text, bool linking);

/* What the front end marks functions with for pipeline.c, by options. */
#define MARK_OPT_DISABLE "weir-opt-disable"
#define MARK_NO_PROGRESS "weir-no-subgroup-ifp"

/* ---- frontend.c: OpenCL C to IR ----------------------------------------------------------------------------- */

void frontend_prepare(void); /* starts the next request's clang, which then waits for it */
/* Runs clang as a child; diagnostics go to the log. Returns the module (retargeted to the host), or fails
 * the job. `cacheable` is cleared when the result depends on files or on the clock. */
LLVMModuleRef frontend_compile(struct job *, struct blob source, const struct blob *headers,
                               uint32_t nheaders, const struct options *, bool *cacheable);

/* Whether the path is that of a source which was given without a name, and kept for debuggers. */
bool frontend_is_kept(const char *path);

/* ---- declare.c: built-in functions that clang doesn't declare ------------------------------------------------ */

/* Appends their declarations, as far as the source may use them; `has_files`: it may include others. */
void declare_functions(struct buf *, struct blob source, bool has_files);

/* ---- program.c: linking, checks and metadata of programs ------------------------------------------------------ */

LLVMModuleRef program_read(struct job *, struct blob ir);
/* Links modules into one and checks that every function used is defined there, in the built-in library or
 * among the intrinsics of abi.h; otherwise fails with "undefined reference to 'name'" lines. */
LLVMModuleRef program_link(struct job *, LLVMModuleRef *, unsigned n, bool library);
/* Fills answer.meta from the module. The argument block's layout is decided here, once. */
void program_meta(struct job *, LLVMModuleRef, struct program_meta *);

/* ---- library.c: the built-in library ---------------------------------------------------------------------------- */

void library_open(void); /* once; later calls do nothing */
bool library_has(const char *function);
void library_link(struct job *, LLVMModuleRef); /* links what the module needs, internalized */

/* ---- emit.c: objects ------------------------------------------------------------------------------------------------ */

LLVMTargetMachineRef emit_machine(struct job *); /* of request->cpu */
/* The same for the optimizer. Not position-independent: LLVM's relative lookup tables, which it would build then,
 * are wrong for constants outside address space 0. */
LLVMTargetMachineRef emit_optimizer(struct job *);
unsigned emit_vector_bits(struct job *);          /* of the processor's vector registers */
bool emit_has(struct job *, const char *feature); /* of the processor, e.g. "+avx2" */
void emit_warm(void); /* runs the optimizer and the code generator once; later calls do nothing */
void emit_retarget(struct job *, LLVMModuleRef); /* triple and data layout of the host */
/* Module to answer.output as request.emit says: EMIT_SO is a shared object. */
void emit_answer(struct job *, LLVMModuleRef);

/* ---- shared.c ---- */

/* Makes the object a shared object, the answer's output. False: it needs `ld`. */
bool shared_link(struct job *, const void *object, size_t n);

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
/* Direct callee of a call, or NULL (also for inline asm and pointers). */
LLVMValueRef ir_callee(LLVMValueRef call);
bool ir_is_intrinsic(LLVMValueRef call, const char *prefix); /* e.g. "llvm.lifetime." */
bool ir_is_marker(LLVMValueRef call);                        /* LLVM's notes, which are no code */
bool ir_is_division(LLVMValueRef);                           /* of integers: quotient or remainder */
bool ir_has_no_effect(LLVMValueRef call); /* memory(none): depends on its arguments alone */
/* The block's instructions from `first` on move to a new block behind it, with the terminator: the old block
 * ends without one. Successors' PHIs are repaired. */
LLVMBasicBlockRef ir_split_before(LLVMValueRef first, const char *name);
LLVMBasicBlockRef ir_block(LLVMValueRef function, const char *name); /* a new one at its end */
/* Builder positioned before the instruction, or at the end of a block; dispose with LLVMDisposeBuilder. */
LLVMBuilderRef ir_before(LLVMValueRef instruction);
LLVMBuilderRef ir_at_end(LLVMBasicBlockRef);
LLVMBuilderRef ir_at_entry(LLVMValueRef function); /* behind the allocas of the entry block */
/* base + bytes as a pointer of base's type. */
LLVMValueRef ir_offset(LLVMBuilderRef, LLVMValueRef base, LLVMValueRef bytes, const char *name);
/* A getelementptr as a sum of index * bytes; a struct's field is a step without an index. Returns how many
 * steps; 0 if there are more than GEP_STEPS. */
struct gep_step {
    LLVMValueRef index; /* NULL: `bytes` alone */
    uint64_t bytes;
};
enum { GEP_STEPS = 32 };
unsigned ir_gep_steps(LLVMTargetDataRef, LLVMValueRef gep, struct gep_step steps[GEP_STEPS]);
void ir_expect(LLVMValueRef branch); /* its first way is by far the likely one */
LLVMValueRef ir_const32(LLVMContextRef, uint32_t);
LLVMValueRef ir_const64(LLVMContextRef, uint64_t);
void ir_attribute(LLVMContextRef, LLVMValueRef function, const char *name,
                  uint64_t value); /* enum attribute */
void ir_remove_attribute(LLVMValueRef function, unsigned index, const char *name);
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

/* ---- cfg.c: graphs of blocks ---------------------------------------------------------------------------------- */

/* A graph over nodes 0..n-1; node 0 is the entry. */
struct graph {
    unsigned n;
    unsigned *nsucc, **succ;
    unsigned *npred, **pred;
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
/* Immediate post-dominators towards a virtual exit, which is node n. Nodes that reach no sink have n. */
unsigned *graph_ipdom(const struct graph *);

/* ---- pipeline.c: kernel IR to code ------------------------------------------------------------------------ */

/* One kernel on its way through the passes. Analyses are written here; transforms say what they invalidate. */
struct kernel {
    struct job *job;
    LLVMModuleRef module;
    LLVMContextRef llvm;
    const struct kernel_meta *meta;
    LLVMValueRef entry;     /* the kernel as the program has it; NULL after `inline` */
    LLVMValueRef run;       /* the work-group function, a weir_group_fn, from `enter` on */
    uint32_t local_size[3]; /* specialized for, or 0 */
    uint32_t width;         /* work-items per pack */
    bool small_ids;         /* from `builtin` on: global ids are taken to be below 2^31 */
    bool optimize;          /* false: -cl-opt-disable */
    bool progress;          /* of sub-groups, independent of each other; false: -cl-no-subgroup-ifp */
    unsigned vector_bits; /* of the processor's registers; with 512, masks are of a bit per lane */
    struct ptrmap globals; /* program-scope variable -> offset in the block */
    uint64_t local_bytes, context_fixed, context_per_item, private_bytes; /* for struct weir_kernel */
    LLVMValueRef context_scope; /* alias.scope of accesses to the context */
    bool context_is_small;      /* a variable of the kernel's own: the runtime has nothing to provide */
    struct report *report;      /* NULL: none is asked for */
};
/* Of 512 bits there are 32, else 16. */
static inline unsigned kernel_vector_registers(const struct kernel *k) {
    return k->vector_bits == 512 ? 32 : 16;
}
/* Parameters of the work-group function, in order. */
enum run_param { RUN_LAUNCH, RUN_WORKER, RUN_GROUP };
#define LAUNCH_FIELD(field) ((unsigned)offsetof(struct weir_launch, field))
#define WORKER_FIELD(field) ((unsigned)offsetof(struct weir_worker, field))
/* Loads a field of struct weir_launch or weir_worker (`base`: RUN_LAUNCH or RUN_WORKER) that is invariant
 * while the work-group runs. */
LLVMValueRef kernel_field(struct kernel *, LLVMBuilderRef, enum run_param base, unsigned offset, LLVMTypeRef,
                          const char *name);

/* builtin.c: a function that tells a work-item's place has no effects and may be computed anywhere; its value is below
 * `limit` (0: any). */
void builtin_query(struct kernel *, LLVMValueRef function, uint64_t limit);
/* builtin.c: whether the value asks for the work-item's id, and in which dimension (may be NULL). */
enum id { ID_NONE, ID_LOCAL, ID_GLOBAL };
enum id builtin_id(LLVMValueRef, unsigned *dim);
/* builtin.c: the memory model's fence for constant or computed flags, order and scope; one thread runs the group. */
void builtin_fence(LLVMBuilderRef, LLVMValueRef flags, LLVMValueRef order, LLVMValueRef scope);

/* Work-items of this group in a dimension: a constant in a specialized variant. */
LLVMValueRef kernel_group_size(struct kernel *, LLVMBuilderRef, unsigned dim);

/* Program IR to a module with one WEIR_KERNEL_SYMBOL, optimized and ready to emit. */
void pipeline_kernel(struct job *, LLVMModuleRef, const struct program_meta *);
/* Program IR to a module with WEIR_GLOBALS_SYMBOL. */
void pipeline_globals(struct job *, LLVMModuleRef);
/* weirc --print-after=ROW, --stop-after=ROW; NULL: none */
extern const char *pipeline_print_after, *pipeline_stop_after;
bool pipeline_has(const char *row); /* in the table of passes */
extern bool pipeline_verify;        /* after each row; it costs a tenth of the time */

/* The passes, in the order of pipeline.c's table; each file's head says what it needs and gives. */
void enter_pass(struct kernel *);     /* enter.c */
void link_pass(struct kernel *);      /* pipeline.c: the built-in library */
void inline_pass(struct kernel *);    /* inline.c */
void printf_pass(struct kernel *);    /* printf.c */
void globals_pass(struct kernel *);   /* globals.c: program-scope variables */
void local_pass(struct kernel *);     /* globals.c: local memory */
void builtin_pass(struct kernel *);   /* builtin.c */
void divide_pass(struct kernel *);    /* divide.c */
void quiet_pass(struct kernel *);     /* quiet.c */
void unroll_pass(struct kernel *);    /* unroll.c */
void redundant_pass(struct kernel *); /* redundant.c */
void flatten_pass(struct kernel *);   /* flatten.c */
void elements_pass(struct kernel *);  /* elements.c */
void regions_pass(struct kernel *);   /* regions.c */
void atomics_pass(struct kernel *);   /* atomics.c */
void publish_pass(struct kernel *);   /* enter.c */
void fission_pass(struct kernel *);   /* fission.c */
void single_pass(struct kernel *);    /* single.c */

/* ---- width.c: how many work-items a pack has ---- */

void width_choose(struct kernel *); /* before the passes */
void width_limit(struct kernel *);  /* the built-in library is linked: of large kernels it is less */
/* Of kernels whose work-items may wait for each other it is 1. Whether it may still change: not if the host knows it,
 * as that of sub-groups. */
bool width_settle(struct kernel *);

/* ---- uniform.c: which values all work-items of a group share ---------------------------------------------- */

/* Either of a work-group (which values all its work-items compute alike) or of a pack (which are one scalar for
 * W consecutive work-items of a row). Of a pack also strides: lane i's value is lane 0's + i * stride. */
struct uniform {
    bool of_pack;
    struct ptrmap varying; /* values and branches (terminators) that may differ between work-items */
    struct ptrmap
        joins; /* PHIs where work-items from different paths meet, values of loops that they leave at
                            * different times */
    struct ptrmap parted;  /* blocks of loops that work-items may leave in different iterations */
    struct ptrmap strides; /* of_pack: varying values that are affine in the lane -> int64_t */
};
bool uniform_is(const struct uniform *, LLVMValueRef);
/* of_pack: whether the value is a scalar plus a multiple of the lane; uniform values have stride 0. */
bool uniform_stride(const struct uniform *, LLVMValueRef, int64_t *stride);
/* of_pack: whether an affine value doesn't wrap from one active lane to the next. */
bool uniform_is_exact(const struct uniform *, LLVMValueRef, bool is_signed);
void uniform_run(struct kernel *, struct uniform *);
/* aligned.c, of_pack: whether a bitwise operation, division or comparison has a stride because packs of this width
 * begin at multiples of it. */
bool aligned_stride(const struct uniform *, unsigned width, LLVMValueRef, int64_t *stride);

/* ---- lanes.c: what the work-items of a sub-group compute together --------------------------------------------- */

/* A call of an intrinsic __weir_sub_* that stands until regions are formed. */
bool lanes_is(LLVMValueRef instruction);
bool lanes_is_place(LLVMValueRef instruction);  /* where the work-item is: no exchange with others */
bool lanes_is_number(LLVMValueRef instruction); /* the lane's number in its pack */
bool lanes_varies(const struct uniform *, LLVMValueRef call);
void lanes_declare(struct kernel *, LLVMValueRef intrinsic); /* what LLVM may assume of its calls */

/* ---- waiting.c ---- */

/* Whether the kernel may notice in which order others access memory, or they what it does: by atomics, fences, volatile
 * accesses, or functions that stay calls. */
bool waiting_observes(struct kernel *);
/* A branch that leaves a loop in which work-items may wait for each other, or NULL: such kernels need width 1. */
LLVMValueRef waiting_loop(struct kernel *);
/* All such branches, also of loops in loops, each followed by the index of a successor that stays in the loop. */
struct list waiting_rounds(struct kernel *);

/* ---- slots.c: values that live in memory while regions are cut apart ---------------------------------------- */

/* A variable of one work-item, an alloca of k->run. After slots_demote no value but allocas, constants and
 * parameters is used outside the block that computes it, and there are no PHIs: blocks can be copied freely. */
struct slot {
    LLVMValueRef var;
    LLVMTypeRef type;
    bool is_array;  /* the program's own variable, reached by address; else a demoted value */
    bool escapes;   /* is_array: its address may be anywhere */
    bool uniform;   /* one value for the whole work-group */
    bool is_affine; /* in a pack: one scalar plus `stride` per lane (0: one value for the pack) */
    int64_t stride;
    bool joined;     /* of several (coalesce.c): a lane may rely on what is there */
    bool crosses;    /* may be read behind a barrier that it was written before */
    uint64_t bytes;  /* per work-item in the context, padded to its alignment */
    uint64_t offset; /* crosses, varying: of its array in the context, in bytes per work-item;
                          * else with `fixed`: of the variable in the context's fixed part */
    bool fixed;      /* too large for the stack: one per lane for all work-items in turn */
    uint64_t grain;  /* is_array, in a pack: bytes of the elements that lanes alternate in; 0: lane by lane */
    LLVMValueRef shared; /* crosses, uniform: the work-group's copy */
    LLVMValueRef wide;   /* vector.c's variable for a pack */
};
struct slots {
    struct slot *at;
    unsigned n;
    struct ptrmap by_var;
    uint64_t **live_in, **touched_in; /* bit sets by block: may be read from here on; may have been written */
};
/* `pack`: of_pack uniformity, which learns of new instructions, or NULL at width 1. */
void slots_demote(struct kernel *, const struct uniform *, struct uniform *pack, struct slots *);
/* Bytes of a private variable, padded to its alignment. */
uint64_t slots_bytes(LLVMTargetDataRef, LLVMValueRef var);
void slots_liveness(struct kernel *, struct slots *, const struct graph *, const struct ptrmap *index,
                    LLVMBasicBlockRef *blocks);
/* coalesce.c: joins crossing values that are copies of each other; needs liveness, and which values cross. */
void slots_coalesce(struct slots *, const struct graph *, LLVMBasicBlockRef *blocks,
                    const unsigned char *parts); /* by node: not all lanes may run it; NULL: all do */
static inline bool bit_at(const uint64_t *set, unsigned i) {
    return set[i / 64] >> (i % 64) & 1;
}
static inline void bit_add(uint64_t *set, unsigned i) {
    set[i / 64] |= UINT64_C(1) << (i % 64);
}
/* The alloca that a private address surely points into, or NULL. */
LLVMValueRef slots_base(LLVMValueRef pointer);
/* Whether anything but loads, stores and intrinsics on memory may learn the address. */
bool slots_escapes(LLVMValueRef address);
/* A type whose values may be a vector's elements as they are in memory. */
bool slots_is_element(LLVMTypeRef);
/* The slot that a load or store of k->run names directly, or NULL. */
struct slot *slots_of_access(const struct slots *, LLVMValueRef load_or_store);

/* ---- packs.c: loops over the work-items of a group, and facts about memory for LLVM --------------------------- */

/* A loop nest under construction: begin, emit the body at `b`, branch to `latch` from everywhere, end. */
struct packs {
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
void packs_sizes(struct kernel *, LLVMBuilderRef, struct packs *);
LLVMValueRef packs_row(struct packs *);             /* work-items of a row, up to whole packs */
void packs_begin(struct packs *, const char *name); /* items in linear order; builder moves into the body */
void packs_end(struct packs *);                     /* builder moves behind the nest */
/* Makes `property` the one of the loop that the branch closes. */
void loop_set_property(LLVMContextRef, LLVMValueRef branch, LLVMMetadataRef property);

enum memory_kind {
    MEMORY_CONTEXT,
    MEMORY_GLOBAL,
    MEMORY_LOCAL,
    MEMORY_OTHER, /* LLVM is told nothing of it, nor of those behind it */
    MEMORY_LANES, /* a private array whose lanes alternate */
    MEMORY_KINDS
};
struct memory_facts {
    LLVMValueRef scope[MEMORY_KINDS], noalias[MEMORY_KINDS]; /* metadata */
    unsigned scope_kind, noalias_kind, group_kind;
};
void memory_facts(struct kernel *, struct memory_facts *);
/* Tells LLVM what an access can't alias, and that it is independent between work-items (`group`). */
void memory_annotate(const struct memory_facts *, LLVMValueRef access, enum memory_kind, LLVMValueRef group);

/* ---- report.c: what passes decided, for people ----------------------------------------------------------------- */

/* How a pack reads or writes memory. */
enum access_kind {
    ACCESS_NONE,
    ACCESS_UNIFORM,    /* one scalar access */
    ACCESS_CONTIGUOUS, /* one vector */
    ACCESS_REVERSED,   /* one vector, turned around */
    ACCESS_SHUFFLED,   /* vectors that hold all lanes' elements, and shuffles */
    ACCESS_CHECKED,    /* contiguous if the run finds it so, else scattered */
    ACCESS_STRIDED,    /* gather or scatter of elements that are evenly apart */
    ACCESS_SCATTERED,  /* gather or scatter */
};
/* Without k->report all of these do nothing. Instructions are those of k->run before regions are cut. */
void report_begin(struct kernel *);
/* k->width has been chosen, or has given way: why, and perhaps because of which instruction (else NULL). */
void report_width(struct kernel *, LLVMValueRef at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void report_value(struct kernel *, LLVMValueRef var, LLVMValueRef value); /* lives in the variable */
/* `stride`: bytes from lane to lane, for ACCESS_STRIDED; `alternates`: a private array's lanes do. */
void report_access(struct kernel *, LLVMValueRef load_or_store, enum access_kind, int64_t stride,
                   bool alternates, bool masked);
void report_serial(struct kernel *, LLVMValueRef instruction); /* runs once per lane */
void report_note(struct kernel *, LLVMValueRef at, const char *what,
                 const char *text); /* of static storage */
void report_end(struct kernel *);   /* becomes the answer's report */

/* ---- globals.c: program-scope variables ----------------------------------------------------------------------------- */

/* Bytes of the block that holds all program-scope variables of the module (0: none). Variables are laid out
 * in module order; in address space 1, or 4 when their initializer refers to one of those. `offsets` gets
 * each variable's place; `align` and `offsets` may be NULL. */
uint64_t globals_layout(LLVMModuleRef, struct ptrmap *offsets, uint32_t *align);

#endif
