/* unroll.c: loops over private arrays.
 *
 * In: k->run before it is simplified. Out: the same, and loops whose counter is an index into a small private array
 * ask LLVM to be unrolled, up to the size that main.c sets. Then the array's elements are values, which packs keep in
 * registers and barriers save as such; an array stays memory. What the program says of a loop's unrolling stands. */
#include "lower.h"
#include <string.h>

enum { SMALL_ARRAY = 1024, DEPTH = 6 }; /* bytes; instructions between a counter and an index */

void unroll_ask(struct kernel *k, LLVMValueRef branch, const char *wish, unsigned count) {
    if (ir_has_loop_property(k->llvm, branch, "llvm.loop.unroll.")) {
        return;
    }
    LLVMMetadataRef parts[] = {LLVMMDStringInContext2(k->llvm, wish, strlen(wish)),
                               LLVMValueAsMetadata(LLVMConstInt(LLVMInt32TypeInContext(k->llvm), count, 0))};
    ir_set_loop_property(k->llvm, branch, LLVMMDNodeInContext2(k->llvm, parts, count ? 2 : 1));
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

void unroll_pass(struct kernel *k) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(k->run); b && k->optimize;
         b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            if (!LLVMIsAGetElementPtrInst(i) || !is_small_array(k, private_base(i))) {
                continue;
            }
            for (int o = 1; o < LLVMGetNumOperands(i); o++) {
                mark_counters(k, LLVMGetOperand(i, (unsigned)o), DEPTH);
            }
        }
    }
}
