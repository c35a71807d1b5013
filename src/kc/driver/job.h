/* job.h: one request's state, its memory and its failures. Every stage includes it.
 *
 * What a job allocates is given back at its end, so nothing else frees, and no state crosses requests but what is the same
 * for all of them: the built-in library's index, the code generator, and a clang that forks. */
#ifndef WEIR_KC_JOB_H
#define WEIR_KC_JOB_H

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
    jmp_buf failed;         /* where job_fail goes */
    uint64_t limit_ns;      /* of this process's processor time; 0: none */
    uint64_t phase_ns;      /* when the current phase began */
    uint64_t phase_used_ns; /* what job_used_ns said then */
    bool llvm_error;        /* LLVM reported an error: the request fails */
    bool only_compiles;     /* this process makes no code */
    bool shown;             /* debuggers show the kernel's variables (kernel.shown) */
    bool killed;            /* a program that it ran was killed from outside: worth another try */
};
void *job_alloc(
    size_t); /* zeroed; until job_end; never NULL (ends the process with a message when memory is out) */
int job_fd(int fd);                 /* to be closed by job_end; returns it */
_Noreturn void job_no_memory(void); /* ends the process: the server answers for its child */
char *job_strdup(const char *);
char *job_printf(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Appends the message to the log, sets the status (enum answer_status), and leaves the request. */
_Noreturn void job_fail(struct job *, uint32_t status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void job_check(struct job *, LLVMErrorRef, const char *what); /* consumes; fails the job on error */
/* Runs a pipeline of LLVM's passes, for a processor (NULL: whichever); fails the job on error. */
void job_run_passes(struct job *, LLVMModuleRef, const char *passes, LLVMTargetMachineRef, const char *what);
uint64_t job_used_ns(void);  /* this process's processor time */
extern bool job_shows_times; /* weirc --time: phases and rows say what they took of that */
unsigned
job_remaining_ms(const struct job *); /* of processor time until the limit, at least 1; 0: there is none */
void job_phase(
    struct job *,
    const char *done); /* the time since the last phase's end: for the answer, and WEIR_LOG=debug */
/* Serves one request: never fails but by its answer. What the answer points to lasts until job_end. */
void job_run(struct job *);
void job_end(void); /* gives back the memory and descriptors of all jobs so far */

#endif
