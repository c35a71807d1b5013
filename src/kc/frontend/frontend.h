/* frontend.h: OpenCL C and options to one checked module of a program. */
#ifndef WEIR_KC_FRONTEND_H
#define WEIR_KC_FRONTEND_H

#include "ir.h"

#include <limits.h>

/* ---- options.c: build options of the specification to clang's -------------------------------------------- */

struct options {
    char **clang; /* NULL-terminated arguments for clang -cc1 */
    size_t nclang;
    unsigned cl_version; /* 120, 200, 300, ... from -cl-std */
    bool cxx;            /* C++ for OpenCL */
    bool create_library, enable_link_options;
    bool fast_math, denorms_are_zero, optimize_none, no_progress, arg_info, finite_math, mad, unsafe_math,
        no_signed_zeros;
    bool uniform_groups; /* -cl-uniform-work-group-size, or -cl-std below 2.0 */
    bool has_includes;   /* -I given */
    bool strict_aliasing;
    bool warnings_are_errors; /* -Werror */
    bool debug;               /* -g */
    bool check;               /* -weir-check */
};
/* Fails the job with ANSWER_INVALID_OPTIONS naming the option. `linking`: clLinkProgram's set. */
struct options *options_parse(struct job *, const char *text, bool linking);

#define KERNEL_BODY "__clang_ocl_kern_imp_" /* before a kernel's name: clang's function of its body */
/* What the front end marks functions with for pipeline.c, by options. */
#define MARK_OPT_DISABLE "weir-opt-disable"
#define MARK_NO_PROGRESS "weir-no-subgroup-ifp"
#define MARK_DEBUG       "weir-debug"
#define MARK_CHECK       "weir-check"
#define MARK_LIBRARY "weir.library" /* metadata of what is the built-in library's, of kernels to be checked */

/* ---- clang.c: clang as a child process ----------------------------------------------------------------------- */

/* One run. Its memory and descriptors are the job's. */
struct clang_run {
    struct blob arguments; /* a response file's text */
    struct blob input;     /* standard input */
    bool is_rehearsal;     /* only for what clang has warmed up then; the output says nothing */
    /* clang.c's */
    bool is_served;
    int arguments_fd, output_fd, errors_fd;
    const char *arguments_path;
};
const char *clang_path(void);        /* NULL: there is none */
void clang_require(struct job *);    /* fails the job if there is none */
const char *clang_resources(void);   /* the folder of clang's own headers, a job's memory */
const char *clang_fork_server(void); /* the path of its library; NULL: there is none */
bool clang_start(void);              /* a server for the runs to come, if there is none; false: it can't */
/* Whether a rehearsal pays, when nothing else is to be done or when a run is due. */
bool clang_wants_rehearsal(bool is_idle);
/* A file of these bytes in memory; *path, unless NULL, is how child processes may open it. */
int clang_file(struct job *, const void *bytes, size_t n, const char **path);
void clang_begin(struct job *, struct clang_run *);
/* Waits for its end, at most until the job's. Returns the wait status, or -1 with errno (ETIMEDOUT, EFBIG, ...). */
int clang_end(struct job *, const struct clang_run *, struct buf *output, struct buf *errors,
              size_t max_output);

/* ---- hints.c -------------------------------------------------------------------------------------------------- */

/* Adds what to write instead to the errors of the log from `begin` on. */
void hints_add(struct buf *log, size_t begin);

/* ---- near_names.c --------------------------------------------------------------------------------------------- */

enum { NEAR_NAME = 64 };
/* Whether there is a name of OpenCL C's near this one, which isn't known and perhaps called. */
bool near_name(const char *wanted, bool called, char near[NEAR_NAME]);

/* ---- frontend.c: OpenCL C to IR ----------------------------------------------------------------------------- */

/* Before there is a request: a clang that has started, and one that has compiled a program already. */
void frontend_prepare(void);
void frontend_rehearse(void);
/* Runs clang as a child; diagnostics go to the log. Returns the module (retargeted to the host), or fails
 * the job. `cacheable` is cleared when the result depends on files or on the clock. */
LLVMModuleRef frontend_compile(struct job *, struct blob source, const struct blob *headers,
                               uint32_t nheaders, const struct options *, bool *cacheable);

/* Descriptor of the folder in which sources are kept for debuggers, in the cache; -1: there is none that is ours alone.
 * It stays open. */
int frontend_sources(void);
/* Whether the path is that of a source which was given without a name, and kept for debuggers. */
bool frontend_is_cached_source(const char *path);
/* What people know a DIFile by: the path of such a source, or the file's name. In job memory. */
const char *frontend_file_name(LLVMMetadataRef file);

/* ---- types.c: types for the checker's reports and debuggers ---------------------------------------------- */

