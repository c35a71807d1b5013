/* unroll.c: loops over private arrays.
 *
 * In: k->run before it is simplified. Out: the same, and loops whose counter is an index into a small private array
 * ask LLVM to be unrolled, up to the size that main.c sets. Then the array's elements are values, which packs keep in
 * registers and barriers save as such; an array stays memory. For an array of which an index is known by the run alone, nothing
 * asks: it would stay memory in any case. What the program says of a loop's unrolling stands. */
#include "lower.h"
#include <stdlib.h>
#include <string.h>

/* bytes; instructions between a counter and an index; rounds, each of an instruction at least (main.c) */
enum { SMALL_ARRAY = 1024, DEPTH = 6, TOO_MANY = 2048 };

void unroll_ask(struct kernel *k, LLVMValueRef branch, const char *wish, unsigned count) {
    if (!ir_has_loop_property(k->llvm, branch, "llvm.loop.unroll.")) {
        ir_set_loop_property(k->llvm, branch, ir_loop_property(k->llvm, wish, count));
    }
}

/* Marks the loops whose counters the value is computed from. */
static void mark_counters(struct kernel *k, LLVMValueRef v, unsigned depth) {
    if (!LLVMIsAInstruction(v) || !depth) {
        return;
    }
    if (!LLVMIsAPHINode(v)) {
        bool is_arithmetic = LLVMIsABinaryOperator(v) || LLVMIsACastInst(v);
        for (int o = 0; is_arithmetic && o < LLVMGetNumOperands(v); o++) {
            mark_counters(k, LLVMGetOperand(v, (unsigned)o), depth - 1);
        }
        return;
    }
    for (unsigned i = 0; i < LLVMCountIncoming(v); i++) {
        LLVMValueRef next = LLVMGetIncomingValue(v, i);
        if (LLVMIsABinaryOperator(next) && LLVMGetOperand(next, 0) == v &&
            LLVMIsAConstantInt(LLVMGetOperand(next, 1))) {
            unroll_ask(k, LLVMGetBasicBlockTerminator(LLVMGetIncomingBlock(v, i)), "llvm.loop.unroll.full",
                       0);
        }
    }
}

static bool is_small_array(struct kernel *k, LLVMValueRef base) {
    LLVMTypeRef type = base ? LLVMGetAllocatedType(base) : NULL;
    return base && LLVMGetTypeKind(type) == LLVMArrayTypeKind &&
           LLVMABISizeOfType(LLVMGetModuleDataLayout(k->module), type) <= SMALL_ARRAY;
}

static unsigned values_of(LLVMValueRef v, unsigned depth);

/* About how many values the PHI takes as a loop's counter, with the rounds of loops around whose counters are its bound; 1: it
 * is none, or the loop ends otherwise, which is no number of rounds to count. */
static unsigned values_of_counter(LLVMValueRef phi, unsigned depth) {
    LLVMValueRef next = NULL, step = NULL, end = NULL;
    for (unsigned i = 0; i < LLVMCountIncoming(phi) && !step; i++) {
        next = LLVMGetIncomingValue(phi, i);
        step = ir_counts_by(next, phi);
        end = LLVMGetBasicBlockTerminator(LLVMGetIncomingBlock(phi, i));
    }
    bool is_conditional = step && LLVMIsABranchInst(end) && LLVMIsConditional(end);
    LLVMValueRef test = is_conditional ? LLVMGetCondition(end) : NULL;
    if (!test || !LLVMIsAICmpInst(test) ||
        (LLVMGetOperand(test, 0) != phi && LLVMGetOperand(test, 0) != next)) {
        return 1;
    }
    LLVMValueRef bound = LLVMGetOperand(test, 1);
    if (LLVMIsAConstantInt(bound)) {
        long long by = llabs(LLVMConstIntGetSExtValue(step)), to = llabs(LLVMConstIntGetSExtValue(bound));
        return !by || to < by ? 1 : to / by < TOO_MANY ? (unsigned)(to / by) : TOO_MANY;
    }
    unsigned around = values_of(bound, depth - 1);
    return around < TOO_MANY ? around * around : TOO_MANY;
}

/* About how many values what is computed from counters and constants takes; TOO_MANY: only the run tells. */
static unsigned values_of(LLVMValueRef v, unsigned depth) {
    if (LLVMIsAConstant(v)) {
        return 1;
    }
    if (!LLVMIsAInstruction(v) || !depth) {
        return TOO_MANY;
    }
    if (LLVMIsAPHINode(v)) {
        return values_of_counter(v, depth);
    }
    unsigned n = 1;
    bool is_arithmetic = LLVMIsABinaryOperator(v) || LLVMIsACastInst(v);
    for (int o = 0; o < LLVMGetNumOperands(v) && n < TOO_MANY; o++) {
        n *= is_arithmetic ? values_of(LLVMGetOperand(v, (unsigned)o), depth - 1) : TOO_MANY;
    }
    return n;
}

/* Marks the arrays that stay memory whatever is unrolled. */
static void find_arrays_that_stay(struct kernel *k, LLVMValueRef gep, struct ptrmap *stay) {
    LLVMValueRef base = private_base(gep);
    for (int o = 1; o < LLVMGetNumOperands(gep) && is_small_array(k, base); o++) {
        if (values_of(LLVMGetOperand(gep, (unsigned)o), DEPTH) >= TOO_MANY) {
            ptrmap_set(stay, base, true);
        }
    }
}

void unroll_pass(struct kernel *k) {
    struct ptrmap stay = {0};
    for (unsigned marks = 0; marks < 2; marks++) {
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(k->run); b && k->optimize;
             b = LLVMGetNextBasicBlock(b)) {
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
                LLVMValueRef base = LLVMIsAGetElementPtrInst(i) ? private_base(i) : NULL;
                if (base && !marks) {
                    find_arrays_that_stay(k, i, &stay);
                }
                bool asks = marks && is_small_array(k, base) && !ptrmap_at(&stay, base, false);
                for (int o = 1; asks && o < LLVMGetNumOperands(i); o++) {
                    mark_counters(k, LLVMGetOperand(i, (unsigned)o), DEPTH);
                }
            }
        }
    }
}
