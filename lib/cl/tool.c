/* tool.c: makes build/weir-builtins.a, at build time only.
 *
 * usage: builtins-tool OUT.a LIBCLC.bc OURS.bc...
 * In: libclc for nvptx64 and our own built-ins, compiled for the same triple. Out: modules for the host in which
 * ours take the place of libclc's of the same name, ready to be linked (archive.c): every function is linkonce_odr,
 * has lost what belongs to the foreign target, is simplified, and keeps `convergent` only where it can reach a
 * barrier. */
#include "tool.h"

#include <llvm-c/BitReader.h>
#include <llvm-c/Comdat.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/Error.h>
#include <llvm-c/Linker.h>
#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static LLVMContextRef context;

void fail(const char *what, const char *why) {
    fprintf(stderr, "builtins-tool: %s: %s\n", what, why);
    exit(1);
}

static LLVMModuleRef load(const char *path) {
    LLVMMemoryBufferRef buffer;
    LLVMModuleRef module;
    char *message = NULL;
    if (LLVMCreateMemoryBufferWithContentsOfFile(path, &buffer, &message)) {
        fail(path, message);
    }
    if (LLVMParseBitcodeInContext2(context, buffer, &module)) {
        fail(path, "not bitcode");
    }
    return module;
}

static const char *name_of(LLVMValueRef f) {
    size_t n;
    return LLVMGetValueName2(f, &n);
}

/* Functions that ours replace become declarations, for which the linker takes ours. The body goes, or, where ours
 * declare it as "__libclc" before the name, takes that name. */
static void drop_replaced(LLVMModuleRef library, LLVMModuleRef ours) {
    for (LLVMValueRef f = LLVMGetFirstFunction(ours); f; f = LLVMGetNextFunction(f)) {
        LLVMValueRef old = LLVMIsDeclaration(f) ? NULL : LLVMGetNamedFunction(library, name_of(f));
        if (!old || LLVMIsDeclaration(old)) {
            continue;
        }
        char kept[256];
        size_t n = (size_t)snprintf(kept, sizeof kept, "__libclc%s", name_of(f));
        LLVMReplaceAllUsesWith(old, LLVMAddFunction(library, "", LLVMGlobalGetValueType(old)));
        LLVMValueRef bare = LLVMGetLastFunction(library);
        if (LLVMGetNamedFunction(ours, kept)) {
            LLVMSetValueName2(old, kept, n);
        } else {
            LLVMDeleteFunction(old);
        }
        LLVMSetValueName2(bare, name_of(f), strlen(name_of(f)));
    }
}

static void remove_attribute(LLVMValueRef f, const char *name) {
    LLVMRemoveEnumAttributeAtIndex(f, (unsigned)LLVMAttributeFunctionIndex,
                                   LLVMGetEnumAttributeKindForName(name, strlen(name)));
}

/* libclc calls its own helpers as fastcc: a call that disagrees with its function is undefined, and poison. */
static void plain_calls(LLVMValueRef f) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            if (LLVMIsACallInst(i)) {
                LLVMSetInstructionCallConv(i, LLVMCCallConv);
            }
        }
    }
}

static LLVMValueRef splat(LLVMTypeRef type, LLVMValueRef element) {
    LLVMValueRef elements[16];
    if (LLVMGetTypeKind(type) != LLVMVectorTypeKind) {
        return element;
    }
    for (int i = 0; i < 16; i++) {
        elements[i] = element;
    }
    return LLVMConstVector(elements, LLVMGetVectorSize(type));
}

static LLVMTypeRef element_of(LLVMTypeRef type) {
    return LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetElementType(type) : type;
}

/* fptosi of any value: the nearest integer there is, 0 for a NaN. */
static void saturate(LLVMBuilderRef b, LLVMValueRef conversion) {
    LLVMValueRef x = LLVMGetOperand(conversion, 0), next = LLVMGetNextInstruction(conversion);
    LLVMTypeRef from = LLVMTypeOf(x), to = LLVMTypeOf(conversion), integer = element_of(to);
    unsigned bits = LLVMGetIntTypeWidth(integer);
    uint64_t least = UINT64_C(1) << (bits - 1);
    LLVMPositionBuilderBefore(b, next);
    LLVMValueRef limit = splat(from, LLVMConstReal(element_of(from), (double)least));
    LLVMValueRef below = splat(from, LLVMConstReal(element_of(from), -(double)least));
    LLVMValueRef not_less = LLVMBuildFCmp(b, LLVMRealOGE, x, below, "");
    LLVMValueRef fits =
        LLVMBuildSelect(b, not_less, conversion, splat(to, LLVMConstInt(integer, least, 0)), "");
    LLVMValueRef large = LLVMBuildFCmp(b, LLVMRealOGE, x, limit, "");
    LLVMValueRef capped = LLVMBuildSelect(b, large, splat(to, LLVMConstInt(integer, least - 1, 0)), fits, "");
    LLVMValueRef nan = LLVMBuildFCmp(b, LLVMRealUNO, x, x, "");
    LLVMValueRef result = LLVMBuildSelect(b, nan, LLVMConstNull(to), capped, "");
    LLVMReplaceAllUsesWith(conversion, result);
    LLVMSetOperand(fits, 1, conversion);
}

