/* if_conversion.c: short branches at which the lanes of a pack part become selects.
 *
 * In: k->run, simplified, its OpenCL vectors scalars. Out: the same; where lanes part and meet again after a few instructions
 * without effects, all of them run these and each takes its own results (Allen, Kennedy, Porterfield and Warren, 1983). LLVM
 * does so only for what is cheaper than a branch that a processor guesses wrongly now and then. Lanes that part cost more:
 * both ways run in any case, with masks beside them, and what lives across is blended at each. The steps of a binary search,
 * whose loop lanes leave at different times, become one block.
 *     %c: br i1 %varies, label %a, label %j              %x = add i32 %i, 1
 *     a:  %x = add i32 %i, 1                   becomes   %p = select i1 %varies, i32 %x, i32 %i
 *     j:  %p = phi i32 [ %x, %a ], [ %i, %c ]
 * What it can't do: blocks that read memory, or divide. */
#include "analysis.h"
#include "lower.h"

enum { SHORT = 12 }; /* instructions of both ways together */

/* Whether running it for nobody is right and cheap. */
static bool is_harmless(LLVMValueRef i) {
    static const char *const functions[] = {"llvm.fabs.",   "llvm.fma.",      "llvm.fmuladd.",
                                            "llvm.minnum.", "llvm.maxnum.",   "llvm.minimum",
                                            "llvm.maximum", "llvm.copysign.", "llvm.abs."};
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMFAdd:
    case LLVMFSub:
    case LLVMFMul:
    case LLVMFNeg:
    case LLVMFPExt:
    case LLVMFPTrunc:
    case LLVMSIToFP:
    case LLVMUIToFP:
    case LLVMBitCast:
    case LLVMICmp:
    case LLVMFCmp:
    case LLVMSelect:
    case LLVMFreeze:
        return LLVMGetTypeKind(LLVMTypeOf(i)) != LLVMVectorTypeKind;
    case LLVMCall:
        for (size_t n = 0; n < sizeof functions / sizeof *functions; n++) {
            if (ir_is_intrinsic(i, functions[n])) {
                return true;
            }
        }
        return ir_is_limit(i);
    default:
        return ir_is_address_arithmetic(i);
    }
}

static bool has_one_predecessor(LLVMBasicBlockRef block) {
    LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(block));
    return use && !LLVMGetNextUse(use);
}

/* Instructions of a block that one branch leads to, and that goes on to one other; SHORT + 1: it isn't such a one. */
static unsigned length_of(LLVMBasicBlockRef way) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(way);
    unsigned n = 0;
    if (!has_one_predecessor(way) || !LLVMIsABranchInst(end) || LLVMIsConditional(end)) {
        return SHORT + 1;
    }
    for (LLVMValueRef i = LLVMGetFirstInstruction(way); i != end && n <= SHORT;
         i = LLVMGetNextInstruction(i)) {
        n = is_harmless(i) ? n + 1 : SHORT + 1;
    }
    return n;
}

/* What a call promises of arguments and results holds where the program runs it. */
static void drop_promises(LLVMValueRef call) {
    static const char *const promises[] = {"noundef", "range"};
    for (unsigned p = 0; p < 2; p++) {
        unsigned kind = LLVMGetEnumAttributeKindForName(promises[p], promises[p][0] == 'n' ? 7 : 5);
        for (unsigned at = 0; at <= LLVMGetNumArgOperands(call); at++) {
            LLVMRemoveCallSiteEnumAttribute(call, at, kind);
        }
    }
}

static void move_before(LLVMBuilderRef b, LLVMBasicBlockRef way) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(way);
    for (LLVMValueRef next, i = LLVMGetFirstInstruction(way); i != end; i = next) {
        next = LLVMGetNextInstruction(i);
        if (LLVMIsACallInst(i)) {
            drop_promises(i);
        }
        LLVMInstructionRemoveFromParent(i);
        LLVMInsertIntoBuilderWithName(b, i, "");
    }
}

/* A branch and its ways: `by[s]` is where successor s comes to `join` from: its own block, or the branch's. */
struct parting {
    LLVMValueRef branch;
    LLVMBasicBlockRef from, join, by[2];
};

static LLVMValueRef incoming(LLVMValueRef phi, LLVMBasicBlockRef from) {
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        if (LLVMGetIncomingBlock(phi, i) == from) {
            return LLVMGetIncomingValue(phi, i);
        }
    }
    return NULL;
}

