/* program.h: programs, their builds, the code of their kernels and who compiles it, kernels and their arguments. A part of
 * rt.h, which includes it. */
#ifndef WEIR_PROGRAM_H
#define WEIR_PROGRAM_H

/* ---- program.c, program_info.c, binary.c, build.c ----------------------------------------------------------------- */

struct variant;
struct compiling; /* variant.c: what a thread is compiling just now */
/* One build result, immutable once published; kernels hold it, so that a rebuild doesn't disturb them. */
struct build {
    _Atomic uint32_t refs;
    struct program_meta meta;
    unsigned char *ir; /* linked bitcode */
    size_t ir_size;
    char *source;         /* for the checker's reports, if it is asked for; or NULL */
    pthread_mutex_t lock; /* guards what follows; never held while compiling */
    pthread_cond_t changed;
    struct variant *variants; /* compiled kernel objects of this build */
    struct compiling *compiling;
    void *globals;       /* program-scope variables, allocated at the first launch; NULL: not yet */
    size_t globals_size; /* of that block */
};
/* A device of a program and how its last build went. All devices share the one machine code. */
struct program_device {
    cl_device_id device; /* held */
    cl_build_status status;
};
struct _cl_program {
    struct object object;
    cl_context context; /* held */
    char *source;       /* all strings joined; NULL: made from SPIR-V, from binaries or by linking */
    unsigned char *il;  /* SPIR-V as it was given, or NULL */
    size_t il_size;     /* bytes */
    uint32_t *il_words; /* the same as it is compiled: in the host's order, with the constants set (`lock`) */
    bool from_binary;
    cl_uint ndevices;
    struct program_device *devices; /* the statuses are guarded by `lock` */
    pthread_mutex_t lock;           /* guards what follows */
    cl_build_status status;         /* of the last build, whatever its devices */
    pthread_cond_t built;           /* `status` is no longer CL_BUILD_IN_PROGRESS */
    cl_program_binary_type binary_type;
    char *options, *log;      /* NULL: empty */
    struct build *build;      /* executable: with metadata; compiled object or library: IR only; or NULL */
    struct buf binary;        /* what CL_PROGRAM_BINARIES gives for `build`: frozen at its first query */
    cl_uint attached_kernels; /* kernels alive: a rebuild is then CL_INVALID_OPERATION */
};
/* A program without content for these devices of the context, each once (NULL: all of them); NULL: out of memory. */
cl_program program_new(cl_context, cl_uint ndevices, const cl_device_id *);
/* The entry of a device; for sub-devices that aren't listed it is their next ancestor's. NULL: not one of its devices. */
struct program_device *program_device(cl_program, cl_device_id);
/* The status of a device's entry and of all listed sub-devices of it: they use what is built for their parent. */
void program_set_status_locked(cl_program, cl_device_id, cl_build_status);
/* Under no lock, but while a kernel of the program exists: until then nobody may build it again. */
bool program_is_built_for(cl_program, cl_device_id);
/* Checks a (num_devices, device_list) pair against the program's devices, or the context's when there is no
 * program yet; CL_SUCCESS, CL_INVALID_VALUE or CL_INVALID_DEVICE, reported. */
cl_int program_check_devices(const char *function, cl_context, cl_program, cl_uint n, const cl_device_id *);
/* Waits for the build in progress, if there is one: many programs that give a callback don't wait for it, as elsewhere it is
 * called before clBuildProgram returns. No callback runs before the build's end is published, so none waits for itself. */
void program_wait_locked(cl_program);
/* The executable of the program, held, when no build is in progress; NULL: there is none (not built, failed, or no executable). */
struct build *program_executable(cl_program);

struct build *build_new(void); /* empty, one reference; NULL: out of memory */
struct build *build_hold(struct build *);
void build_drop(struct build *);                                                /* NULL is allowed */
const struct kernel_meta *build_kernel(const struct build *, const char *name); /* NULL: none */
uint32_t build_nkernels(const struct build *); /* that the application sees: blocks come after them */

/* A program as bytes: type, options, IR, metadata and the objects built so far, checksummed. */
void binary_write(struct buf *, const struct build *, cl_program_binary_type, const char *options);
/* False: not one of ours, damaged, or out of memory; then nothing is kept. Objects for another machine or
 * from another compiler are left out. */
bool binary_read(const void *, size_t, struct build **, cl_program_binary_type *, char **options);

