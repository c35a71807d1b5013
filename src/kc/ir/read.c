/* read.c: modules from bitcode or text, all of them or what one function needs. */
#include "ir.h"
#include <string.h>

LLVMModuleRef ir_read(struct job *job, struct blob ir) {
    LLVMModuleRef module = NULL;
    if (ir.size >= 4 && !memcmp(ir.data, "BC\xc0\xde", 4)) {
        LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRange(ir.data, ir.size, "program", 0);
        if (LLVMParseBitcodeInContext2(job->llvm, buffer, &module))
            job_fail(job, ANSWER_COMPILER_FAILED, "the program's IR is damaged");
        LLVMDisposeMemoryBuffer(buffer);
        return module;
    }
    char *message = NULL;
    LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(ir.data, ir.size, "program");
    if (LLVMParseIRInContext(job->llvm, buffer, &module, &message))
        job_fail(job, ANSWER_COMPILER_FAILED, "the program is no IR: %s", message);
    return module;
}

/* A module's variable, and how it was to be seen. */
struct seen {
    const char *name;
    LLVMLinkage linkage;
};

/* The linker takes what is external, and of the rest what that needs: of functions, the one. Variables all stay, in their
 * order, which decides where they lie. */
static struct seen *choose(LLVMModuleRef module, LLVMValueRef wanted, size_t *n) {
    *n = 0;
    for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g))
        ++*n;
    struct seen *variables = job_alloc(*n * sizeof *variables), *to = variables;
    for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g)) {
        size_t length;
        *to++ = (struct seen){job_strdup(LLVMGetValueName2(g, &length)), LLVMGetLinkage(g)};
        if (!LLVMIsDeclaration(g))
            LLVMSetLinkage(g, LLVMExternalLinkage);
    }
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f) && f != wanted)
            LLVMSetLinkage(f, LLVMInternalLinkage);
    return variables;
}

LLVMModuleRef ir_read_function(struct job *job, struct blob ir, const char *name) {
    LLVMModuleRef lazy, module;
    if (ir.size < 4 || memcmp(ir.data, "BC\xc0\xde", 4))
        return ir_read(job, ir);
    LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRange(ir.data, ir.size, "program", 0);
    if (LLVMGetBitcodeModuleInContext2(job->llvm, buffer, &lazy))
        job_fail(job, ANSWER_COMPILER_FAILED, "the program's IR is damaged");
    LLVMValueRef wanted = LLVMGetNamedFunction(lazy, name);
    if (!wanted || LLVMIsDeclaration(wanted)) {
        LLVMDisposeModule(lazy);
        return ir_read(job, ir);
    }
    size_t n, length;
    struct seen *variables = choose(lazy, wanted, &n);
    module = LLVMModuleCreateWithNameInContext("program", job->llvm);
    LLVMSetTarget(module, LLVMGetTarget(lazy));
    LLVMSetDataLayout(module, LLVMGetDataLayoutStr(lazy));
    const char *source = LLVMGetSourceFileName(lazy, &length);
    LLVMSetSourceFileName(module, source, length);
    if (LLVMLinkModules2(module, lazy))
        job_fail(job, ANSWER_COMPILER_FAILED, "the program's IR is damaged");
    for (size_t i = 0; i < n; i++) {
        LLVMValueRef g = LLVMGetNamedGlobal(module, variables[i].name);
        if (g && !LLVMIsDeclaration(g))
            LLVMSetLinkage(g, variables[i].linkage);
    }
    return module;
}
