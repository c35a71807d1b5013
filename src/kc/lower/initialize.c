/* initialize.c: private memory begins as zeros, if the request asks for it (CL_CONTEXT_MEMORY_INITIALIZE_KHR).
 *
 * Needs variables as clang made them, allocas in entry blocks, in the kernel and in what it calls. Gives each of them a
 * memset in front of everything; what a program writes first anyway is optimized away again. Marks of lifetimes go, for
 * they would end what was written before them. */
#include "lower.h"

static void drop_lifetimes(LLVMValueRef function) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
        LLVMValueRef next;
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = next) {
            next = LLVMGetNextInstruction(i);
            if (ir_is_intrinsic(i, "llvm.lifetime.")) {
                LLVMInstructionEraseFromParent(i);
            }
        }
    }
}

static void zero(struct kernel *k, LLVMBuilderRef b, LLVMValueRef variable) {
    LLVMTypeRef i8 = LLVMInt8TypeInContext(k->llvm), i64 = LLVMInt64TypeInContext(k->llvm);
    uint64_t size = LLVMABISizeOfType(LLVMGetModuleDataLayout(k->module), LLVMGetAllocatedType(variable));
    LLVMBuildMemSet(b, variable, LLVMConstNull(i8), LLVMConstInt(i64, size, 0), LLVMGetAlignment(variable));
}

void initialize_pass(struct kernel *k) {
    if (!(k->job->request->width & REQUEST_ZERO_PRIVATE)) {
        return;
    }
    LLVMBuilderRef b = LLVMCreateBuilderInContext(k->llvm);
    for (LLVMValueRef f = LLVMGetFirstFunction(k->module); f; f = LLVMGetNextFunction(f)) {
        if (LLVMIsDeclaration(f)) {
            continue;
        }
        LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(f);
        LLVMValueRef first = LLVMGetFirstInstruction(entry);
        drop_lifetimes(f);
        while (LLVMIsAAllocaInst(first)) {
            first = LLVMGetNextInstruction(first);
        }
        LLVMPositionBuilderBefore(b, first);
        for (LLVMValueRef i = LLVMGetFirstInstruction(entry); LLVMIsAAllocaInst(i);
             i = LLVMGetNextInstruction(i)) {
            zero(k, b, i);
        }
    }
    LLVMDisposeBuilder(b);
}
