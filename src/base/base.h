/* base.h: what both processes (libweir.so, weirc) and the command line share. Needs only libc.
 * Sections in the order of the files that own them. */
#ifndef WEIR_BASE_H
#define WEIR_BASE_H

#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* ---- buf.c: growing byte buffers, and reading them back ------------------------------------------- */

/* A growing byte buffer. Zero-initialized is empty and valid. If memory runs out `failed` is set, what
 * was appended before stays, and later appends do nothing: check once at the end. */
struct buf {
    unsigned char *data;
    size_t size, cap;
    bool failed;
};
void buf_bytes(struct buf *, const void *bytes, size_t n);
void *buf_room(struct buf *, size_t n); /* n bytes after the last one, not in `size` yet; NULL if failed */
void buf_u32(struct buf *, uint32_t);
void buf_u64(struct buf *, uint64_t);
void buf_blob(struct buf *, const void *bytes, size_t n); /* u64 length, then the bytes */
void buf_str(struct buf *, const char *s);                /* as a blob, without the NUL; NULL as "" */
void buf_printf(struct buf *, const char *format, ...) __attribute__((format(printf, 2, 3)));
void buf_free(struct buf *); /* frees and empties */
/* As a JSON string, U+FFFD for what is no UTF-8; NULL as null. */
void buf_json(struct buf *, const char *);
/* OpenCL C that diagnostics and debuggers call by the name of its file. */
void buf_source(struct buf *, const char *path, const void *text, size_t n);
char *buf_cstr(struct buf *); /* NUL-terminates in place (size unchanged); NULL if failed */

/* A cursor over bytes it does not own. Reading past the end sets `failed` and yields zeros. */
struct cursor {
    const unsigned char *at, *end;
    bool failed;
};
struct cursor cursor_of(const void *bytes, size_t n);
uint32_t cursor_u32(struct cursor *);
uint64_t cursor_u64(struct cursor *);
const void *cursor_blob(struct cursor *, size_t *n); /* points into the input */
char *cursor_str(struct cursor *);                   /* malloc'd copy with NUL; NULL if failed */

/* ---- hash.c: content keys -------------------------------------------------------------------------- */

/* A 128-bit content hash (XXH3), streamed. Same bytes, same key, on every machine. */
struct hash {
    _Alignas(64) unsigned char state[576]; /* an XXH3_state_t, which only hash.c knows */
};
void hash_init(struct hash *);
void hash_bytes(struct hash *, const void *bytes, size_t n);
void hash_hex(const struct hash *, char out[33]); /* finishes a copy: the state can go on */

/* ---- log.c ------------------------------------------------------------------------------------------ */

enum log_level { LOG_NONE, LOG_ERROR, LOG_WARN, LOG_INFO, LOG_DEBUG };
/* Whether a message of this level would be written. Cheap. */
bool log_on(enum log_level);
/* Writes the text as it is to stderr, where messages go, in one piece if it can; with WEIR_LOG_FORMAT=json as one line of
 * JSON, of level "report", unless it is JSON (`is_json`). Thread-safe. */
