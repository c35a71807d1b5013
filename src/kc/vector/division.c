/* division.c: integer divisions of packs in floating point, as no processor divides vectors of integers.
 *
 * A quotient of integers below 2^32 is the double quotient, cut off: what isn't a whole number is off the next one by
 * 2^-32 of it or more, and rounding by 2^-53. Where all lanes divide by one number they multiply by its reciprocal,
 * which is made too large by 2^-40: whole quotients aren't cut to the next lower one then, and no other reaches the
 * next higher. Floats do for 16 bits: 2^-16, 2^-24 and 2^-20. Lanes that are off may divide by zero: nothing traps. */
#include "vector.h"

/* An unsigned value that is certainly below 2^32, so that a division of 64 bits can be one of 32. */
static bool is_below_4g(LLVMValueRef x, unsigned depth) {
    if (LLVMIsAConstantInt(x)) {
        return LLVMConstIntGetZExtValue(x) <= UINT32_MAX;
    }
    if (!LLVMIsAInstruction(x) || !depth) {
        return false;
    }
    switch (LLVMGetInstructionOpcode(x)) {
    case LLVMZExt:
        return LLVMGetIntTypeWidth(LLVMTypeOf(LLVMGetOperand(x, 0))) <= 32;
    case LLVMLShr:
        return LLVMIsAConstantInt(LLVMGetOperand(x, 1)) &&
               LLVMConstIntGetZExtValue(LLVMGetOperand(x, 1)) >= LLVMGetIntTypeWidth(LLVMTypeOf(x)) - 32;
    case LLVMUDiv:
        return is_below_4g(LLVMGetOperand(x, 0), depth - 1);
    case LLVMAnd:
    case LLVMURem:
        return is_below_4g(LLVMGetOperand(x, 0), depth - 1) || is_below_4g(LLVMGetOperand(x, 1), depth - 1);
    default:
        return false;
    }
}

static LLVMValueRef to_real(struct vec *v, LLVMValueRef x, LLVMTypeRef real, bool is_signed) {
    return is_signed ? LLVMBuildSIToFP(v->b, x, real, "") : LLVMBuildUIToFP(v->b, x, real, "");
}

/* x / y; y is a scalar if all lanes share it. */
static LLVMValueRef real_quotient(struct vec *v, LLVMValueRef x, LLVMValueRef y, LLVMTypeRef real,
                                  bool is_signed) {
    LLVMTypeRef reals = vec_type(v, real);
    x = to_real(v, x, reals, is_signed);
    if (LLVMGetTypeKind(LLVMTypeOf(y)) == LLVMVectorTypeKind) {
        return LLVMBuildFDiv(v->b, x, to_real(v, y, reals, is_signed), "");
    }
    double more = LLVMGetTypeKind(real) == LLVMDoubleTypeKind ? 1 + 0x1p-40 : 1 + 0x1p-20;
    LLVMValueRef r = LLVMBuildFDiv(v->b, LLVMConstReal(real, 1), to_real(v, y, real, is_signed), "");
    return LLVMBuildFMul(v->b, x, wide_splat(v, LLVMBuildFMul(v->b, r, LLVMConstReal(real, more), "")), "");
}

LLVMValueRef division_widen(struct vec *v, LLVMValueRef i) {
    LLVMOpcode op = LLVMGetInstructionOpcode(i);
    LLVMValueRef dividend = LLVMGetOperand(i, 0), divisor = LLVMGetOperand(i, 1);
    bool is_signed = op == LLVMSDiv || op == LLVMSRem, is_rest = op == LLVMURem || op == LLVMSRem;
    LLVMTypeRef type = LLVMTypeOf(i);
    const struct wide *by = wide_of(v, divisor);
    unsigned bits = LLVMGetIntTypeWidth(type);
    bool fits =
        bits == 8 || bits == 16 || bits == 32 || (bits == 64 && !is_signed && is_below_4g(dividend, 4));
    if (!fits || (by->form == FORM_UNIFORM && LLVMIsConstant(by->value))) {
        return NULL;
    }
    LLVMValueRef x = wide_vector(v, wide_of(v, dividend), type), all = wide_vector(v, by, type);
    LLVMValueRef y = by->form == FORM_UNIFORM ? by->value : all;
    LLVMTypeRef real = bits <= 16 ? LLVMFloatTypeInContext(v->llvm) : LLVMDoubleTypeInContext(v->llvm);
    LLVMTypeRef narrow = vec_type(v, bits == 64 ? LLVMInt32TypeInContext(v->llvm) : type);
    x = LLVMBuildTruncOrBitCast(v->b, x, narrow, "");
    LLVMValueRef q = real_quotient(v, x, y, real, is_signed);
    q = is_signed ? LLVMBuildFPToSI(v->b, q, narrow, "") : LLVMBuildFPToUI(v->b, q, narrow, "");
    if (is_rest) {
        all = LLVMBuildTruncOrBitCast(v->b, all, narrow, "");
        q = LLVMBuildSub(v->b, x, LLVMBuildMul(v->b, q, all, ""), "");
    }
    return LLVMBuildZExtOrBitCast(v->b, q, vec_type(v, type), "");
}
