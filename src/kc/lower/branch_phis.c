/* branch_phis.c: a PHI that tells which way a branch went is the branch's condition.
 *
 * In: k->run, simplified. Out: the same; a PHI of `true` and `false` whose ways come from the two sides of one branch is the
 * condition of that branch. LLVM's jump threading makes such PHIs of what is asked again behind a barrier. Of a comparison of
 * an id with a bound packs know which lanes it is true for, and recompute it where it is used (wg/slots.c); of a PHI they know
 * nothing, and keep it in memory:
 *     here:  br i1 %in, label %then, label %after
 *     then:  ...  br label %after
 *     after: %was = phi i1 [ true, %then ], [ false, %here ]          becomes  %in
 * What it can't do: PHIs of more than two ways, or behind loops. */
#include "lower.h"

enum { CLIMB = 4 };

/* Which way of the branch at the end of `top` the block `to` is come to from, by `from` or the blocks before it that lead
 * nowhere else; -1: none. */
static int side_of(LLVMBasicBlockRef top, LLVMBasicBlockRef from, LLVMBasicBlockRef to) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(top);
    for (unsigned n = 0; from && n < CLIMB; n++) {
        if (from == top) {
            return LLVMGetSuccessor(end, 0) == to ? 0 : 1;
        }
        to = from;
        from = ir_only_predecessor(from);
    }
    return -1;
}

static bool is_branch(LLVMValueRef end) {
    return LLVMIsABranchInst(end) && LLVMIsConditional(end) &&
           LLVMGetSuccessor(end, 0) != LLVMGetSuccessor(end, 1);
}

/* The condition that decides from where the block is come to; *way: whether it holds for the first of the PHI's ways. */
static LLVMValueRef decides(LLVMBasicBlockRef block, LLVMValueRef phi, bool *way) {
    LLVMBasicBlockRef from[] = {LLVMGetIncomingBlock(phi, 0), LLVMGetIncomingBlock(phi, 1)}, top = from[0];
    for (unsigned n = 0; top && n < CLIMB; n++, top = ir_only_predecessor(top)) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(top);
        int first = is_branch(end) ? side_of(top, from[0], block) : -1;
        int second = first >= 0 ? side_of(top, from[1], block) : -1;
        if (second >= 0 && first != second) {
            *way = first == 0;
            return LLVMGetCondition(end);
        }
    }
    return NULL;
}

static void replace(struct kernel *k, LLVMBasicBlockRef block, LLVMValueRef phi) {
    LLVMTypeRef i1 = LLVMInt1TypeInContext(k->llvm);
    if (LLVMTypeOf(phi) != i1 || LLVMCountIncoming(phi) != 2) {
        return;
    }
    LLVMValueRef x = LLVMGetIncomingValue(phi, 0), y = LLVMGetIncomingValue(phi, 1), condition;
    bool way;
    if (!LLVMIsAConstantInt(x) || !LLVMIsAConstantInt(y) || x == y ||
        !(condition = decides(block, phi, &way))) {
        return;
    }
    if (LLVMIsNull(x) == way) {
        LLVMBuilderRef b = ir_before(ir_after_phis(phi));
        condition = LLVMBuildNot(b, condition, "");
        LLVMDisposeBuilder(b);
    }
    LLVMReplaceAllUsesWith(phi, condition);
    LLVMInstructionEraseFromParent(phi);
}

void branch_phis_pass(struct kernel *k) {
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(k->run); block;
         block = LLVMGetNextBasicBlock(block)) {
        for (LLVMValueRef next, i = LLVMGetFirstInstruction(block); i && LLVMIsAPHINode(i); i = next) {
            next = LLVMGetNextInstruction(i);
            replace(k, block, i);
        }
    }
}