void log_text(const char *text, bool is_json);
/* Writes "weir: message\n" to stderr as one write; with WEIR_LOG_FORMAT=json a line of JSON. Thread-safe. */
void log_write(enum log_level, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* What a message is about, for programs that read it: NULL is left out. `message` is for people, and has it all. */
struct log_error {
    const char *call, *error, *sentence, *way_out;
};
void log_error(const struct log_error *, const char *message); /* of level LOG_ERROR */
/* The same before there is an environment to ask. */
void log_line(bool json, enum log_level, const char *message);
uint64_t time_ns(void); /* CLOCK_MONOTONIC */

/* ---- env.c: every environment variable Weir reads, parsed once -------------------------------------- */

enum profile_by { PROFILE_ANY, PROFILE_TIMER };
/* WEIR_CHECK_OPTIONS=strict-scope,strict-writes,lockstep,lockstep=N: how the checker takes what programs leave open */
enum { CHECK_LOCKSTEP_MOST = 4096 };
#define CHECK_SUBGROUP UINT32_MAX /* lockstep: as many lanes as the device's sub-groups have */
struct check_options {
    bool strict_scope;  /* mem_fence orders the work-group alone, as it is written */
    bool strict_writes; /* two stores of one value are a race, too */
    uint32_t lockstep;  /* work-items in a row that execute in step; 0: none */
};
struct env {
    enum log_level log;    /* WEIR_LOG=none|error|warn|info|debug (default: none) */
    bool log_json;         /* WEIR_LOG_FORMAT=text|json */
    const char *cache_dir; /* WEIR_CACHE_DIR, else $XDG_CACHE_HOME/weir, else ~/.cache/weir; "" is off */
    unsigned cache_size;   /* WEIR_CACHE_SIZE: MiB (default 1024); beyond it the oldest entries go */
    unsigned cu;           /* WEIR_CU: compute units (worker threads); 0: one per usable core */
    unsigned width;        /* WEIR_WIDTH: work-items per pack; 0: compiler's choice */
    const char *cpu;       /* WEIR_CPU: an instruction set to compile for; NULL: the machine's */
    const char *compiler;  /* WEIR_COMPILER: path of weirc; NULL: found beside libweir.so */
    unsigned
        patience; /* WEIR_COMPILE_PATIENCE: milliseconds of a processor until less effort is tried beside (default 5000) */
    bool retry; /* WEIR_COMPILE_RETRY=0: what the compiler fails on fails the build (tests) */
    unsigned
        build_timeout; /* WEIR_BUILD_TIMEOUT: seconds of a processor one request may take (default 120) */
    unsigned
        compiler_memory; /* WEIR_COMPILER_MEMORY: MiB of all its requests together; 0: half of what is there */
    bool specialize;     /* WEIR_SPECIALIZE=0: only generic variants (tests) */
    bool check;          /* WEIR_CHECK=1: kernels are checked while they run */
    const char *trace;   /* WEIR_TRACE: a file for what happens when; NULL: none */
    unsigned trace_memory;      /* WEIR_TRACE_MEMORY: MiB of records that wait to be written (default 256) */
    const char *profile;        /* WEIR_PROFILE: a file for what lines take the time; NULL: none */
    unsigned profile_by;        /* WEIR_PROFILE_BY=perf|timer: enum profile_by */
    const char *check_report;   /* WEIR_CHECK_REPORT: a file for findings as JSON lines; NULL: none */
    const char *check_suppress; /* WEIR_CHECK_SUPPRESS: a file of findings not to be told; NULL: none */
    const char *check_notes;    /* WEIR_CHECK_NOTES: a file for what `weir check` sums up; NULL: none */
    struct check_options check_options; /* WEIR_CHECK_OPTIONS */
    unsigned check_exit; /* WEIR_CHECK_EXIT: the program's exit code if there are findings; 0: its own */
    unsigned
        check_deadlock; /* WEIR_CHECK_DEADLOCK: milliseconds without progress (default 10000); 0: never one */
    bool debug;         /* WEIR_DEBUG=1: kernels are built for debuggers, with -g and -cl-opt-disable */
    bool fault;         /* WEIR_FAULT=1: kernels that fault say where */
    unsigned report;    /* WEIR_REPORT=text|json (1: text): enum report_kind, for each kernel compiled */
};
const struct env *env_get(void); /* thread-safe; never NULL */
void env_quiet(void); /* before the first env_get: another process or library says which values are ignored */
const char *env_complaints(void); /* a line about each value that is ignored */
const char *
env_unknown(size_t *i); /* the next WEIR_NAME=VALUE, from *i on, that is no setting; NULL: there is no more */
char *env_file_name(
    const char *name);     /* with the process's number for %p; to be freed; NULL with errno: no memory */
bool wants_colour(int fd); /* it is a terminal that can, and NO_COLOR isn't set */
bool env_is_cpu(const char *name); /* one of x86-64's levels */

/* ---- spawn.c: child processes ------------------------------------------------------------------------ */

/* A running child, in its own process group; its descriptors, -1 for those it doesn't have. */
struct child {
    pid_t pid; /* -1: none */
    int input; /* the memory file that is its standard input */
    int gate;  /* write end of the pipe that it reads as descriptor 3 */
    int out, err;
};
#define NO_CHILD {-1, -1, -1, -1, -1}
enum { SPAWN_OUT = 1, SPAWN_ERR = 2, SPAWN_ERR_TO_OUT = 4 };
/* Starts argv[0] (a path) with a gate and an empty standard input; output that no flag asks for is discarded. All other
 * descriptors are closed in the child, which dies with the calling thread. False with errno: it can't be started. */
bool spawn_start(struct child *, char *const argv[], char *const environment[], unsigned flags);
/* A descriptor for what nobody reads: /dev/null, or one that takes nothing where there is no /dev. */
int spawn_nowhere(void);
/* Writes to its gate (at most PIPE_BUF bytes), and reads exactly `n` bytes of its output. False with errno; 0: it has
 * ended. */
bool spawn_tell(struct child *, const void *bytes, size_t n);
bool spawn_hear(struct child *, void *bytes, size_t n, unsigned timeout_ms);
/* Collects what it writes until its end. Kills the group after `timeout_ms` (0: never) or when out exceeds
 * `max_out` bytes (0: no limit). Returns the wait status, or -1 with errno (ETIMEDOUT, EFBIG, ...); a child that has
 * used up its limit of processor time is late, too. */
int spawn_finish(struct child *, struct buf *out, struct buf *err, unsigned timeout_ms, size_t max_out);
bool spawn_alive(const struct child *); /* whether there is one, still running */
void spawn_drop(struct child *);        /* kills it; one that isn't there is fine */
/* All of it: `out` and `err` may be NULL (discarded) or the same (merged). The time-out is one of the child's processor time,
 * in whole seconds, and ELAPSED_FACTOR times as much of the clock's. */
int spawn_run(char *const argv[], const void *in, size_t in_size, struct buf *out, struct buf *err,
              unsigned timeout_ms, size_t max_out);
#define ELAPSED_FACTOR 10

/* This process's number in /proc, which is another one than getpid's in a container whose /proc is an outer one. 0: there is
 * no /proc. */
int proc_number(void);

/* What a process dies of that has a fault, or finds one in itself, for lists of <signal.h>'s numbers. */
#define CRASH_SIGNALS SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT

/* ---- folder.c ------------------------------------------------------------------------------------------- */

/* Creates the folder, and those above it, for this user alone. False with errno: one can't be created; that somebody
 * else's or a read-only one doesn't take a new folder is no error here, as the folder may be there. */
bool folder_make(const char *path);
/* An O_PATH descriptor of the folder `name` below the folder `at`; or -1 with errno, EPERM if it isn't this user's or
 * others may write to it. The last part of a path from the root or the current directory (`at` is AT_FDCWD) may be a
 * symbolic link, a name below a folder may not. */
int folder_open(int at, const char *name);

/* ---- includes.c ------------------------------------------------------------------------------------------ */

/* Whether a program's bytes are a SPIR-V module, in either order of bytes, not OpenCL C. */
bool source_is_spirv(const void *source, size_t n);
/* Whether the OpenCL C text has directives that read files or look for them; true in doubt. */
bool source_reads_files(const void *text, size_t n);

/* ---- threads of the application ------------------------------------------------------------------------- */

/* pthread_cancel ends a thread inside the calls of the system that read, write and wait. What holds a lock or is half
 * done there keeps that off: until cancel_on, which takes what cancel_off returned, the thread goes on. */
static inline int cancel_off(void) {
    int before;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
    return before;
}
static inline void cancel_on(int before) {
    pthread_setcancelstate(before, NULL);
}

/* ---- write.c -------------------------------------------------------------------------------------------- */

/* As write(), but neither SIGPIPE nor SIGXFSZ comes of it, only EPIPE and EFBIG. */
ssize_t write_quietly(int fd, const void *bytes, size_t n);
bool write_all(int fd, const void *bytes, size_t n); /* likewise, all of it; false with errno */
/* Makes the file, or replaces it: where that fails, the file that was there stays. False with errno. */
bool replace_file(const char *path, const void *bytes, size_t n);

/* ---- output.c: files that a user asked for ---------------------------------------------------------------- */

enum output_kind {
    OUTPUT_TRACE,    /* WEIR_TRACE, weir trace -o */
    OUTPUT_PROFILE,  /* WEIR_PROFILE */
    OUTPUT_FINDINGS, /* WEIR_CHECK_REPORT */
    OUTPUT_NOTES,    /* WEIR_CHECK_NOTES */
    OUTPUT_PAGE,     /* weir trace --html */
    OUTPUT_SARIF,    /* weir check --sarif=FILE */
    OUTPUT_ARRAY,    /* weir run --out, in NumPy's format */
};
enum {
    OUTPUT_APPEND = 1,
    OUTPUT_THERE = 2
}; /* to what is in it; only if there is one, which is not emptied */
/* What each output of this kind begins with; for findings and notes each line. */
const char *output_head(enum output_kind);
/* Opens the file to write an output; -1 with errno, EEXIST if it is there and Weir didn't write it. */
int output_open(const char *path, enum output_kind, unsigned flags);
/* Opens it, writes all of it and closes it; false with errno. */
bool output_write(const char *path, enum output_kind, const struct buf *);
/* Whether that would work now, before the work that the output is about; false with errno. Leaves nothing behind. */
bool output_may_open(const char *path, enum output_kind);
/* Appends the sentence about an errno of these. */
void output_error(struct buf *, const char *path, enum output_kind, int error);
/* Says it in the log, of a file that a setting names (env_file_name). */
void output_log(const char *setting, enum output_kind, int error);
/* Whether that file may be opened now; else the log says why not. */
bool output_is_possible(const char *setting, enum output_kind);

/* ---- frame.c: messages over stream sockets and pipes --------------------------------------------------- */

/* A frame is a u64 length and that many bytes. Both retry on EINTR, never raise SIGPIPE, return false on
 * error or end of stream (errno 0: clean end; ETIMEDOUT). timeout_ms 0: wait forever. */
bool frame_send(int fd, const void *bytes, size_t n, unsigned timeout_ms);
bool frame_receive(int fd, struct buf *out, size_t max, unsigned timeout_ms);
/* One byte plus a descriptor over a Unix socket (SCM_RIGHTS). The received one is close-on-exec. */
bool frame_send_fd(int socket, int fd);
int frame_receive_fd(int socket); /* -1 with errno; errno 0 at end of stream */

/* ---- meant.c: mistyped words -------------------------------------------------------------------------- */
struct meant {
    const char *typed, *word; /* word: the nearest of those that were tried; NULL: none is near */
    size_t differences;
};
void meant_try(struct meant *, const char *word);

/* ---- cpu.c ---------------------------------------------------------------------------------------------- */

unsigned
cpu_vector_bits(void); /* of the widest vector registers that code for this machine uses: 128, 256 or 512 */

/* ---- limit.c -------------------------------------------------------------------------------------------- */

enum { LIMITS = 7 };
/* Whether limit i of this process, or of its control group, is too low for a compiler, its child: then the text says so. */
bool limit_is_short(unsigned i, char *text, size_t size);

/* ---- cgroup.c: what control groups leave to this process --------------------------------------------------- */

#define CGROUP_LIST  "/proc/self/cgroup"
#define CGROUP_MOUNT "/sys/fs/cgroup"
uint64_t cgroup_memory(const char *list, const char *mount);    /* bytes; UINT64_MAX: no limit */
uint64_t cgroup_cpu(const char *list, const char *mount);       /* thousandths of a processor, likewise */
uint64_t cgroup_processes(const char *list, const char *mount); /* and threads that may yet begin, likewise */

/* ---- meta.c: what the runtime knows of a program without looking at its IR ------------------------------ */

enum arg_kind {
    ARG_VALUE,  /* scalar, vector or struct by value */
    ARG_GLOBAL, /* pointer to global or constant memory: buffers and SVM */
    ARG_LOCAL,  /* pointer to local memory: the block holds an arena offset */
    ARG_IMAGE,
    ARG_SAMPLER,
    ARG_PIPE,
    ARG_QUEUE,
};
struct arg_meta {
    char *name, *type_name;
    uint32_t kind;         /* enum arg_kind */
    uint32_t address_qual; /* CL_KERNEL_ARG_ADDRESS_* */
    uint32_t access_qual;  /* CL_KERNEL_ARG_ACCESS_* */
    uint32_t type_qual;    /* CL_KERNEL_ARG_TYPE_* bits */
    uint32_t offset;       /* in the argument block, bytes */
    uint32_t size;         /* bytes that clSetKernelArg must be given (8 for pointers) */
    uint32_t align;
    uint32_t image_type; /* ARG_IMAGE: CL_MEM_OBJECT_IMAGE*, and ARG_IMAGE_DEPTH */
};
#define ARG_IMAGE_DEPTH 0x10000 /* image2d_depth_t and such */
struct kernel_meta {
    char *name;
    char *attributes; /* for CL_KERNEL_ATTRIBUTES */
    uint32_t nargs;
    struct arg_meta *args;
    uint32_t args_bytes;     /* of the whole argument block */
    uint32_t reqd_local[3];  /* reqd_work_group_size, or 0 */
    uint32_t hint_local[3];  /* work_group_size_hint, or 0 */
    uint32_t subgroup_size;  /* intel_reqd_sub_group_size, or 0 */
    uint32_t num_subgroups;  /* that a work-group has to have (SPIR-V's SubgroupsPerWorkgroup), or 0 */
    uint64_t local_bytes;    /* static local memory */
    uint64_t private_bytes;  /* an estimate from the IR */
    uint32_t has_barrier;    /* 1: calls a barrier or work-group collective */
    uint32_t uses_subgroups; /* 1: calls a function of sub-groups, or requires their size */
    uint32_t is_block;       /* 1: of a block that others enqueue, no kernel that the application sees */
    uint32_t enqueues;       /* 1: calls a function of queues on the device */
    uint32_t debug;          /* 1: built with -g: such functions say why they fail */
    uint32_t checked;        /* 1: built with -weir-check */
};
struct program_meta {
    uint32_t nkernels;
    struct kernel_meta *kernels; /* in source order, blocks last */
    uint64_t globals_bytes;      /* program-scope variables; 0: there are none */
    uint32_t has_constructors;   /* 1: something runs before the first kernel */
};
void meta_write(struct buf *, const struct program_meta *);
bool meta_read(struct cursor *, struct program_meta *); /* false: malformed, and nothing is kept */
void meta_free(struct program_meta *);                  /* frees the members */
/* The largest sub-group that a kernel has, a power of two: what it requires, else `asked`, else the 32-bit lanes of
 * this machine's vectors, but no more than it takes for a row (local size in x; 0: any), and so many that they divide each of
 * several rows: only the last sub-group of a work-group may be smaller. A sub-group is that many consecutive work-items of a
 * row, or what is left of one; or of the whole work-group in the order of linear ids: */
uint32_t meta_subgroup_size(const struct kernel_meta *, uint32_t asked, size_t row, size_t rows);
/* Whether sub-groups of `size` go over the ends of rows, for some would be smaller otherwise than the kernel requires, or than
 * others. */
bool meta_is_one_row(const struct kernel_meta *, uint32_t size, size_t row, size_t rows);
/* The rows that packs go through in a work-group of this size; `one_row`: all of it, as one (lib/cl/subgroup.cl has the same). */
struct group_rows {
    size_t length, count; /* work-items in each; how many */
};
struct group_rows meta_group_rows(const size_t local[3], bool one_row);
size_t meta_packs_of_row(struct group_rows, size_t width); /* the last one may be of fewer work-items */

/* ---- protocol.c: requests to weirc and its answers ------------------------------------------------------ */

#define WEIR_PROTOCOL 11

enum request_kind {
    REQUEST_COMPILE = 1, /* source, headers, options -> IR (clCompileProgram) */
    REQUEST_LINK,        /* IRs, options -> IR and metadata (clLinkProgram); options decide library or not */
    REQUEST_BUILD,       /* source, options -> IR and metadata (clBuildProgram) */
    REQUEST_KERNEL,      /* linked IR, kernel, variant -> ELF shared object */
    REQUEST_GLOBALS,     /* linked IR -> ELF shared object that initializes program-scope variables */
};
enum report_kind { REPORT_NONE, REPORT_TEXT, REPORT_JSON }; /* REQUEST_KERNEL: of what the compiler did */
enum effort { EFFORT_FULL, EFFORT_LESS, EFFORT_LEAST };     /* REQUEST_KERNEL: of the optimizer */
enum emit_kind { EMIT_SO, EMIT_LL, EMIT_ASM, EMIT_OBJ };    /* REQUEST_KERNEL: what to answer */

struct blob {
    const void *data; /* not owned */
    size_t size;
    const char *name; /* of a header, else NULL */
};
/* What is known of a kernel's arguments: of the first ones that are images their traits (abi.h), of samplers the value, of
 * local memory, if the kernel is checked, the size, in their order. None: code for any. */
#define MAX_CONSTANTS 16
struct constants {
    uint32_t n;
    uint64_t at[MAX_CONSTANTS]; /* from n on 0 */
};
/* In `width`: global ids may be 2^31 and more; private variables begin as zeros; what the kernel's arguments point to in global
 * memory are buffers of less than 2^31 bytes, none of which overlaps another; packs go over rows (meta_is_one_row), where the
 * local size isn't known. */
#define REQUEST_LARGE_IDS    0x10000
#define REQUEST_ZERO_PRIVATE 0x20000
#define REQUEST_APART        0x40000
#define REQUEST_ONE_ROW      0x80000
#define REQUEST_WIDTH        0xffff
struct request {
    uint32_t kind;       /* enum request_kind */
    const char *options; /* as given to the API; NULL is "" */
    struct blob source;  /* COMPILE, BUILD */
    struct blob *inputs; /* COMPILE: embedded headers with names; LINK: IRs; KERNEL, GLOBALS: one IR */
    uint32_t ninputs;
    const char *kernel;         /* KERNEL */
    uint32_t local_size[3];     /* KERNEL: to specialize for, or 0 for generic */
    uint32_t width;             /* KERNEL: work-items per pack, 0: compiler's choice; | REQUEST_* */
    struct constants constants; /* KERNEL: to specialize for */
    const char *cpu;            /* to compile for, as env_is_cpu knows; NULL: the machine's */
    uint32_t emit;              /* KERNEL: enum emit_kind */
    uint32_t report;            /* KERNEL: enum report_kind */
    uint32_t check; /* 1: KERNEL: look at accesses and barriers while it runs; else: it may be asked for */
    /* What follows is not part of the cache key. Times are a processor's; of the clock's it may be ELAPSED_FACTOR as much:
     * a busy machine takes nothing from a request, and one that hangs without computing ends, too. */
    uint32_t timeout_ms; /* weirc gives up after this; 0: never */
    uint32_t
        patience_ms; /* weirc sends an empty frame after this, and one more after twice as much again; 0: never */
    uint32_t effort; /* KERNEL: enum effort */
    const char *cwd; /* the host's directory: relative paths in `options` start there */
};
enum answer_status {
    ANSWER_OK,
    ANSWER_BUILD_FAILED,    /* the program's fault: the log says why */
    ANSWER_INVALID_OPTIONS, /* the log names the option */
    ANSWER_COMPILER_FAILED, /* ours or the machine's: crash, time-out, no memory */
};
struct answer {
    uint32_t status;       /* enum answer_status */
    uint32_t cacheable;    /* 0 when the answer depends on files or on the clock */
    char *log, *report;    /* never NULL after protocol_read_answer; report: KERNEL, as asked for */
    char *phases;          /* what took how long: lines of nanoseconds, a blank, a name */
    unsigned char *output; /* IR bitcode, ELF, or text (EMIT_*) */
    size_t output_size;
    struct program_meta meta; /* LINK, BUILD */
    uint32_t effort;          /* KERNEL: enum effort; whoever asked knows it, and fills this in */
};
void constants_write(struct buf *, const struct constants *);
void constants_read(struct cursor *, struct constants *);
/* The bytes of a request; what is part of the cache key comes first, so that `key_size` leading bytes identify the answer. */
void protocol_write_request(struct buf *, const struct request *, size_t *key_size);
/* What the server must know of a request to choose its worker: goes with the connection. */
struct reading {
    uint32_t reads_files; /* 0: nothing is included, by source or headers */
    char *options, *cwd;  /* of the request */
};
void protocol_write_reading(struct buf *, const struct request *);
bool protocol_read_reading(const void *bytes, size_t n, struct reading *); /* copies */
void reading_free(struct reading *);
/* Points into `bytes`, but for `inputs`, `options`, `kernel`, `cpu` and names, which are malloc'd. */
bool protocol_read_request(const void *bytes, size_t n, struct request *);
void request_free(struct request *); /* of one that was read */
void protocol_write_answer(struct buf *, const struct answer *);
bool protocol_read_answer(const void *bytes, size_t n, struct answer *); /* copies */
void answer_free(struct answer *);

#endif