/* The phi's value by the branch's condition in place of those by its two ways. */
static void choose(LLVMBuilderRef b, const struct parting *p, LLVMValueRef phi) {
    LLVMValueRef x = incoming(phi, p->by[0]), y = incoming(phi, p->by[1]);
    LLVMValueRef choice = x == y ? x : LLVMBuildSelect(b, LLVMGetCondition(p->branch), x, y, "");
    LLVMBuilderRef at = ir_before(phi);
    LLVMValueRef rest = LLVMBuildPhi(at, LLVMTypeOf(phi), "");
    LLVMAddIncoming(rest, &choice, (LLVMBasicBlockRef[]){p->from}, 1);
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, i);
        LLVMValueRef value = LLVMGetIncomingValue(phi, i);
        if (from != p->by[0] && from != p->by[1]) {
            LLVMAddIncoming(rest, &value, &from, 1);
        }
    }
    LLVMDisposeBuilder(at);
    LLVMReplaceAllUsesWith(phi, rest);
    LLVMInstructionEraseFromParent(phi);
}

static void convert(const struct parting *p) {
    LLVMBuilderRef b = ir_before(p->branch);
    LLVMSetCurrentDebugLocation2(b, LLVMInstructionGetDebugLoc(p->branch));
    for (unsigned s = 0; s < 2; s++) {
        if (p->by[s] != p->from) {
            move_before(b, p->by[s]);
        }
    }
    for (LLVMValueRef next, phi = LLVMGetFirstInstruction(p->join); LLVMIsAPHINode(phi); phi = next) {
        next = LLVMGetNextInstruction(phi);
        choose(b, p, phi);
    }
    LLVMBuildBr(b, p->join);
    LLVMDisposeBuilder(b);
    LLVMInstructionEraseFromParent(p->branch);
    for (unsigned s = 0; s < 2; s++) {
        if (p->by[s] != p->from) {
            LLVMDeleteBasicBlock(p->by[s]);
        }
    }
}

struct converting {
    struct kernel *k;
    struct uniform *pack; /* NULL: nobody has asked yet */
};

static bool parts(struct converting *c, LLVMValueRef branch) {
    if (!c->pack) {
        c->pack = job_alloc(sizeof *c->pack);
        *c->pack = (struct uniform){.of_pack = true, .width = c->k->width, .rows = 1};
        uniform_run(c->k, c->pack);
    }
    return !uniform_is(c->pack, branch);
}

/* The two ways of the branch, if both come to one block with little to do; false: they don't. */
static bool find(LLVMBasicBlockRef from, struct parting *p) {
    LLVMValueRef branch = LLVMGetBasicBlockTerminator(from);
    if (!LLVMIsABranchInst(branch) || !LLVMIsConditional(branch)) {
        return false;
    }
    LLVMBasicBlockRef to[] = {LLVMGetSuccessor(branch, 0), LLVMGetSuccessor(branch, 1)}, after[2];
    unsigned length[2];
    for (unsigned s = 0; s < 2; s++) {
        length[s] = length_of(to[s]);
        after[s] = length[s] > SHORT ? NULL : LLVMGetSuccessor(LLVMGetBasicBlockTerminator(to[s]), 0);
    }
    *p = (struct parting){branch, from, NULL, {to[0], to[1]}};
    if (after[0] && after[0] == after[1] && length[0] + length[1] <= SHORT) {
        p->join = after[0];
    } else if (after[0] && after[0] == to[1]) {
        p->join = to[1];
        p->by[1] = from;
    } else if (after[1] && after[1] == to[0]) {
        p->join = to[0];
        p->by[0] = from;
    }
    return p->join && p->join != from && LLVMIsAPHINode(LLVMGetFirstInstruction(p->join));
}

/* The block that `from` alone goes on to becomes its end. */
static void absorb(LLVMBasicBlockRef from, LLVMBasicBlockRef rest) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(rest);
    for (LLVMValueRef phi = LLVMGetFirstInstruction(rest); LLVMIsAPHINode(phi);
         phi = LLVMGetFirstInstruction(rest)) {
        LLVMReplaceAllUsesWith(phi, LLVMGetIncomingValue(phi, 0));
        LLVMInstructionEraseFromParent(phi);
    }
    for (unsigned s = 0; s < LLVMGetNumSuccessors(end); s++) {
        ir_come_from(LLVMGetSuccessor(end, s), rest, from);
    }
    LLVMInstructionEraseFromParent(LLVMGetBasicBlockTerminator(from));
    LLVMBuilderRef b = ir_at_end(from);
    for (LLVMValueRef next, i = LLVMGetFirstInstruction(rest); i; i = next) {
        next = LLVMGetNextInstruction(i);
        LLVMInstructionRemoveFromParent(i);
        LLVMInsertIntoBuilderWithName(b, i, "");
    }
    LLVMDisposeBuilder(b);
    LLVMDeleteBasicBlock(rest);
}

void if_conversion_pass(struct kernel *k) {
    struct converting c = {.k = k};
    LLVMBasicBlockRef before, block = k->optimize && !k->checked ? LLVMGetLastBasicBlock(k->run) : NULL;
    for (struct parting p; block; block = before) { /* inner ones come first */
        while (find(block, &p) && parts(&c, p.branch)) {
            convert(&p);
            if (has_one_predecessor(p.join)) {
                absorb(block, p.join);
            }
        }
        before = LLVMGetPreviousBasicBlock(block);
    }
}
