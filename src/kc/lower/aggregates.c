/* aggregates.c: structs and arrays that functions return, or that SPIR-V loads and stores whole, lie in memory.
 *
 * Needs k->run inlined. LLVM would take such a value apart into its elements, of padding too: 1,000 instructions for 1,000
 * elements, and each of them for each lane. Gives: large values that are loaded and then taken apart or stored are copied,
 *
 *     %s = load %struct.S, ptr %from
 *     %m = extractvalue %struct.S %s, 0            [64 x float]
 *     store [64 x float] %m, ptr %to
 *  becomes
 *     call void @llvm.memcpy(ptr %home, ptr %from, i64 260)
 *     call void @llvm.memcpy(ptr %to, ptr %home, i64 256)
 *
 * A home is written where the value was loaded, and nowhere else: parts of it are there as long as the value was. What
 * becomes of elements that are used one by one is LLVM's business (sroa).
 * Before inlining, aggregates_hold keeps LLVM from taking them apart: such accesses are volatile. */
#include "lower.h"

enum { MOST_ELEMENTS = 16 };

/* How many numbers, vectors and pointers a value of the type consists of; of many, any number above MOST_ELEMENTS. */
static uint64_t elements_of(LLVMTypeRef type) {
    uint64_t n = 0;
    if (LLVMGetTypeKind(type) == LLVMArrayTypeKind) {
        uint64_t length = LLVMGetArrayLength2(type), each = elements_of(LLVMGetElementType(type));
        return each && length > MOST_ELEMENTS ? MOST_ELEMENTS + 1 : each * length;
    }
    if (LLVMGetTypeKind(type) != LLVMStructTypeKind) {
        return 1;
    }
    for (unsigned i = 0; i < LLVMCountStructElementTypes(type) && n <= MOST_ELEMENTS; i++) {
        n += elements_of(LLVMStructGetTypeAtIndex(type, i));
    }
    return n;
}

bool aggregates_is_large(LLVMTypeRef type) {
    return elements_of(type) > MOST_ELEMENTS;
}

static bool is_large(LLVMValueRef v) {
    return aggregates_is_large(LLVMTypeOf(v));
}

/* Whether it loads or stores a large value, which nobody else watches. */
static bool is_large_access(LLVMValueRef i) {
    bool stores = LLVMIsAStoreInst(i), loads = LLVMIsALoadInst(i);
    return (stores || loads) && aggregates_is_large(ir_access_type(i)) &&
           (!LLVMGetVolatile(i) || private_base(ir_address(i)));
}

void aggregates_hold(LLVMModuleRef module) {
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
                if (is_large_access(i) && private_base(ir_address(i))) {
                    LLVMSetVolatile(i, true);
                }
            }
        }
    }
}

static void copy(struct kernel *k, LLVMBuilderRef b, LLVMValueRef to, unsigned to_align, LLVMValueRef from,
                 unsigned from_align, LLVMTypeRef type) {
    uint64_t bytes = LLVMABISizeOfType(LLVMGetModuleDataLayout(k->module), type);
    LLVMBuildMemCpy(b, to, to_align, from, from_align, ir_const64(k->llvm, bytes));
}

/* Where the part lies that an extractvalue takes out of what lies at `home`. */
static LLVMValueRef part(struct kernel *k, LLVMBuilderRef b, LLVMValueRef home, LLVMValueRef extract) {
    unsigned n = LLVMGetNumIndices(extract);
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(extract, 0));
    for (unsigned i = 0; i < n; i++) {
        LLVMValueRef at[2] = {ir_const32(k->llvm, 0), ir_const32(k->llvm, LLVMGetIndices(extract)[i])};
        home = LLVMBuildInBoundsGEP2(b, type, home, at, 2, "");
        type = LLVMGetTypeKind(type) == LLVMStructTypeKind
                   ? LLVMStructGetTypeAtIndex(type, LLVMGetIndices(extract)[i])
                   : LLVMGetElementType(type);
    }
    return home;
}

/* Users of a value that lies at `home` take it from there. */
static void use_home(struct kernel *k, LLVMValueRef value, LLVMValueRef home) {
    for (LLVMUseRef next, u = LLVMGetFirstUse(value); u; u = next) {
        LLVMValueRef user = LLVMGetUser(u);
        next = LLVMGetNextUse(u);
        bool takes = LLVMIsAExtractValueInst(user), stores = LLVMIsAStoreInst(user) && is_large_access(user);
        if (!takes && !stores) {
            continue;
        }
        LLVMBuilderRef b = ir_before(user);
        if (stores) {
            copy(k, b, ir_address(user), LLVMGetAlignment(user), home, 1, LLVMTypeOf(value));
        } else {
            LLVMValueRef at = part(k, b, home, user);
            if (is_large(user)) {
                use_home(k, user, at);
            }
            if (LLVMGetFirstUse(user)) {
                LLVMValueRef loaded = LLVMBuildLoad2(b, LLVMTypeOf(user), at, "");
                LLVMSetAlignment(loaded, 1);
                LLVMReplaceAllUsesWith(user, loaded);
            }
        }
        LLVMDisposeBuilder(b);
        LLVMInstructionEraseFromParent(user);
    }
}

static bool is_taken_apart(LLVMValueRef value) {
    for (LLVMUseRef u = LLVMGetFirstUse(value); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        if (LLVMIsAExtractValueInst(user) || LLVMIsAStoreInst(user)) {
            return true;
        }
    }
    return false;
}

static void settle(struct kernel *k, LLVMBuilderRef variables, LLVMValueRef load) {
    LLVMTypeRef type = LLVMTypeOf(load);
    LLVMValueRef home = LLVMBuildAlloca(variables, type, "home");
    LLVMBuilderRef b = ir_before(load);
    copy(k, b, home, LLVMGetAlignment(home), ir_address(load), LLVMGetAlignment(load), type);
    use_home(k, load, home);
    if (LLVMGetFirstUse(load)) {
        LLVMReplaceAllUsesWith(load, LLVMBuildLoad2(b, type, home, ""));
    }
    LLVMDisposeBuilder(b);
    LLVMInstructionEraseFromParent(load);
}

void aggregates_pass(struct kernel *k) {
    struct list loads = {0};
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(k->run); b; b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            if (LLVMIsALoadInst(i) && is_large_access(i) && is_taken_apart(i)) {
                list_add(&loads, i);
            }
        }
    }
    LLVMBuilderRef variables = ir_before(LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(k->run)));
    for (size_t i = 0; i < loads.n; i++) {
        settle(k, variables, loads.at[i]);
    }
    LLVMDisposeBuilder(variables);
}
