/* mark_calls.c: what inlining would hide from the checker: which built-in functions the program calls.
 *
 * Needs `link`: the program's calls of built-in functions, by their names. Gives, in a checked kernel, a call of a marker
 * before each that instrument.c reads and takes away:
 *     __weir_mark_subgroup()    of what follows all work-items of the sub-group must come to it (OpenCL C, 6.15.19), unlike
 *                               of votes, ballots, shuffles and non-uniform functions, which become the same intrinsics
 */
#include "lower.h"
#include <string.h>

/* OpenCL C's name of a function; *n is its length. NULL: it isn't a built-in function's. */
static const char *plain_name(LLVMValueRef f, size_t *n) {
    const char *name = LLVMGetValueName2(f, n);
    size_t digits = !strncmp(name, "_Z", 2) ? strspn(name + 2, "0123456789") : 0;
    if (!strncmp(name, "__sub_group_", 12)) { /* clang's, of pipes */
        return name;
    }
    if (!digits) {
        return NULL;
    }
    *n = 0;
    for (size_t i = 0; i < digits && *n < 1000; i++) {
        *n = *n * 10 + (size_t)(name[2 + i] - '0');
    }
    name += 2 + digits;
    return strlen(name) >= *n ? name : NULL;
}

/* Whether all work-items of a sub-group must come to it. */
static bool is_of_subgroup(const char *name, size_t n) {
    static const char *const functions[] = {"sub_group_all", "sub_group_any", "sub_group_broadcast",
                                            "intel_sub_group_broadcast"};
    static const char *const families[] = {
        "sub_group_reduce_",      "sub_group_scan_",      "intel_sub_group_reduce_", "intel_sub_group_scan_",
        "intel_sub_group_block_", "__sub_group_reserve_", "__sub_group_commit_"};
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        if (strlen(functions[i]) == n && !strncmp(name, functions[i], n)) {
            return true;
        }
    }
    for (size_t i = 0; i < sizeof families / sizeof *families; i++) {
        if (!strncmp(name, families[i], strlen(families[i]))) {
            return true;
        }
    }
    return false;
}

static void mark(struct kernel *k, LLVMValueRef call, const char *marker, LLVMValueRef *args, unsigned n) {
    LLVMTypeRef i32 = LLVMInt32TypeInContext(k->llvm), types[] = {i32, i32, i32};
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(k->llvm), types, n, 0);
    LLVMValueRef f = LLVMGetNamedFunction(k->module, marker);
    if (!f) {
        f = LLVMAddFunction(k->module, marker, type);
        ir_attribute(k->llvm, f, "convergent", 0);
        ir_attribute(k->llvm, f, "nounwind", 0);
    }
    LLVMBuilderRef b = ir_before(call);
    LLVMSetCurrentDebugLocation2(b, LLVMInstructionGetDebugLoc(call));
    LLVMBuildCall2(b, type, f, args, n, "");
    LLVMDisposeBuilder(b);
}

void mark_calls_pass(struct kernel *k) {
    for (LLVMValueRef f = LLVMGetFirstFunction(k->module); k->checked && f; f = LLVMGetNextFunction(f)) {
        size_t n;
        const char *name = plain_name(f, &n);
        bool of_subgroup = name && is_of_subgroup(name, n);
        for (LLVMUseRef u = of_subgroup ? LLVMGetFirstUse(f) : NULL; u; u = LLVMGetNextUse(u)) {
            LLVMValueRef call = LLVMGetUser(u);
            if (LLVMIsACallInst(call) && ir_callee(call) == f) {
                mark(k, call, "__weir_mark_subgroup", NULL, 0);
            }
        }
    }
}