/* ---- elf.c ------------------------------------------------------------------------------------------------------------ */

/* Whether the dynamic linker can load the bytes (malloc'd, so aligned) as a kernel object without harm; if not, *what
 * names the part that isn't as weirc makes it. What the code does is not looked at. */
bool elf_is_sound(const void *bytes, size_t size, const char **what);

/* ---- line.c ----------------------------------------------------------------------------------------------------------- */

struct source_line {
    const char *folder, *file; /* in the object's file; a folder of "" is none */
    unsigned line;
};
/* The source line of the instruction at this address of a kernel object's file; false: not known. Async-signal-safe. */
bool line_of(const void *elf, size_t n, uint64_t address, struct source_line *);
/* The function that it is in, as the object names it; NULL: not known. Likewise. */
const char *line_function(const void *elf, size_t n, uint64_t address);

/* ---- variant.c: kernel objects, compiled on demand ------------------------------------------------------------------ */

struct variant { /* guarded by its build's lock until `entry` is set, then immutable; dies with its build */
    struct variant *next;
    const struct kernel_meta *kernel; /* NULL: the object that initializes program-scope variables */
    uint32_t local_size[3];           /* specialized for, or 0 */
    uint32_t width;                   /* work-items per pack that were asked for; 0: compiler's choice */
    struct constants constants;       /* specialized for: of images and samplers */
    const struct weir_kernel *entry;  /* in the loaded object; NULL: from a program binary, not loaded yet */
    void *handle;                     /* dlopen's */
    uint64_t base;                    /* what its addresses begin at */
    bool is_hasty;                    /* compiled with less effort */
    unsigned char *elf;               /* for CL_PROGRAM_BINARIES */
    size_t elf_size;
    const char *traced; /* WEIR_TRACE: the kernel's name, kept; else NULL */
    _Atomic float cost; /* of a work-group, for sched_range; not immutable */
};
bool kernel_is_checked(const struct kernel_meta *); /* by WEIR_CHECK, or its program's -weir-check */
void variant_free(struct variant *);                /* unloads it */
/* Finds, loads or compiles the variant for this local size (NULL: any) and these constants; width 0: as WEIR_WIDTH
 * or else the compiler says. Falls back to the generic variant when a kernel has many specialized ones or
 * WEIR_SPECIALIZE=0. Blocks while compiling.
 * NULL: *error is the CL code, *log (malloc'd, may be NULL) says why. */
struct variant *variant_get(struct build *, const struct kernel_meta *, const size_t *local,
                            const struct constants *, uint32_t width, cl_int *error, char **log);
/* Program-scope variables of a build: allocated and initialized at the first call. False as above. */
bool variant_globals(struct build *, void **globals, cl_int *error, char **log);

/* ---- weirc.c: the weirc process ------------------------------------------------------------------------------------- */

/* Absolute path of weirc, looked up once; NULL: there is none, and *why (static) says where it was sought. */
const char *weirc_path(const char **why);
/* Hands one end of a request's socket pair to the server, with what protocol_write_reading says of the request; the server
 * is started if none is alive. Returns its generation (never 0), or 0 with a sentence in `why`. Thread-safe, also after
 * fork. */
uint64_t weirc_send(int fd, const struct buf *reading, char *why, size_t why_size);
void weirc_copy_environment(
    void); /* what the next server gets, if none is alive: in a call of the application's */
bool weirc_alive(uint64_t generation);
bool weirc_stopped(uint64_t generation); /* by a signal: it won't answer */
void weirc_drop(uint64_t generation);    /* gives it up and kills it: the next request starts another */
void weirc_explain(char *why,
                   size_t); /* adds what keeps a compiler from working that ended by itself, if it is known */
void weirc_done(void);      /* ends what a weirc_send of a descriptor began */
void weirc_rest(void);      /* lets the server end, unless requests are under way */

/* ---- compiler.c, cache.c: requests to weirc ------------------------------------------------------------------------- */

/* Sends a request, through the cache, and gives the answer (free it with answer_free). A kernel that takes long is compiled
 * with less effort, and goes on being compiled for the cache. Thread-safe; starts weirc where needed and survives its
 * death. Never fails: an unreachable compiler is ANSWER_COMPILER_FAILED. */
