/* large_blocks.c: the code generator orders very large blocks in pieces, once.
 *
 * In: the optimized module. Out: attributes and marks for the code generator, which orders instructions before and, for some
 * processors, after register allocation; the time that takes grows with the square of a block's length, up to minutes.
 * Out-of-order processors hardly gain by the second time: functions with such blocks take the scheduling model of one that goes
 * without. Instruction selection stays this processor's. A use that does nothing, which no instruction is moved across, ends
 * each piece. */
#include "post.h"

enum { LARGE = 2000, PIECE = 500 }; /* instructions of a block */

/* Whether registers hold the value as it is. */
static bool is_plain(LLVMValueRef v) {
    LLVMTypeRef type = LLVMTypeOf(v);
    type = LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetElementType(type) : type;
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    bool is_integer = kind == LLVMIntegerTypeKind;
    return kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind ||
           (is_integer && (LLVMGetIntTypeWidth(type) == 32 || LLVMGetIntTypeWidth(type) == 64));
}

/* Each use is of another value: of the same one LLVM keeps the first. */
static void cut(LLVMBuilderRef b, LLVMBasicBlockRef block) {
    unsigned n = 0;
    LLVMValueRef last = ir_after_phis(LLVMGetFirstInstruction(block));
    for (LLVMValueRef i = LLVMGetNextInstruction(last); i; last = i, i = LLVMGetNextInstruction(i)) {
        if (++n >= PIECE && is_plain(last)) {
            LLVMPositionBuilderBefore(b, i);
            ir_intrinsic(b, "llvm.fake.use", NULL, 0, &last, 1);
            n = 0;
        }
    }
}

void large_blocks_pass(struct kernel *k) {
    LLVMBuilderRef b = LLVMCreateBuilderInContext(k->llvm);
    for (LLVMValueRef f = LLVMGetFirstFunction(k->module); f; f = LLVMGetNextFunction(f)) {
        bool has_large = false;
        for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block;
             block = LLVMGetNextBasicBlock(block)) {
            bool is_large = ir_length(block) > LARGE;
            has_large |= is_large;
            if (is_large) {
                cut(b, block);
            }
        }
        if (has_large) {
            LLVMAddTargetDependentFunctionAttr(f, "tune-cpu", "x86-64");
        }
    }
    LLVMDisposeBuilder(b);
}
