/* mark_calls.c: what inlining would hide from the checker: which built-in functions the program calls.
 *
 * Needs `link`: the program's calls of built-in functions, by their names. Gives, in a checked kernel, a call of a marker
 * before each that instrument.c reads and takes away:
 *     __weir_mark_subgroup()    of what follows all work-items of the sub-group must come to it (OpenCL C, 6.15.19), unlike
 *                               of votes, ballots, shuffles and non-uniform functions, which become the same intrinsics
 *     __weir_mark_broadcast(lane)   the same, and who is to be in the sub-group
 *     __weir_mark_group(item, ids)   the barrier that follows is of a function of the work-group, to which all work-items
 *                               come with the same number: if ids isn't 0, so many ids of one of them, 10 bits each
 *     __weir_mark_pointer(pointer)  a call through a pointer to a function follows: the pointer's lower half
 *     __weir_mark_atomic(order, scope, failing)   of the atomic that follows; the library's instruction has the widest.
 *                               failing: the order of a comparison that doesn't hold, of others the same order
 *     __weir_mark_legacy()      a fence of OpenCL C 1.x follows, whose scope is an open question
 * and after the call, of these two and of a function of the work-group, which may have no barrier, __weir_mark_end(). */
#include "frontend.h"
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

/* ---- functions of the work-group ---- */

static bool is_of_group(const char *name, size_t n) {
    static const char *const families[] = {"work_group_all", "work_group_any", "work_group_broadcast",
                                           "work_group_reduce_", "work_group_scan_"};
    for (size_t i = 0; i < sizeof families / sizeof *families; i++) {
        size_t length = strlen(families[i]);
        bool is_family = families[i][length - 1] == '_';
        if (!strncmp(name, families[i], length) && (is_family || n == length)) {
            return true;
        }
    }
    return false;
}

/* Of a broadcast: which work-item the call names, by its local ids, as a number. */
static void mark_group_function(struct kernel *k, LLVMValueRef f, LLVMValueRef call, bool names_item) {
    LLVMBuilderRef b = ir_before(call);
    LLVMTypeRef i32 = LLVMInt32TypeInContext(k->llvm);
    LLVMValueRef item = LLVMConstNull(i32);
    unsigned ids = names_item ? LLVMCountParams(f) - 1 : 0;
    for (unsigned i = 1; i <= ids; i++) {
        LLVMValueRef id = LLVMBuildIntCast2(b, LLVMGetOperand(call, i), i32, false, "");
        item = LLVMBuildAdd(b, LLVMBuildMul(b, item, ir_const32(k->llvm, 1 << 10), ""), id, "");
    }
    LLVMDisposeBuilder(b);
    LLVMValueRef args[] = {item, ir_const32(k->llvm, ids)};
    mark(k, call, "__weir_mark_group", args, 2);
}

/* ---- atomics and fences ---- */

enum { SEQ_CST = 5, SCOPE_DEVICE = 2 };

/* Of OpenCL C 2.0 on; those before it are relaxed, and reach the device. */
static bool is_new_atomic(const char *name, size_t n) {
    static const char *const families[] = {"atomic_store",        "atomic_load",   "atomic_exchange",
                                           "atomic_compare_exch", "atomic_fetch_", "atomic_flag_"};
    for (size_t i = 0; i < sizeof families / sizeof *families; i++) {
        size_t length = strlen(families[i]);
        if (n >= length && !strncmp(name, families[i], length)) {
            return true;
        }
    }
    return false;
}

static bool is_old_fence(const char *name, size_t n) {
    return (n == 9 && !strncmp(name, "mem_fence", n)) || (n == 14 && !strncmp(name, "read_mem_fence", n)) ||
           (n == 15 && !strncmp(name, "write_mem_fence", n));
}