/* libclc's mathematics convert values out of range and mend the result later, even use it as an index into a
 * table, as a GPU's conversion allows. Programs' own conversions of that kind stay as cheap as the host's. */
static void saturate_conversions(LLVMModuleRef library) {
    LLVMBuilderRef b = LLVMCreateBuilderInContext(context);
    for (LLVMValueRef f = LLVMGetFirstFunction(library); f; f = LLVMGetNextFunction(f)) {
        if (strstr(name_of(f), "convert_")) {
            continue;
        }
        for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block;
             block = LLVMGetNextBasicBlock(block)) {
            for (LLVMValueRef next, i = LLVMGetFirstInstruction(block); i; i = next) {
                next = LLVMGetNextInstruction(i);
                if (LLVMGetInstructionOpcode(i) == LLVMFPToSI) {
                    saturate(b, i);
                }
            }
        }
    }
    LLVMDisposeBuilder(b);
}

/* fmin and fmax as OpenCL has them: of 0 and -0 either is a result. libclc asks for -0 as the lesser one, for which processors of
 * x86-64 choose by signs before they compare, those that compute with single numbers by a branch. */
static void leave_zeros_open(LLVMModuleRef library) {
    static const struct {
        const char *ordered, *open;
    } functions[] = {{"llvm.minimumnum.", "llvm.minnum"}, {"llvm.maximumnum.", "llvm.maxnum"}};
    for (LLVMValueRef f = LLVMGetFirstFunction(library); f; f = LLVMGetNextFunction(f)) {
        for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
            if (!strncmp(name_of(f), functions[i].ordered, strlen(functions[i].ordered))) {
                LLVMTypeRef type = LLVMGetReturnType(LLVMGlobalGetValueType(f));
                unsigned id = LLVMLookupIntrinsicID(functions[i].open, strlen(functions[i].open));
                LLVMReplaceAllUsesWith(f, LLVMGetIntrinsicDeclaration(library, id, &type, 1));
            }
        }
    }
}

static void neutralize(LLVMValueRef f) {
    static const char *const strings[] = {"target-cpu",
                                          "target-features",
                                          "tune-cpu",
                                          "min-legal-vector-width",
                                          "no-builtins",
                                          "no-trapping-math",
                                          "stack-protector-buffer-size",
                                          "uniform-work-group-size"};
    for (size_t i = 0; i < sizeof strings / sizeof *strings; i++) {
        LLVMRemoveStringAttributeAtIndex(f, (unsigned)LLVMAttributeFunctionIndex, strings[i],
                                         (unsigned)strlen(strings[i]));
    }
    if (!strstr(name_of(f), "__weir_lane_")) { // which LLVM would inline into every lane
        remove_attribute(f, "noinline");
    }
    remove_attribute(f, "optnone");
    remove_attribute(f, "alwaysinline");
    LLVMSetFunctionCallConv(f, LLVMCCallConv);
    plain_calls(f);
    if (!LLVMIsDeclaration(f)) {
        LLVMSetLinkage(f, LLVMLinkOnceODRLinkage);
        LLVMSetVisibility(f, LLVMDefaultVisibility);
        LLVMSetComdat(f, NULL);
    }
}

/* Functions of images are written once for all types: those of each type have them inlined and folded, which is a third of
 * the code that kernels would have to fold. */
static void inline_helpers(LLVMModuleRef library) {
    LLVMAttributeRef always =
        LLVMCreateEnumAttribute(context, LLVMGetEnumAttributeKindForName("alwaysinline", 12), 0);
    for (LLVMValueRef f = LLVMGetFirstFunction(library); f; f = LLVMGetNextFunction(f)) {
        if (!LLVMIsDeclaration(f) && !strncmp(name_of(f), "image_", 6)) {
            LLVMSetLinkage(f, LLVMInternalLinkage);
            LLVMAddAttributeAtIndex(f, (unsigned)LLVMAttributeFunctionIndex, always);
        }
    }
}