void compiler_ask(const struct request *, struct answer *);
void compiler_unload(void); /* lets an idle server end; the next request starts another */
/* Identifies what kernel objects depend on besides the request: the compiler, the ABI, the host CPU. */
const char *compiler_identity(void);
/* Cache: entries are whole answers. A torn, foreign or absent entry is a miss. */
bool cache_load(const char key[33], struct buf *out);
void cache_store(const char key[33], const void *bytes, size_t n);
/* Keeps a kernel object as a file that dlopen, gdb and perf can use, named by its content, and gives the
 * file's path, malloc'd. NULL: the cache is off or unusable. */
char *cache_object(const void *elf, size_t n);

/* ---- kernel.c --------------------------------------------------------------------------------------------------------- */

struct kernel_arg {
    bool set;
    cl_command_queue queue; /* ARG_QUEUE; not held */
    cl_mem mem;             /* ARG_GLOBAL set with a memory object (not held: the application keeps it) */
    size_t local_bytes;     /* ARG_LOCAL */
};
/* What a launch takes besides arguments and sizes, and what depends only on its local size and constants. */
struct choice {
    struct variant *full, *rest; /* rest: of work-groups smaller than the local size; NULL: there are none */
    void *globals;               /* program-scope variables */
    size_t context_bytes;        /* that a worker needs */
};
struct _cl_kernel {
    struct object object;
    cl_program program;  /* held */
    struct build *build; /* held */
    const struct kernel_meta *meta;
    _Atomic cl_uint nunset;     /* arguments that aren't set yet */
    pthread_mutex_t lock;       /* guards what follows */
    struct kernel_arg *args;    /* meta->nargs */
    unsigned char *block;       /* argument block, meta->args_bytes */
    struct constants constants; /* what a variant can be made for, of the images and samplers in it */
    struct last {               /* what the last launch took, for those like it */
        size_t local[3];
        bool is_partial, large, apart;
        struct constants constants;
        struct choice choice; /* full NULL: there was none yet */
    } last;
    const void **svm_pointers; /* clSetKernelExecInfo */
    size_t nsvm_pointers;
    _Atomic bool detached; /* not counted in program->attached_kernels: the application has none of it */
};
/* A kernel with the same arguments, for the runtime's own use: one reference, and none of those that keep the program from
 * being built again. NULL: out of memory. */
cl_kernel kernel_copy(cl_kernel);
/* Snapshot of the arguments for a launch. In: where they go. */
struct snapshot {
    void *block;              /* meta->args_bytes; local arguments one after the other */
    cl_mem *mems;             /* room for nargs; held, also after an error */
    cl_command_queue *queues; /* the same, after the nqueues that are there; NULL: not wanted */
    cl_uint nmems, nqueues;
    size_t local_bytes; /* of local arguments */
    struct constants constants;
    bool apart;           /* no two of the buffers and blocks of shared memory overlap, and there are two */
    struct choice choice; /* if one is known for these sizes; else full is NULL */
    cl_uint bad_arg;      /* of an error */
};
/* All arguments are set. Returns CL_SUCCESS or CL_INVALID_KERNEL_ARGS: a handle isn't valid any more. */
cl_int kernel_snapshot(cl_kernel, const struct sizes *, struct snapshot *);
/* What a launch with this snapshot has taken. */
void kernel_remember(cl_kernel, const struct sizes *, const struct snapshot *);
/* Moves the local arguments of a block behind the `before` bytes of the kernel's own local memory; *local_total becomes the
 * bytes of all. */
void kernel_place_locals(const struct kernel_meta *, void *block, size_t before, size_t *local_total);
/* Lays a local argument out after `*total` bytes; false: no such amount exists. */
bool kernel_place_local(size_t *total, size_t bytes, uint64_t *offset);

/* ---- kernel_info.c: what queries, of the host and of kernels, tell --------------------------------------------------- */

size_t kernel_group_size(const struct kernel_meta *);     /* the largest */
size_t kernel_group_multiple(const struct kernel_meta *); /* the preferred one */
/* The largest sub-group in work-groups of that size; NULL: in any. */
size_t kernel_subgroup_size(const struct kernel_meta *, const size_t local[3]);
size_t kernel_subgroup_count(const struct kernel_meta *, const size_t local[3]);
/* The local size that gives `count` full sub-groups, into the `dims` numbers at `local`; zeros: there is none. */
void kernel_size_for_subgroups(const struct kernel_meta *, size_t count, size_t dims, size_t *local);
size_t kernel_most_subgroups(const struct kernel_meta *);

#endif