static void mark_atomic(struct kernel *k, LLVMValueRef f, LLVMValueRef call, const char *name, size_t n) {
    unsigned params = LLVMCountParams(f);
    bool exchange = n > 19 && !strncmp(name, "atomic_compare_exch", 19); /* has an order of failures, too */
    bool has_order = strstr(name + n, "memory_order"), has_scope = strstr(name + n, "memory_scope");
    unsigned order = params - (has_scope ? 2 : 1) - (exchange ? 1 : 0);
    LLVMValueRef seq_cst = ir_const32(k->llvm, SEQ_CST);
    LLVMValueRef args[] = {has_order ? LLVMGetOperand(call, order) : seq_cst,
                           has_scope ? LLVMGetOperand(call, params - 1) : ir_const32(k->llvm, SCOPE_DEVICE),
                           has_order ? LLVMGetOperand(call, order + (exchange ? 1 : 0)) : seq_cst};
    mark(k, call, "__weir_mark_atomic", args, 3);
}

/* ---- the pass ---- */

static void mark_call(struct kernel *k, LLVMValueRef f, LLVMValueRef call) {
    size_t n;
    const char *name = plain_name(f, &n);
    bool is_atomic = is_new_atomic(name, n), is_fence = is_old_fence(name, n);
    bool is_broadcast = n >= 19 && !strncmp(name + n - 19, "sub_group_broadcast", 19);
    if (is_broadcast) {
        LLVMValueRef lane = LLVMGetOperand(call, LLVMCountParams(f) - 1);
        mark(k, call, "__weir_mark_broadcast", &lane, 1);
    } else if (is_of_subgroup(name, n)) {
        mark(k, call, "__weir_mark_subgroup", NULL, 0);
    } else if (is_of_group(name, n)) {
        mark_group_function(k, f, call, !strncmp(name, "work_group_broadcast", n));
    } else if (is_atomic) {
        mark_atomic(k, f, call, name, n);
    } else if (is_fence) {
        mark(k, call, "__weir_mark_legacy", NULL, 0);
    }
    if (is_atomic || is_fence || is_of_group(name, n)) {
        mark(k, LLVMGetNextInstruction(call), "__weir_mark_end", NULL, 0);
    }
}

static void mark_call_by_pointer(struct kernel *k, LLVMValueRef call) {
    LLVMBuilderRef b = ir_before(call);
    LLVMTypeRef i32 = LLVMInt32TypeInContext(k->llvm);
    LLVMValueRef pointer = LLVMBuildPtrToInt(b, LLVMGetOperand(call, 0), i32, "");
    LLVMDisposeBuilder(b);
    mark(k, call, "__weir_mark_pointer", &pointer, 1);
}

static void mark_calls_by_pointer(struct kernel *k) {
    for (LLVMValueRef f = LLVMGetFirstFunction(k->module); f; f = LLVMGetNextFunction(f)) {
        for (LLVMUseRef u = LLVMGetFirstUse(f); u; u = LLVMGetNextUse(u)) {
            if (ir_is_intrinsic(LLVMGetUser(u), CALL_BY_POINTER)) {
                mark_call_by_pointer(k, LLVMGetUser(u));
            }
        }
    }
}

void mark_calls_pass(struct kernel *k) {
    if (k->checked) {
        mark_calls_by_pointer(k);
    }
    for (LLVMValueRef f = LLVMGetFirstFunction(k->module); k->checked && f; f = LLVMGetNextFunction(f)) {
        size_t n;
        const char *name = plain_name(f, &n);
        bool is_marked = name && (is_of_subgroup(name, n) || is_new_atomic(name, n) ||
                                  is_old_fence(name, n) || is_of_group(name, n));
        for (LLVMUseRef u = is_marked ? LLVMGetFirstUse(f) : NULL; u; u = LLVMGetNextUse(u)) {
            LLVMValueRef call = LLVMGetUser(u);
            if (LLVMIsACallInst(call) && ir_callee(call) == f) {
                mark_call(k, f, call);
            }
        }
    }
}
