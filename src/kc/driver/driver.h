/* driver.h: the compiler process: its server, and the table of passes. */
#ifndef WEIR_KC_DRIVER_H
#define WEIR_KC_DRIVER_H

#include "kernel.h"

/* ---- server.c: many requests, handed out to workers -------------------------------------------------------------------- */

/* Serves request connections received over the control socket until its end. Returns main's status. */
int server_run(int control);

/* ---- worker.c: a process that serves one at a time --------------------------------------------------------------------- */

struct folders;
/* Serves connections from the socket `server` for good, sandboxed: it can read those folders. `parent`: the process that
 * it ends with; `is_first`: what the kernel lacks of the sandbox is worth a warning. */
_Noreturn void worker_run(int server, pid_t parent, const struct folders *, bool is_first);
/* LLVM and clang recurse over deep expressions: lets this process, and those that it starts, do so. */
void worker_limit_stack(void);
/* The frame of an answer that the compiler failed, for this reason. */
void worker_failure(struct buf *frame, const char *log);

/* ---- memory.c ---- */

/* Bytes that all requests of a server may take together. */
size_t memory_limit(void);
/* What each worker and the programs that it runs take, in bytes: pages of their own. An id of 0 takes nothing. It reads
 * all of /proc. */
void memory_look(const pid_t *workers, size_t n, size_t *taken);

/* ---- pipeline.c: kernel IR to code ---- */

/* Program IR to a module with one WEIR_KERNEL_SYMBOL, optimized and ready to emit; but if the kernel `keeps_vectors`, that is to be done
 * anew, with the IR as it was, and this kernel as the one `before` (else NULL): work-items run one by one then. */
struct kernel *pipeline_kernel(struct job *, LLVMModuleRef, const struct program_meta *,
                               const struct kernel *before);
void pipeline_rows(
    struct kernel *); /* all of the table, for a kernel that is filled in up to `entry` and `target` */
/* weirc --print-after=ROW, --stop-after=ROW; NULL: none */
extern const char *pipeline_print_after, *pipeline_stop_after;
/* weirc --print-analysis: where to write what analyses find; NULL: nowhere */
extern struct buf *pipeline_analysis;
bool pipeline_has(const char *row); /* in the table of passes */
void pipeline_names(struct buf *);  /* of its rows, with blanks between */
extern bool pipeline_verify;        /* after each row; it costs a tenth of the time */

void link_pass(struct kernel *); /* pipeline.c */

/* ---- constructors.c ---- */

struct constructors;
void constructors_drop(LLVMModuleRef); /* the list of them: kernels don't call any */
/* Puts the constructors of program-scope objects into the module as a work-group function, and drops the list. */
void constructors_make(struct job *, LLVMModuleRef, struct constructors *);

#endif