/* Notes the types of variables and arguments; leaves line tables of the debug information. */
void types_keep(struct job *, LLVMModuleRef);
/* Of a local or program-scope variable, while it has its debug information: its type, and its name; NULL: not known. */
LLVMMetadataRef types_variable(LLVMContextRef, LLVMValueRef global, const char **name);
/* Of a variable: its name (0) and type (1); of a kernel: what parameter i points to. "": not known. In job memory. */
const char *types_text(LLVMContextRef, LLVMValueRef global, unsigned i);
const char *types_function(LLVMContextRef, LLVMMetadataRef location); /* the function's name that it is in */

/* Marks all functions of the module with one of the marks above. */
void frontend_mark(LLVMModuleRef, const char *mark);
void frontend_mark_options(LLVMModuleRef, const struct options *); /* with those that the options ask for */

/* ---- ways_back.c: loops that work-items of a sub-group leave in different iterations -------------------------- */

/* Of a module with clang's names of blocks, which go. */
void ways_back_in_source(LLVMModuleRef);
/* Of one from SPIR-V: OpLoopMerge says where a loop's body ends. */
struct loop_merge {
    LLVMBasicBlockRef header, merge;
};
void ways_back_in_spirv(LLVMModuleRef, const struct list *merges);

/* ---- to_spirv.c ---------------------------------------------------------------------------------------------- */

/* Appends the SPIR-V that clang makes of the program. */
void frontend_to_spirv(struct job *, struct blob source, const struct options *, struct buf *out);

/* ---- to_spirv_ready.c ---------------------------------------------------------------------------------------- */

void to_spirv_ready(struct job *, LLVMModuleRef);

/* ---- dependence.c: what an answer depends on besides its request --------------------------------------------- */

/* Whether the text spells a macro that tells the time or asks for files. */
bool dependence_names_world(struct blob text);
void dependence_hide_world(struct buf *); /* appends lines of OpenCL C that take these macros away */
/* Whether the rule for make that clang wrote names a file that isn't in one of the folders (NULL-terminated). */
bool dependence_on_files(const char *rule, const char *const *folders);
/* Whether the module has inline assembly, whose directives may read files. */
bool dependence_of_code(LLVMModuleRef);

/* ---- declare.c: built-in functions that clang doesn't declare ------------------------------------------------ */

/* Appends their declarations, as far as the source may use them; `has_files`: it may include others. */
void declare_functions(struct buf *, struct blob source, bool has_files);

/* ---- inner_locals.c: local variables that a kernel declares in an inner block ---------------------------------- */

void inner_locals_move(struct buf *,
                       struct blob program); /* appends the program, macros expanded, without them */

/* ---- blocks.c: blocks that kernels enqueue ------------------------------------------------------------------- */

bool block_is_kernel(LLVMValueRef function); /* one that clang made for a block which is enqueued */
void blocks_hide(LLVMModuleRef);             /* before linking: modules may have blocks of one name */
void blocks_bind(LLVMModuleRef); /* after it: calls that enqueue have the name of the block's kernel */

/* ---- indirect_calls.c: calls through pointers to functions ---------------------------------------------------- */

void function_forget_address(LLVMValueRef); /* what takes its address has NULL; calls of it stay */
#define CALL_BY_POINTER                                                                                      \
    "call.by.pointer" /* what chooses: no name of a program; its first argument is the pointer */
void
    indirect_calls_choose(LLVMModuleRef); /* of a linked program: calls of what chooses among its functions */

/* ---- program.c: linking, checks and metadata of programs ------------------------------------------------------ */

/* Links modules into one and checks that every function used is defined there, in the built-in library or
 * among the intrinsics of abi.h; otherwise fails with "undefined reference to 'name'" lines. */
LLVMModuleRef program_link(struct job *, LLVMModuleRef *, unsigned n, bool library);
/* Fills answer.meta from the module. The argument block's layout is decided here, once. */
void program_meta(struct job *, LLVMModuleRef, struct program_meta *);

/* ---- library.c: the built-in library ---------------------------------------------------------------------------- */

/* The first of the usual places, beside weirc or in the installed lib or share folder, that has the file; "" if none. */
bool library_find(const char *name, char path[PATH_MAX]);
void library_open(void);         /* once; later calls do nothing */
void library_need(struct job *); /* fails the request, and says why, if there is no library */
bool library_has(const char *function);
/* The names, as they are mangled, in their order; NULL: no more. */
const char *library_name(uint32_t i);
/* Links what the module needs, internalized. `one_row`: packs go through the work-group as one row (base.h: meta_is_one_row). */
void library_link(struct job *, LLVMModuleRef, bool one_row);

#endif
