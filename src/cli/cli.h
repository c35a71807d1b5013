/* cli.h: the parts of `weir`, the command line. Sections in the order of the files that own them.
 *
 * `weir` is an ordinary OpenCL program: it reaches libweir through the ICD loader, and the compiler's
 * protocol (base.h) only for `compile --emit`. Exit codes: 0 done, 1 the program's or machine's fault,
 * 2 usage.
 */
#ifndef WEIR_CLI_H
#define WEIR_CLI_H

#define _GNU_SOURCE
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <CL/cl_ext.h>

#include "base.h"

enum exit_code { EXIT_DONE, EXIT_FAULT, EXIT_USAGE };

/* ---- main.c ------------------------------------------------------------------------------------------- */

struct command {
    const char *name, *summary;
    int (*run)(int argc, char **argv); /* argv[0] is the command's name; returns an exit code */
    const char *help, *more_help;      /* the --help text; more_help may be NULL */
};
extern const struct command command_info, command_run, command_compile, command_check, command_cache,
    command_trace, command_doctor, command_bench;

/* Prints the command's help, on terminals folded to their width. */
int help_print(const struct command *);
/* Prints "weir: message" to stderr and exits with `code`; for EXIT_USAGE points to --help. */
_Noreturn void die(enum exit_code code, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Next option of a command, as getopt_long gives it. --help prints and exits, bad options are usage errors. */
struct option;
int next_option(const struct command *, int argc, char **argv, const struct option *);
void *must_alloc(size_t); /* zeroed; exits when memory is out */
char *must_printf(const char *format, ...) __attribute__((format(printf, 1, 2)));
bool parse_uint(const char *text, uint64_t *value);                 /* whole text, base 10 or 0x; no sign */
bool parse_sizes(const char *text, size_t sizes[3], unsigned *dim); /* "64", "64,8", "64,8,2" */
bool read_file(const char *path, struct buf *out);                  /* false: errno */
/* An output, in place of an earlier one of its kind alone; exits with what is wrong. */
void write_output(const char *path, enum output_kind, const struct buf *);
void check_output(const char *path, enum output_kind); /* likewise, before there is one */
double median(double *values, size_t n);               /* of one at least; sorts them */
char *self_directory(void);                            /* where the running binary lies; malloc'd */

/* ---- target.c: platform, device, program ---------------------------------------------------------------- */

struct target {
    cl_platform_id platform;
    cl_device_id device;
    cl_context context; /* NULL until target_context */
    bool is_weir;
};
/* Finds the platform whose name contains `name` (any case; NULL: Weir) and its first device; exits with a
 * list of what is there if there is none. Must come before any other OpenCL call: points the loader to the
 * libweir that belongs to this binary when neither the user nor the system has chosen one. */
struct target target_open(const char *name);
char *
target_icd_folder(void); /* that of the .icd file that names it, malloc'd; NULL: not beside this binary */
/* That part alone, for programs that this one starts: they find this Weir and no other platform, unless OCL_ICD_VENDORS
 * is set. */
void target_point_loader(void);
char *target_unused(void); /* why a program that was started then may not have used Weir: "; ...", or "" */
void target_context(struct target *);
/* Builds the file's source, or the program binary it holds. Exits with the build log on failure. */
cl_program target_build(const struct target *, const char *path, const char *options);
char *platform_string(cl_platform_id, cl_platform_info);
char *device_string(cl_device_id, cl_device_info);
/* Exits with "what: CL_NAME (code)" unless the code is CL_SUCCESS. */
void cl_must(cl_int, const char *what);
const char *cl_name(cl_int code);

/* ---- compile.c: the compiler's process -------------------------------------------------------------------- */

char *compiler_path(void); /* of the weirc that the loaded libweir uses; malloc'd, NULL: not there */
char *compiler_version(const char *path); /* its --version, malloc'd; "" if it doesn't answer */
char *compiler_sandbox(const char *path,
                       bool *is_whole); /* what limits it, likewise, and whether all does that can */

/* ---- cache.c ------------------------------------------------------------------------------------------------ */

struct cache_size {
    size_t entries;
    uint64_t bytes;
};
struct cache_size cache_measure(void);

/* ---- progress.c --------------------------------------------------------------------------------------------- */

struct progress {
    const char *what;
    bool wanted, is_shown;
    uint64_t next_ns;
};
struct progress progress_begin(const char *what);
void progress_show(struct progress *, uint64_t done,
                   uint64_t total);   /* as often as one likes: it draws now and then */
void progress_end(struct progress *); /* the line is clean again */

/* ---- temporary.c -------------------------------------------------------------------------------------------- */

bool temporary_make(char *why, size_t); /* false: it can't be made */
const char *temporary_folder(void);     /* exits where it can't be made */
char *temporary_path(const char *name); /* of a file in it, malloc'd */
void temporary_remove(void);            /* where the process ends without exit() */

/* ---- program.c ---------------------------------------------------------------------------------------------- */

/* Runs it; `to_stderr`: what it prints goes there. 0 with its exit code (128 + signal) and the signal that ended it, or
 * the errno of why it could not be started. */
int program_run(char **command, bool to_stderr, int *code, int *signaled);

/* ---- json.c ------------------------------------------------------------------------------------------------- */

struct json {
    struct json *next, *first; /* of an object or array: its members */
    char *name;                /* of a member of an object */
    char *text;                /* of a string; else NULL */
    double number;             /* of true 1, of false 0 */
    bool is_null;
};
struct json *json_read(const char *bytes, size_t n); /* a NUL follows the bytes; NULL: it isn't JSON */
void json_free(struct json *);
const struct json *json_field(const struct json *, const char *name); /* NULL: there is none */
const char *json_text(const struct json *, const char *name);         /* "": none, or no string */
uint64_t json_number(const struct json *, const char *name);          /* 0: none */

/* ---- listing.c: a report beside its source ----------------------------------------------------------------- */

/* Of one kernel's report, which must live as long, and a profile of it (WEIR_PROFILE's line) or NULL. `beside`: a
 * file whose folder others are looked for in first, which must live as long; NULL: none. */
struct listing *listing_new(const struct json *report, const struct json *profile, const char *beside);
void listing_text(struct buf *, const struct listing *, bool colour);
void listing_json(struct buf *, const struct listing *); /* for the page of weir trace --html */
void listing_free(struct listing *);

/* ---- profile.c: where kernels spend their time -------------------------------------------------------------- */

struct profile {
    struct json *about;    /* the samples: method, samples, elsewhere, lost, threads */
    struct json **kernels; /* most samples first */
    size_t nkernels;
};
bool profile_read(struct profile *, const char *path); /* a file of WEIR_PROFILE; false: it isn't one */
void profile_free(struct profile *);
/* `weir run` once more with these arguments as a process that is profiled, and the listing of its kernel. `by`: perf, timer
 * or "". Returns its exit code. */
int profile_run(char **argv, const char *by, const char *file, const char *kernel, const char *platform);

/* ---- sarif.c ------------------------------------------------------------------------------------------------ */

struct checked_run {     /* of `weir check` */
    const char *command; /* as it was given */
    bool was_checked;    /* some kernel was */
    int code, signal;    /* how the program ended; signal 0: by itself */
};
void sarif_write(struct buf *, const struct json *findings, const struct checked_run *);

/* ---- types.c: OpenCL C's scalar and vector types ----------------------------------------------------------- */

enum type_class { TYPE_INT, TYPE_UINT, TYPE_FLOAT };
struct type {
    const char *name; /* of the scalar */
    const char *npy;  /* numpy's descr without byte order, as "f4" */
    enum type_class class;
    unsigned bytes; /* of the scalar */
    unsigned lanes; /* 1, 2, 3, 4, 8, 16 */
};
size_t type_size(const struct type *);                      /* 3 lanes take the room of 4 */
bool type_parse(const char *name, size_t n, struct type *); /* "float4"; false: not one of them */
char *type_name(const struct type *);
bool type_scan(const struct type *, const char **text, void *out); /* reads one scalar, advances text */
void type_set(const struct type *, void *out, double value);       /* stores one scalar */
void type_print(const struct type *, const void *element);         /* one element, "(a, b)" for vectors */

/* ---- npy.c: numpy's array files ----------------------------------------------------------------------------- */

bool npy_is(const void *bytes, size_t n);
/* Finds the data of a little-endian, C-ordered array of scalars of this type; returns NULL, or a message. */
const char *npy_read(const void *bytes, size_t n, const struct type *, const void **data, size_t *data_size);
void npy_write(struct buf *, const struct type *, size_t count,
               const void *data); /* (count,) or (count, lanes) */

/* ---- args.c: the grammar of `run --arg` ---------------------------------------------------------------------- */

/* What the kernel says of a parameter. */
struct param {
    cl_uint index;
    char *name, *type_name;
    bool known; /* false: no argument info, the next two are guesses */
    cl_kernel_arg_address_qualifier space;
    bool is_const;
};
/* One argument, ready to set. */
struct arg {
    enum { KIND_BUFFER, KIND_VALUE, KIND_LOCAL } kind;
    struct param param;
    struct type type;
    size_t count; /* elements of a buffer or local array */
    size_t bytes;
    unsigned char *data; /* initial contents, or the value; NULL for local arrays */
    bool is_out;
    const char *out_path; /* --out */
    cl_mem mem;
};
/* Turns the text of --arg into an argument; `items` is the default count. Exits on a usage error that
 * names the parameter. */
void arg_parse(struct arg *, const char *text, const struct param *, size_t items);
extern const char arg_help[];

#endif
