/* local_atomics.c: atomics on local memory become plain accesses.
 *
 * Needs `regions`: one thread runs the whole work-group in order, so nobody else ever sees its local memory, and what
 * an atomic must keep apart are only work-items, which take turns at it. Gives k->run, and what it calls, without atomics
 * whose address is known to be local; generic pointers keep theirs. */
#include "post.h"
#include <string.h>

static bool is_local(LLVMValueRef p) {
    while (LLVMIsAAddrSpaceCastInst(p) || LLVMIsAGetElementPtrInst(p)) {
        if (LLVMGetPointerAddressSpace(LLVMTypeOf(p)) == AS_LOCAL) {
            return true;
        }
        p = LLVMGetOperand(p, 0);
    }
    return LLVMGetPointerAddressSpace(LLVMTypeOf(p)) == AS_LOCAL;
}

static LLVMValueRef choose(LLVMBuilderRef b, LLVMIntPredicate p, LLVMValueRef x, LLVMValueRef y) {
    return LLVMBuildSelect(b, LLVMBuildICmp(b, p, x, y, ""), x, y, "");
}

/* As the atomic operations have it: what is no number loses. */
static LLVMValueRef number(LLVMBuilderRef b, const char *name, LLVMValueRef x, LLVMValueRef y) {
    LLVMTypeRef type = LLVMTypeOf(x);
    LLVMValueRef args[] = {x, y};
    return ir_intrinsic(b, name, &type, 1, args, 2);
}

/* What the operation stores, or NULL for one that stays atomic. */
static LLVMValueRef result_of(LLVMBuilderRef b, LLVMAtomicRMWBinOp op, LLVMValueRef old, LLVMValueRef v) {
    switch (op) {
    case LLVMAtomicRMWBinOpXchg:
        return v;
    case LLVMAtomicRMWBinOpAdd:
        return LLVMBuildAdd(b, old, v, "");
    case LLVMAtomicRMWBinOpSub:
        return LLVMBuildSub(b, old, v, "");
    case LLVMAtomicRMWBinOpAnd:
        return LLVMBuildAnd(b, old, v, "");
    case LLVMAtomicRMWBinOpOr:
        return LLVMBuildOr(b, old, v, "");
    case LLVMAtomicRMWBinOpXor:
        return LLVMBuildXor(b, old, v, "");
    case LLVMAtomicRMWBinOpMax:
        return choose(b, LLVMIntSGT, old, v);
    case LLVMAtomicRMWBinOpMin:
        return choose(b, LLVMIntSLT, old, v);
    case LLVMAtomicRMWBinOpUMax:
        return choose(b, LLVMIntUGT, old, v);
    case LLVMAtomicRMWBinOpUMin:
        return choose(b, LLVMIntULT, old, v);
    case LLVMAtomicRMWBinOpFMax:
        return number(b, "llvm.maxnum", old, v);
    case LLVMAtomicRMWBinOpFMin:
        return number(b, "llvm.minnum", old, v);
    case LLVMAtomicRMWBinOpFAdd:
        return LLVMBuildFAdd(b, old, v, "");
    case LLVMAtomicRMWBinOpFSub:
        return LLVMBuildFSub(b, old, v, "");
    default:
        return NULL;
    }
}

static LLVMValueRef lower_rmw(LLVMBuilderRef b, LLVMValueRef i) {
    LLVMValueRef at = LLVMGetOperand(i, 0);
    LLVMValueRef old = LLVMBuildLoad2(b, LLVMTypeOf(i), at, "");
    LLVMValueRef new = result_of(b, LLVMGetAtomicRMWBinOp(i), old, LLVMGetOperand(i, 1));
    if (!new) {
        LLVMInstructionEraseFromParent(old);
        return NULL;
    }
    LLVMBuildStore(b, new, at);
    return old;
}

static LLVMValueRef lower_exchange(LLVMBuilderRef b, LLVMValueRef i) {
    LLVMValueRef at = LLVMGetOperand(i, 0), expected = LLVMGetOperand(i, 1);
    LLVMValueRef old = LLVMBuildLoad2(b, LLVMTypeOf(expected), at, "");
    LLVMValueRef is_equal = LLVMBuildICmp(b, LLVMIntEQ, old, expected, "");
    LLVMBuildStore(b, LLVMBuildSelect(b, is_equal, LLVMGetOperand(i, 2), old, ""), at);
    LLVMValueRef pair = LLVMBuildInsertValue(b, LLVMGetPoison(LLVMTypeOf(i)), old, 0, "");
    return LLVMBuildInsertValue(b, pair, is_equal, 1, "");
}

static void lower_all(LLVMValueRef f) {
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block; block = LLVMGetNextBasicBlock(block)) {
        for (LLVMValueRef next, i = LLVMGetFirstInstruction(block); i; i = next) {
            next = LLVMGetNextInstruction(i);
            bool is_rmw = LLVMIsAAtomicRMWInst(i);
            if (!(is_rmw || LLVMIsAAtomicCmpXchgInst(i)) || !is_local(LLVMGetOperand(i, 0))) {
                continue;
            }
            LLVMBuilderRef b = ir_before(i);
            LLVMValueRef plain = is_rmw ? lower_rmw(b, i) : lower_exchange(b, i);
            LLVMDisposeBuilder(b);
            if (plain) {
                LLVMReplaceAllUsesWith(i, plain);
                LLVMInstructionEraseFromParent(i);
            }
        }
    }
}

void local_atomics_pass(struct kernel *k) {
    for (LLVMValueRef f = LLVMGetFirstFunction(k->module); f; f = LLVMGetNextFunction(f)) {
        lower_all(f);
    }
}
