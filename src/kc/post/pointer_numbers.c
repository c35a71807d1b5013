/* pointer_numbers.c: pointers of lanes are compared as numbers.
 *
 * Needs k->run without barriers, before `optimize`. Of two vectors of pointers that are compared, or subtracted, and that come
 * from one pointer, LLVM 22's InstCombine rewrites the common steps, and puts a vector in the place of a step that is the same for all lanes
 * (EmitGEPOffsets): broken IR, with which the next pass crashes. Gives k->run with such pointers as sums of numbers, of which
 * LLVM finds the common part as well:
 *     %end = getelementptr i32, ptr %a, i64 3                                   %e = ptrtoint ptr %end to i64
 *     %x = getelementptr i8, ptr %p, <4 x i64> %lane                            %y = add <4 x i64> %e's splat, %lane
 *     %y = getelementptr i8, ptr %end, <4 x i64> %lane            becomes       ...
 *     icmp ne <4 x ptr> %x, %y                                                  icmp ne <4 x i64> %x, %y */
#include "post.h"

static bool are_pointers(LLVMValueRef v) {
    LLVMTypeRef type = LLVMTypeOf(v);
    return LLVMGetTypeKind(type) == LLVMVectorTypeKind &&
           LLVMGetTypeKind(LLVMGetElementType(type)) == LLVMPointerTypeKind;
}

static LLVMTypeRef numbers_of(struct kernel *k, LLVMTypeRef pointers) {
    LLVMTypeRef i64 = LLVMInt64TypeInContext(k->llvm);
    return LLVMVectorType(i64, LLVMGetVectorSize(pointers));
}

/* A number of 64 bits, or a vector of them, for each lane. */
static LLVMValueRef for_lanes(LLVMBuilderRef b, LLVMTypeRef numbers, LLVMValueRef v) {
    return LLVMTypeOf(v) == numbers ? v : ir_splat(b, numbers, v);
}

/* The addresses that the pointers, or the one pointer, are. */
static LLVMValueRef number_of(struct kernel *k, LLVMBuilderRef b, LLVMTypeRef numbers, LLVMValueRef p) {
    if (!are_pointers(p)) {
        return for_lanes(b, numbers, LLVMBuildPtrToInt(b, p, LLVMGetElementType(numbers), ""));
    }
    if (!LLVMIsAGetElementPtrInst(p) || LLVMGetNumOperands(p) != 2) {
        return LLVMBuildPtrToInt(b, p, numbers, "");
    }
    uint64_t bytes = LLVMABISizeOfType(LLVMGetModuleDataLayout(k->module), LLVMGetGEPSourceElementType(p));
    LLVMValueRef offset = for_lanes(b, numbers, ir_bytes_of(b, LLVMGetOperand(p, 1), bytes));
    return LLVMBuildAdd(b, number_of(k, b, numbers, LLVMGetOperand(p, 0)), offset, "");
}

static void compare_numbers(struct kernel *k, LLVMValueRef comparison) {
    LLVMBuilderRef b = ir_before(comparison);
    LLVMTypeRef numbers = numbers_of(k, LLVMTypeOf(LLVMGetOperand(comparison, 0)));
    for (unsigned o = 0; o < 2; o++) {
        LLVMSetOperand(comparison, o, number_of(k, b, numbers, LLVMGetOperand(comparison, o)));
    }
    LLVMDisposeBuilder(b);
}

void pointer_numbers_pass(struct kernel *k) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(k->run); b; b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef next, i = LLVMGetFirstInstruction(b); i; i = next) {
            next = LLVMGetNextInstruction(i);
            LLVMValueRef from = LLVMIsAICmpInst(i) || LLVMIsAPtrToIntInst(i) ? LLVMGetOperand(i, 0) : NULL;
            if (!from || !are_pointers(from)) {
                continue;
            }
            if (LLVMIsAICmpInst(i)) {
                compare_numbers(k, i);
            } else if (LLVMIsAGetElementPtrInst(from)) {
                LLVMBuilderRef at = ir_before(i);
                LLVMTypeRef numbers = numbers_of(k, LLVMTypeOf(from));
                LLVMValueRef x = number_of(k, at, numbers, from);
                LLVMReplaceAllUsesWith(i, LLVMBuildIntCast2(at, x, LLVMTypeOf(i), false, ""));
                LLVMDisposeBuilder(at);
                LLVMInstructionEraseFromParent(i);
            }
        }
    }
}