/* Marks callers of `f`, and theirs, as reaching a barrier, by the string attribute that is removed at the end. */
static void mark_callers(LLVMValueRef f) {
    for (LLVMUseRef u = LLVMGetFirstUse(f); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        if (!LLVMIsACallInst(user)) {
            continue;
        }
        LLVMValueRef caller = LLVMGetBasicBlockParent(LLVMGetInstructionParent(user));
        if (!LLVMGetStringAttributeAtIndex(caller, (unsigned)LLVMAttributeFunctionIndex, "weir-barrier",
                                           12)) {
            LLVMAddTargetDependentFunctionAttr(caller, "weir-barrier", "true");
            mark_callers(caller);
        }
    }
}

/* Intrinsics whose meaning depends on which work-items call together. */
static bool is_collective(LLVMValueRef f) {
    const char *name = name_of(f);
    return !strncmp(name, "__weir_barrier", 14) ||
           (!strncmp(name, "__weir_sub_", 11) && strcmp(name + 11, "base") && strcmp(name + 11, "lane") &&
            strcmp(name + 11, "width"));
}

static bool reaches_barrier(LLVMValueRef f) {
    return is_collective(f) ||
           LLVMGetStringAttributeAtIndex(f, (unsigned)LLVMAttributeFunctionIndex, "weir-barrier", 12);
}

static void drop_convergence(LLVMModuleRef module) {
    unsigned kind = LLVMGetEnumAttributeKindForName("convergent", 10);
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        if (is_collective(f)) {
            mark_callers(f);
        }
    }
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        if (reaches_barrier(f)) {
            continue;
        }
        remove_attribute(f, "convergent");
        for (LLVMUseRef u = LLVMGetFirstUse(f); u; u = LLVMGetNextUse(u)) {
            LLVMValueRef user = LLVMGetUser(u);
            if (LLVMIsACallInst(user) && LLVMGetCalledValue(user) == f) {
                LLVMRemoveCallSiteEnumAttribute(user, (unsigned)LLVMAttributeFunctionIndex, kind);
            }
        }
    }
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        LLVMRemoveStringAttributeAtIndex(f, (unsigned)LLVMAttributeFunctionIndex, "weir-barrier", 12);
    }
}

static void retarget(LLVMModuleRef module) {
    char *triple = LLVMGetDefaultTargetTriple(), *message = NULL;
    LLVMTargetRef target;
    if (LLVMGetTargetFromTriple(triple, &target, &message)) {
        fail(triple, message);
    }
    LLVMTargetMachineRef machine = LLVMCreateTargetMachine(target, triple, "", "", LLVMCodeGenLevelDefault,
                                                           LLVMRelocPIC, LLVMCodeModelDefault);
    LLVMTargetDataRef layout = LLVMCreateTargetDataLayout(machine);
    LLVMSetTarget(module, triple);
    LLVMSetModuleDataLayout(module, layout);
}

/* Local variables keep their address space; constants become private to whoever links them. */
static void own_globals(LLVMModuleRef module) {
    for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g)) {
        if (!LLVMIsDeclaration(g)) {
            LLVMSetLinkage(g, LLVMLinkOnceODRLinkage);
            LLVMSetVisibility(g, LLVMDefaultVisibility);
        }
    }
}

int main(int argc, char **argv) {
    if (argc < 4) {
        fail("usage", "builtins-tool OUT.a LIBCLC.bc OURS.bc...");
    }
    context = LLVMContextCreate();
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    LLVMModuleRef ours = load(argv[3]);
    for (int i = 4; i < argc; i++) {
        if (LLVMLinkModules2(ours, load(argv[i]))) {
            fail(argv[i], "does not link");
        }
    }
    LLVMModuleRef library = load(argv[2]);
    drop_replaced(library, ours);
    saturate_conversions(library);
    leave_zeros_open(library);
    LLVMStripModuleDebugInfo(library);
    LLVMStripModuleDebugInfo(ours);
    if (LLVMLinkModules2(library, ours)) {
        fail(argv[2], "does not link with ours");
    }
    retarget(library);
    for (LLVMValueRef f = LLVMGetFirstFunction(library); f; f = LLVMGetNextFunction(f)) {
        neutralize(f);
    }
    inline_helpers(library);
    own_globals(library);
    drop_convergence(library);
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    LLVMErrorRef error = LLVMRunPasses(library,
                                       "always-inline,function(sroa,early-cse,simplifycfg,instcombine<no-"
                                       "verify-fixpoint>),cgscc(function-attrs),verify",
                                       NULL, options);
    if (error) {
        fail("simplify", LLVMGetErrorMessage(error));
    }
    archive_write(library, argv[1]);
    return 0;
}
