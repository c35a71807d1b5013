/* reader.h: what the files of the SPIR-V reader share.
 *
 * A module is read once, in its order: what comes before the functions (module.c, types.c, constants.c), then the
 * functions' bodies (function.c and the families of instructions). Each instruction is a row of one table (opcodes.h), which
 * says what its operands are and which function reads it. Types and values of operands are checked before LLVM sees them: a
 * module that is wrong ends the job with ANSWER_BUILD_FAILED and the instruction's name and place. */
#ifndef WEIR_KC_SPIRV_READER_H
#define WEIR_KC_SPIRV_READER_H

#include "grammar.h"
#include "spirv.h"

struct instruction;
struct reader;
typedef void handler(struct reader *, const struct instruction *);

/* A row of the table. `operands`, in their order: t type of the result, r the result, i an id, n a number, s a string; after
 * '?' one that may be missing, after '*' what is left. `number` and `text` are the handler's. */
struct opcode {
    uint32_t code;
    const char *name, *operands;
    handler *read;
    uint32_t number;
    const char *text;
};

/* One instruction. `at` are its words after the result's id, `n` of them. */
struct instruction {
    const struct opcode *op;
    uint32_t type, result; /* ids; 0: it has none */
    const uint32_t *at;
    uint32_t n;
    size_t offset; /* of its first word in the module */
};

/* What an id names. Types keep their instruction's words, through which handlers ask for members and pointees. */
enum id_kind { ID_NONE, ID_TYPE, ID_VALUE, ID_FUNCTION, ID_LABEL, ID_STRING, ID_IMPORT, ID_GROUP };
struct decoration {
    struct decoration *next;
    uint32_t kind;
    int64_t member; /* of a struct; -1: the id itself */
    const uint32_t *at;
    uint32_t n;
};
struct id {
    enum id_kind kind;
    uint32_t op;      /* opcode that defines it */
    uint32_t type_id; /* VALUE, FUNCTION: of its type */
    LLVMTypeRef type; /* TYPE: itself; VALUE: the value's; FUNCTION: the function type */
    LLVMValueRef
        value; /* VALUE, FUNCTION; NULL for what is made anew in each function (variables of Input, samplers) */
    LLVMValueRef pair[2];    /* VALUE of a sampled image: the image and the sampler */
    LLVMBasicBlockRef block; /* LABEL */
    LLVMMetadataRef debug;   /* STRING: as a source file; GROUP: what debug information says of it */
    uint32_t debug_function; /* FUNCTION: its instruction of debug information; 0: none */
    uint32_t debug_local;    /* GROUP: of a function, its last variable; of a variable, the one before */
    uint32_t wraps;          /* FUNCTION that is a kernel: the function of its type that it calls; 0: none */
    const uint32_t *at;      /* the defining instruction's words after the result */
    uint32_t n;
    uint32_t depth;   /* TYPE: of nesting */
    uint64_t bytes;   /* TYPE: about its size */
    uint32_t *params; /* FUNCTION: ids of its parameters, once it has been read */
    struct decoration *decorations;
    const char *name;      /* from OpName */
    LLVMValueRef local;    /* VALUE without `value`: what stands for it in function `local_of` */
    LLVMValueRef local_of; /* VALUE: the function that it is of; NULL: any */
};

struct entry_point {
    uint32_t function;
    const char *name;
};
struct execution_mode {
    uint32_t function, mode;
    const uint32_t *at;
    uint32_t n;
    bool by_id; /* operands are ids of constants */
};

struct reader {
    struct job *job;
    const struct options *options;
    LLVMContextRef llvm;
    LLVMModuleRef module;
    LLVMTargetDataRef layout;
    LLVMBuilderRef builder;
    const uint32_t *words; /* in the host's order */
    size_t nwords;
    uint32_t bound;
    struct id *ids;
    struct instruction *current;     /* for messages */
    size_t joined[2];                /* words of what continues the last instruction that was continued */
    struct list entry_points, modes; /* struct entry_point, struct execution_mode */
    bool in_functions;
    /* the function that is being read */
    LLVMValueRef function;
    uint32_t function_id, nparams;
    const struct id *function_type;
    uint32_t block; /* id of the label; 0: between blocks */
    struct list phis;
    struct list loops;
    struct list merges;            /* struct loop_merge, of all functions */
    struct list calls;             /* of functions of the module */
    struct list function_pointers; /* those of the module */
    bool contract;                 /* products and sums may become one operation */
    /* lines */
    LLVMDIBuilderRef debug;
    LLVMMetadataRef unit, subprogram;
    LLVMMetadataRef scope, inlined_at; /* of inlined code; NULL: the subprogram's own */
    bool has_lines, wants_types;
    struct list variables; /* ids of debug information for variables of the module */
    struct id *line_file;  /* of the last OpLine */
    unsigned line;
    /* words of the module's kernel_arg_type strings */
    struct list strings;
    size_t ndecorations;
    const char *extension; /* that the module asks for and isn't supported, or NULL */
};

