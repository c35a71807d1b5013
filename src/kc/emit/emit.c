/* emit.c: modules to objects for the host.
 *
 * In: a module that is ready for code generation. Out: job->answer.output as request.emit says. Shared objects
 * that shared_object.c leaves are linked by `ld` from and to memory files, so that nothing is left behind whatever ends this
 * process.
 */
#include "emit.h"
#include "ir.h"

#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static LLVMMemoryBufferRef generate(struct job *job, LLVMModuleRef module, LLVMCodeGenFileType type) {
    LLVMMemoryBufferRef code;
    char *error = NULL;
    if (LLVMTargetMachineEmitToMemoryBuffer(target_machine(job), module, type, &error, &code))
        job_fail(job, ANSWER_COMPILER_FAILED, "code generation: %s", error);
    if (job->llvm_error)
        job_fail(job, ANSWER_COMPILER_FAILED, "code generation failed");
    return code;
}

/* A kernel's usual ingredients, so that the pages and tables they need are there before the fork. */
static const char warm_ir[] =
    "define void @warm(ptr noalias %a, ptr noalias %b, i64 %n) {\n"
    "entry:\n  %some = icmp ne i64 %n, 0\n  br i1 %some, label %loop, label %end\n"
    "loop:\n  %i = phi i64 [ 0, %entry ], [ %next, %loop ]\n"
    "  %pa = getelementptr inbounds float, ptr %a, i64 %i\n  %pb = getelementptr inbounds float, ptr %b, i64 "
    "%i\n"
    "  %x = load float, ptr %pa\n  %y = load float, ptr %pb\n  %m = fmul float %x, %y\n"
    "  %s = fadd float %m, %x\n  store float %s, ptr %pa\n"
    "  %next = add nuw nsw i64 %i, 1\n  %more = icmp ult i64 %next, %n\n"
    "  br i1 %more, label %loop, label %end\nend:\n  ret void\n}\n";

void emit_warm(void) {
    static bool done;
    if (done)
        return;
    done = true;
    struct request request = {0};
    struct job job = {.request = &request, .llvm = LLVMContextCreate()};
    if (setjmp(job.failed))
        return;
    LLVMModuleRef module = ir_read(&job, (struct blob){.data = warm_ir, .size = sizeof warm_ir - 1});
    target_retarget(&job, module);
    job_run_passes(&job, module, "default<O3>", target_optimizer(&job), "warming up");
    LLVMDisposeMemoryBuffer(generate(&job, module, LLVMObjectFile));
    LLVMContextDispose(job.llvm); /* and the module */
}

/* Whether a relocatable ELF64 object, as LLVM has just written it, refers to symbols of other objects. */
static bool has_undefined(const char *object) {
    const Elf64_Ehdr *header = (const void *)object;
    const Elf64_Shdr *sections = (const void *)(object + header->e_shoff);
    for (unsigned i = 0; i < header->e_shnum; i++) {
        if (sections[i].sh_type != SHT_SYMTAB)
            continue;
        const Elf64_Sym *symbols = (const void *)(object + sections[i].sh_offset);
        const char *names = object + sections[sections[i].sh_link].sh_offset;
        for (size_t s = 1; s < sections[i].sh_size / sizeof *symbols; s++)
            if (symbols[s].st_shndx == SHN_UNDEF &&
                strcmp(names + symbols[s].st_name, "_GLOBAL_OFFSET_TABLE_"))
                return true;
    }
    return false;
}

const char *emit_linker(void) {
    static const char *const paths[] = {"/usr/bin/ld", "/usr/local/bin/ld", "/bin/ld"};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
        if (!access(paths[i], X_OK))
            return paths[i];
    return NULL;
}

/* What shared_object.c doesn't know, as inline assembly can bring it. Anything undefined that the C, math and compiler
 * libraries lack is an error here, not at load time. */
static void link_shared(struct job *job, LLVMMemoryBufferRef object) {
    int out = job_fd(memfd_create("weir-kernel", MFD_CLOEXEC));
    if (out < 0)
        job_fail(job, ANSWER_COMPILER_FAILED, "cannot make a memory file: %s", strerror(errno));
    if (!emit_linker())
        job_fail(job, ANSWER_COMPILER_FAILED, "no linker: /usr/bin/ld is missing (package binutils)");
    char *path = job_printf("/proc/%d/fd/%d", proc_number(), out);
    char *argv[24] = {
        (char *)emit_linker(),
        "-shared",
        "-o",
        path,
        "-z",
        "now",
        "-z",
        "noexecstack",
        "-z",
        "defs",
        "-z",
        "noseparate-code",
        "--build-id=none",
        "--hash-style=gnu",
        "/proc/self/fd/0",
        NULL,
    };
    if (has_undefined(LLVMGetBufferStart(object))) {
        size_t n = 0;
        while (argv[n])
            n++;
        argv[n++] = "--as-needed";
        argv[n++] = "-l:libm.so.6";
        argv[n++] = "-l:libc.so.6";
        argv[n++] = "-l:libgcc_s.so.1";
    }
    struct buf messages = {0};
    int status = spawn_run(argv, LLVMGetBufferStart(object), LLVMGetBufferSize(object), &messages, &messages,
                           job_remaining_ms(job), 1 << 20);
    int error = errno;
    struct stat info;
    if (status < 0)
        job_fail(job, ANSWER_COMPILER_FAILED, "%s: %s", argv[0], strerror(error));
    job->killed = WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
    if (status || fstat(out, &info) || !info.st_size)
        job_fail(job, ANSWER_COMPILER_FAILED, "linking the kernel failed (status %#x):\n%s", status,
                 buf_cstr(&messages));
    buf_free(&messages);
    job->answer.output_size = (size_t)info.st_size;
    job->answer.output = job_alloc(job->answer.output_size);
    if (pread(out, job->answer.output, job->answer.output_size, 0) != info.st_size)
        job_fail(job, ANSWER_COMPILER_FAILED, "cannot read the kernel: %s", strerror(errno));
}

void emit_answer(struct job *job, LLVMModuleRef module) {
    struct answer *answer = &job->answer;
    if (job->request->emit == EMIT_LL) {
        char *text = LLVMPrintModuleToString(module);
        answer->output = (unsigned char *)job_strdup(text);
        answer->output_size = strlen(text);
        LLVMDisposeMessage(text);
        return;
    }
    LLVMMemoryBufferRef code =
        generate(job, module, job->request->emit == EMIT_ASM ? LLVMAssemblyFile : LLVMObjectFile);
    if (job->request->kind == REQUEST_GLOBALS || job->request->emit == EMIT_SO) {
        job_phase(job, "code generation");
        if (!shared_object_link(job, LLVMGetBufferStart(code), LLVMGetBufferSize(code)))
            link_shared(job, code);
        LLVMDisposeMemoryBuffer(code);
        job_phase(job, "linking the object");
        return;
    }
    answer->output_size = LLVMGetBufferSize(code);
    answer->output = memcpy(job_alloc(answer->output_size), LLVMGetBufferStart(code), answer->output_size);
    LLVMDisposeMemoryBuffer(code);
}
