/* flatten.c: a[i / N][i % N] is element i.
 *
 * In: k->run, simplified. Out: the same; an address in rows of N elements whose two indices are quotient and remainder
 * of one number by N takes that number for its index. Work-items that fill a tile together, row by row, then access
 * elements in a row, where a pack saw two indices that differ. */
#include "lower.h"

/* v = (number / divisor) or (number % divisor), unsigned, by a constant. */
struct part {
    LLVMValueRef number;
    uint64_t divisor; /* 0: it isn't one */
};

static LLVMValueRef without_extension(LLVMValueRef v) {
    return LLVMIsAZExtInst(v) ? LLVMGetOperand(v, 0) : v;
}

static struct part part_of(LLVMValueRef v, bool remainder) {
    LLVMValueRef by = LLVMIsABinaryOperator(v) ? LLVMGetOperand(v, 1) : NULL;
    if (!by || !LLVMIsAConstantInt(by) || LLVMGetIntTypeWidth(LLVMTypeOf(by)) > 64) {
        return (struct part){0};
    }
    uint64_t c = LLVMConstIntGetZExtValue(by), divisor = 0;
    switch (LLVMGetInstructionOpcode(v)) {
    case LLVMUDiv:
        divisor = remainder ? 0 : c;
        break;
    case LLVMURem:
        divisor = remainder ? c : 0;
        break;
    case LLVMLShr:
        divisor = remainder || c > 31 ? 0 : UINT64_C(1) << c;
        break;
    case LLVMAnd:
        divisor = remainder && !(c & (c + 1)) ? c + 1 : 0;
        break;
    default:
        break;
    }
    return (struct part){LLVMGetOperand(v, 0), divisor};
}

/* The number whose quotient and remainder by `length` the two indices are, or NULL. */
static LLVMValueRef number_of(LLVMValueRef quotient, LLVMValueRef remainder, uint64_t length) {
    struct part high = part_of(without_extension(quotient), false);
    struct part low = part_of(without_extension(remainder), true);
    if (!high.divisor || low.divisor != length) {
        return NULL;
    }
    if (high.number == low.number && high.divisor == length) {
        return low.number;
    }
    struct part middle = part_of(low.number, false); /* (i / m) % n and i / (m * n), of three dimensions */
    bool nested = middle.divisor && middle.number == high.number && middle.divisor < UINT32_MAX;
    return nested && high.divisor == middle.divisor * length ? low.number : NULL;
}

static LLVMValueRef single_index(LLVMValueRef gep) {
    bool has_one = LLVMIsAGetElementPtrInst(gep) && LLVMGetNumOperands(gep) == 2;
    LLVMValueRef index = has_one ? LLVMGetOperand(gep, 1) : NULL;
    return index && LLVMTypeOf(index) == LLVMInt64TypeInContext(LLVMGetTypeContext(LLVMTypeOf(index))) ? index
                                                                                                       : NULL;
}

/* The address with one index in place of two, or NULL. */
static LLVMValueRef flattened(struct kernel *k, LLVMValueRef gep) {
    LLVMValueRef rows = LLVMGetOperand(gep, 0), low = single_index(gep), high = single_index(rows);
    if (!low || !high) {
        return NULL;
    }
    LLVMTargetDataRef layout = LLVMGetModuleDataLayout(k->module);
    LLVMTypeRef element = LLVMGetGEPSourceElementType(gep);
    uint64_t size = LLVMABISizeOfType(layout, element);
    uint64_t row = LLVMABISizeOfType(layout, LLVMGetGEPSourceElementType(rows));
    LLVMValueRef number = size && row % size == 0 ? number_of(high, low, row / size) : NULL;
    if (!number) {
        return NULL;
    }
    LLVMBuilderRef b = ir_before(gep);
    LLVMValueRef index = LLVMBuildIntCast2(b, number, LLVMInt64TypeInContext(k->llvm), 0, "");
    LLVMValueRef flat = LLVMBuildGEP2(b, element, LLVMGetOperand(rows, 0), &index, 1, "");
    LLVMDisposeBuilder(b);
    return flat;
}

void flatten_pass(struct kernel *k) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(k->run); b; b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef next, i = LLVMGetFirstInstruction(b); i; i = next) {
            next = LLVMGetNextInstruction(i);
            LLVMValueRef flat = LLVMIsAGetElementPtrInst(i) ? flattened(k, i) : NULL;
            if (flat) {
                LLVMReplaceAllUsesWith(i, flat);
                LLVMInstructionEraseFromParent(i);
            }
        }
    }
}
