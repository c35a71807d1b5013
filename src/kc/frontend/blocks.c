/* blocks.c: blocks that kernels enqueue (OpenCL C 6.15.21).
 *
 * In: clang's modules, in which each enqueued block has a kernel of its own: it calls the block's function with the literal,
 * and a call of __enqueue_kernel_* names it. Blocks are not passed around in OpenCL C, so no call goes through
 * a literal's pointer to its function, and none through the kernel's.
 * Out: a program whose kernels know each other by name only: the calls have the name as a string, which the runtime looks
 * up, and literals have no pointer. So one kernel at a time can be compiled, and recursion by enqueueing is none. */
#include "frontend.h"
#include <string.h>

/* A block's function or kernel, by clang's names for them. */
static bool is_of_block(LLVMValueRef f) {
    size_t n;
    return strstr(LLVMGetValueName2(f, &n), "_block_invoke");
}

bool block_is_kernel(LLVMValueRef f) {
    size_t n;
    bool described = false; /* clang describes the arguments of the program's own kernels */
    if (LLVMGetFunctionCallConv(f) != LLVMPTXKernelCallConv || LLVMIsDeclaration(f) || !is_of_block(f)) {
        return false;
    }
    LLVMContextRef llvm = LLVMGetModuleContext(LLVMGetGlobalParent(f));
    unsigned kind = LLVMGetMDKindIDInContext(llvm, "kernel_arg_addr_space", 21);
    LLVMValueMetadataEntry *entries = LLVMGlobalCopyAllMetadata(f, &n);
    for (unsigned i = 0; i < n && !described; i++) {
        described = LLVMValueMetadataEntriesGetKind(entries, i) == kind;
    }
    LLVMDisposeValueMetadataEntries(entries);
    return !described;
}

void blocks_hide(LLVMModuleRef module) {
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        if (block_is_kernel(f)) {
            LLVMSetLinkage(f, LLVMInternalLinkage);
        }
    }
}

/* A string constant as a pointer of this type. */
static LLVMValueRef name_constant(LLVMModuleRef module, const char *name, LLVMTypeRef type) {
    LLVMContextRef llvm = LLVMGetModuleContext(module);
    LLVMValueRef text = LLVMConstStringInContext2(llvm, name, strlen(name), 0);
    LLVMValueRef global = LLVMAddGlobalInAddressSpace(module, LLVMTypeOf(text), "weir.block", AS_CONSTANT);
    LLVMSetInitializer(global, text);
    LLVMSetGlobalConstant(global, 1);
    LLVMSetLinkage(global, LLVMInternalLinkage);
    return LLVMConstAddrSpaceCast(global, type);
}

void blocks_bind(LLVMModuleRef module) {
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        if (!block_is_kernel(f)) {
            continue;
        }
        size_t n;
        LLVMValueRef name = name_constant(module, LLVMGetValueName2(f, &n), LLVMTypeOf(f));
        LLVMReplaceAllUsesWith(f, name); /* nothing calls it */
        LLVMSetLinkage(f, LLVMExternalLinkage);
    }
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        if (is_of_block(f) && !LLVMIsDeclaration(f)) {
            function_forget_address(f);
        }
    }
}