/* ---- module.c: the module as a whole -------------------------------------------------------------------------- */

/* Fails the job: the message gets the current instruction's name and place. */
_Noreturn void reader_fail(struct reader *, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Fails for types whose values are too large to be computed with. */
void reader_check_value(struct reader *, uint32_t type);
/* Cuts the instruction at word `at`; false at the end. */
bool reader_next(struct reader *, size_t at, struct instruction *);
/* Calls the handler of an instruction. */
void reader_step(struct reader *, struct instruction *);
/* The table's row; NULL: there is none. */
const struct opcode *opcode_find(uint32_t code);
const char *opcode_name(uint32_t code);

struct id *reader_id(struct reader *, uint32_t id); /* in bounds, whatever it names */
/* Defines the current instruction's result. */
struct id *reader_define(struct reader *, const struct instruction *, enum id_kind);
void reader_result(struct reader *, const struct instruction *, LLVMValueRef); /* a value of type in->type */
const struct decoration *reader_decoration(const struct id *, uint32_t kind);
const struct decoration *reader_decoration_of(const struct id *, const struct decoration *after,
                                              uint32_t kind);
/* Bytes that an id is aligned by, a power of two; 0: nothing is said. */
unsigned reader_alignment(struct reader *, const struct id *);
unsigned reader_check_alignment(struct reader *, uint64_t bytes); /* it or 0, or the build fails */
/* Literal strings end within the words they are in. */
const char *reader_string(struct reader *, const uint32_t *at, uint32_t n, uint32_t *words);
/* The number that an id is a constant of; fails where it is none. */
uint64_t reader_constant(struct reader *, uint32_t id);

/* ---- types.c ------------------------------------------------------------------------------------------------- */

LLVMTypeRef reader_type(struct reader *, uint32_t id);         /* of values */
const struct id *reader_type_id(struct reader *, uint32_t id); /* any type */
const struct id *reader_pointee(struct reader *, uint32_t pointer_type);
uint32_t reader_storage(struct reader *, uint32_t pointer_type); /* its storage class */
uint64_t reader_size(struct reader *,
                     uint32_t type); /* bytes that the host's layout gives; fails where it has none */
unsigned reader_align(struct reader *, LLVMTypeRef);
LLVMTypeRef reader_scalar(LLVMTypeRef);                         /* a vector's element, else itself */
unsigned reader_lanes(LLVMTypeRef);                             /* 1 for what is no vector */
LLVMTypeRef reader_like(LLVMTypeRef scalar, LLVMTypeRef shape); /* as many of them as `shape` has */
bool reader_is_int(LLVMTypeRef);                                /* scalar or vector, without bool */
bool reader_is_bool(LLVMTypeRef);                               /* the same of bool */
bool reader_is_float(LLVMTypeRef);
bool reader_is_pointer(LLVMTypeRef);

/* ---- function.c ---------------------------------------------------------------------------------------------- */

/* Declares all functions before any body is read. */
void reader_declare(struct reader *, const struct instruction *);
/* The value of an id, in the function that is being read. */
LLVMValueRef reader_value(struct reader *, uint32_t id);
/* The same, of operand `k`, of this type. */
LLVMValueRef reader_operand(struct reader *, const struct instruction *, uint32_t k);
LLVMValueRef reader_typed(struct reader *, const struct instruction *, uint32_t k, LLVMTypeRef);
LLVMBuilderRef
reader_at_entry(struct reader *); /* of the current function, after its variables; to be disposed */

/* The result of a call that has just been built, if it has one. */
void reader_called(struct reader *, const struct instruction *, LLVMValueRef call);

/* ---- function_pointer.c --------------------------------------------------------------------------------------- */

void reader_finish_function_pointers(struct reader *); /* after all functions have been read */

/* ---- blocks.c ---------------------------------------------------------------------------------------------- */

/* Reads the current function's blocks, each after those that dominate it. `at`: its first label's word; returns its end's. */
size_t reader_blocks(struct reader *, size_t at);

/* ---- debug.c: line tables ---------------------------------------------------------------------------------------- */

void debug_begin_function(struct reader *);
void debug_begin_block(struct reader *);
void debug_line(struct reader *, struct id *file, unsigned line, unsigned column);
void debug_no_line(struct reader *);
LLVMMetadataRef debug_file(struct reader *, struct id *string);

/* ---- debug_info.c: sets of instructions for debuggers ------------------------------------------------------------- */

bool debug_is_set(const char *name);
void debug_look(struct reader *, const struct instruction *); /* before all functions are read */
void debug_read(struct reader *, const struct instruction *); /* after its result has been defined */
/* The function that the instruction describes; NULL: it doesn't. */
/* The types of a function by the instruction; without it none. */
LLVMMetadataRef debug_signature(struct reader *, uint32_t id, LLVMMetadataRef file);
/* The name of the current function's parameter; NULL: it isn't told. */
const char *debug_parameter(struct reader *, unsigned i);
LLVMMetadataRef debug_subprogram(struct reader *, uint32_t id, const char *linkage_name, size_t length);
void debug_finish(struct reader *);

/* ---- kernels.c: entry points: their metadata ---------------------------------------------------------------------- */

void reader_finish_kernels(struct reader *);

/* ---- builtin.c: calls of OpenCL C's functions by clang's names ------------------------------------------------- */

/* An argument: the letter says how its type is spelled.
 *   s, u   integers signed or unsigned; floats as they are
 *   p, c   a pointer to what may be written, to const; S, U: the pointee is spelled so (signed is the default)
 *   o, e   memory_order, memory_scope
 *   i      an image;  a  a sampler;  v  an event;  w  a pointer to events */
struct argument {
    LLVMValueRef value;
    char letter;
    uint32_t type_id;    /* of an image */
    LLVMTypeRef pointee; /* of a pointer */
};
enum { CALL_PURE = 1, CALL_MAYBE = 2 }; /* depends on its arguments alone; NULL instead of a failure */
LLVMValueRef builtin_call(struct reader *, const char *name, LLVMTypeRef result, const struct argument *,
                          unsigned n, unsigned flags);
/* A function by its whole name. */
LLVMValueRef builtin_call_plain(struct reader *, const char *symbol, LLVMTypeRef result, LLVMValueRef *args,
                                unsigned n, unsigned flags);
LLVMValueRef builtin_to_int(struct reader *, LLVMValueRef bools); /* i32 0 or 1 */
LLVMValueRef builtin_to_bool(struct reader *, LLVMValueRef number);
/* The value of a variable that is decorated as this built-in; of this type. */
LLVMValueRef builtin_variable(struct reader *, uint32_t built_in, LLVMTypeRef);

/* ---- sync.c: scopes and semantics ------------------------------------------------------------------------------ */

LLVMAtomicOrdering reader_order(struct reader *, uint32_t semantics_id);

/* The flags of float operations that decorations, execution modes and build options allow. */
void reader_set_fast(struct reader *, const struct instruction *, LLVMValueRef);

/* The table's handlers, by their names. */
handler read_skip, read_module, read_line, read_type, read_constant, read_folded, read_variable,
    read_function, read_extended, read_call, read_phi, read_merge, read_terminator, read_load, read_store,
    read_copy_memory, read_access_chain, read_compare_pointers, read_pointer_difference, read_vector_element,
    read_shuffle, read_construct, read_extract, read_insert, read_copy, read_assume, read_cast, read_saturate,
    read_pointer_cast, read_explicit_cast, read_pointer_semantics, read_negate, read_binary, read_modulo,
    read_shift, read_scale, read_dot, read_carry, read_compare, read_classify, read_any_all, read_select,
    read_bits, read_bit_field, read_integer_dot, read_atomic_load, read_atomic_store, read_atomic,
    read_compare_exchange, read_atomic_flag, read_barrier, read_split_barrier, read_named_barrier, read_fence,
    read_async_copy, read_wait_events, read_vote, read_group_broadcast, read_group, read_lanes,
    read_ballot_count, read_rotate, read_subgroup, read_block_read, read_block_write, read_sampled_image,
    read_image_of, read_image_sample, read_image_read, read_image_write, read_image_size, read_image_query,
    read_pipe, read_pipe_storage, read_pipe_of_storage, read_size_of, read_continued, read_fma,
    read_fence_of_value, read_freeze, read_bfloat16, read_image_block, read_valid_reserve_id, read_enqueue,
    read_clock, read_function_pointer, read_unsupported;

#endif
