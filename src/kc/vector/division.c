/* division.c: integer divisions of packs in floating point, as no processor divides vectors of integers.
 *
 * A quotient of integers below 2^32 is the double quotient, cut off: what isn't a whole number is off the next one by
 * 2^-32 of it or more, and rounding by 2^-53. Where all lanes divide by one number they multiply by its reciprocal,
 * which is made too large by 2^-40: whole quotients aren't cut to the next lower one then, and no other reaches the
 * next higher. Floats do for 16 bits: 2^-16, 2^-24 and 2^-20. Lanes that are off may divide by zero: nothing traps.
 *
 * Where a number that ascends from lane to lane is divided by one that all lanes share, as an id by the length of a row, code
 * looks first whether more than a pack goes into a row. Then lane 0 divides for all. */
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

static LLVMValueRef reciprocal(struct vec *v, LLVMValueRef y, LLVMTypeRef real, bool is_signed) {
    double more = LLVMGetTypeKind(real) == LLVMDoubleTypeKind ? 1 + 0x1p-40 : 1 + 0x1p-20;
    LLVMValueRef r = LLVMBuildFDiv(v->b, LLVMConstReal(real, 1), to_real(v, y, real, is_signed), "");
    return LLVMBuildFMul(v->b, r, LLVMConstReal(real, more), "");
}

/* x / y; y is a scalar if all lanes share it. */
static LLVMValueRef real_quotient(struct vec *v, LLVMValueRef x, LLVMValueRef y, LLVMTypeRef real,
                                  bool is_signed) {
    LLVMTypeRef reals = vec_type(v, real);
    x = to_real(v, x, reals, is_signed);
    if (LLVMGetTypeKind(LLVMTypeOf(y)) == LLVMVectorTypeKind) {
        return LLVMBuildFDiv(v->b, x, to_real(v, y, reals, is_signed), "");
    }
    return LLVMBuildFMul(v->b, x, wide_splat(v, reciprocal(v, y, real, is_signed)), "");
}

/* One number for all lanes, which divide.c has made sure is none that traps. */
static bool is_constant(const struct wide *divisor) {
    return divisor->form == FORM_UNIFORM && LLVMIsConstant(divisor->value);
}

/* The quotient or remainder in floating point; NULL: it has too many bits, or LLVM knows the divisor. */
static LLVMValueRef by_reals(struct vec *v, LLVMValueRef i) {
    LLVMOpcode op = LLVMGetInstructionOpcode(i);
    LLVMValueRef dividend = LLVMGetOperand(i, 0), divisor = LLVMGetOperand(i, 1);
    bool is_signed = op == LLVMSDiv || op == LLVMSRem, is_rest = op == LLVMURem || op == LLVMSRem;
    LLVMTypeRef type = LLVMTypeOf(i);
    const struct wide *by = wide_of(v, divisor);
    unsigned bits = LLVMGetIntTypeWidth(type);
    bool fits =
        bits == 8 || bits == 16 || bits == 32 || (bits == 64 && !is_signed && is_below_4g(dividend, 4));
    if (!fits || is_constant(by)) {
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

/* In whatever way any operands can be divided. */
static LLVMValueRef by_vectors(struct vec *v, LLVMValueRef i) {
    LLVMValueRef result = by_reals(v, i);
    if (result) {
        return result;
    }
    LLVMTypeRef type = LLVMTypeOf(i);
    LLVMValueRef x = wide_vector(v, wide_of(v, LLVMGetOperand(i, 0)), type),
                 y = wide_vector(v, wide_of(v, LLVMGetOperand(i, 1)), type);
    /* Lanes that are off must not trap. A row of ids may be constants, too, of which one is 0. */
    if (v->mask && !is_constant(wide_of(v, LLVMGetOperand(i, 1)))) {
        y = LLVMBuildSelect(v->b, v->mask, y, wide_splat(v, LLVMConstInt(type, 1, 0)), "");
    }
    return LLVMBuildBinOp(v->b, LLVMGetInstructionOpcode(i), x, y, "");
}

/* A dividend that ascends from lane to lane, less than a divisor that all lanes share from the first to the last. So the
 * quotient is lane 0's, or, from some lane on, one more. */
struct steps {
    LLVMValueRef x, d; /* scalars: lane 0's dividend, the divisor */
    uint64_t reach;    /* from lane 0 to the last */
    int64_t stride;
    LLVMValueRef applies; /* i1 */
};

static bool find_steps(struct vec *v, LLVMValueRef i, struct steps *s) {
    LLVMOpcode op = LLVMGetInstructionOpcode(i);
    const struct wide *x = wide_of(v, LLVMGetOperand(i, 0)), *d = wide_of(v, LLVMGetOperand(i, 1));
    LLVMTypeRef type = LLVMTypeOf(i);
    unsigned bits = LLVMGetIntTypeWidth(type);
    if (x->form != FORM_AFFINE || x->stride < 1 || x->stride > UINT16_MAX || d->form != FORM_UNIFORM ||
        LLVMIsConstant(d->value) || (bits != 32 && bits != 64)) {
        return false;
    }
    bool is_signed = op == LLVMSDiv || op == LLVMSRem;
    s->stride = x->stride;
    s->reach = (uint64_t)x->stride * (v->width - 1);
    s->x = LLVMBuildFreeze(v->b, x->value, "");
    s->d = LLVMBuildFreeze(v->b, d->value, "");
    uint64_t most = UINT64_MAX >> (64 - bits + is_signed);
    LLVMValueRef reach = LLVMConstInt(type, s->reach, 0);
    LLVMValueRef ascends =
        LLVMBuildICmp(v->b, LLVMIntULE, s->x, LLVMConstInt(type, most - s->reach, 0), "ascends");
    LLVMValueRef is_long = LLVMBuildICmp(v->b, is_signed ? LLVMIntSGT : LLVMIntUGT, s->d, reach, "long");
    s->applies = LLVMBuildAnd(v->b, is_long, ascends, "steps");
    return true;
}

static LLVMValueRef by_steps(struct vec *v, LLVMValueRef i, const struct steps *s) {
    LLVMOpcode op = LLVMGetInstructionOpcode(i);
    LLVMTypeRef type = LLVMTypeOf(i), i32 = LLVMInt32TypeInContext(v->llvm);
    LLVMValueRef q;
    if (LLVMGetIntTypeWidth(type) == 32) {
        LLVMTypeRef real = LLVMDoubleTypeInContext(v->llvm);
        q = LLVMBuildFMul(v->b, to_real(v, s->x, real, false), reciprocal(v, s->d, real, false), "");
        q = LLVMBuildFPToUI(v->b, q, type, "");
    } else {
        q = LLVMBuildUDiv(v->b, s->x, s->d, "");
    }
    LLVMValueRef rest = LLVMBuildSub(v->b, s->x, LLVMBuildMul(v->b, q, s->d, ""), "");
    LLVMValueRef room = LLVMBuildSub(v->b, s->d, rest, ""), end = LLVMConstInt(type, s->reach + 1, 0);
    LLVMValueRef is_near = LLVMBuildICmp(v->b, LLVMIntULT, room, end, "");
    room = LLVMBuildTruncOrBitCast(v->b, LLVMBuildSelect(v->b, is_near, room, end, ""), i32, "");
    LLVMValueRef beyond =
        LLVMBuildICmp(v->b, LLVMIntUGE, wide_ramp(v, i32, s->stride), wide_splat(v, room), "beyond");
    if (op == LLVMUDiv || op == LLVMSDiv) {
        return LLVMBuildAdd(v->b, wide_splat(v, q), LLVMBuildZExt(v->b, beyond, vec_type(v, type), ""), "");
    }
    LLVMValueRef ahead = LLVMBuildAdd(v->b, wide_splat(v, rest), wide_ramp(v, type, s->stride), "");
    return LLVMBuildSelect(v->b, beyond, LLVMBuildSub(v->b, ahead, wide_splat(v, s->d), ""), ahead, "");
}

LLVMValueRef division_widen(struct vec *v, LLVMValueRef i) {
    struct steps s;
    if (!find_steps(v, i, &s)) {
        return by_vectors(v, i);
    }
    LLVMBasicBlockRef from[] = {ir_block(v->k->run, "steps"), ir_block(v->k->run, "quotients")},
                      next = ir_block(v->k->run, "divided");
    ir_expect(LLVMBuildCondBr(v->b, s.applies, from[0], from[1]));
    LLVMValueRef ways[2];
    for (unsigned n = 0; n < 2; n++) {
        LLVMPositionBuilderAtEnd(v->b, from[n]);
        ways[n] = n ? by_vectors(v, i) : by_steps(v, i, &s);
        from[n] = LLVMGetInsertBlock(v->b);
        LLVMBuildBr(v->b, next);
    }
    LLVMPositionBuilderAtEnd(v->b, next);
    LLVMValueRef result = LLVMBuildPhi(v->b, vec_type(v, LLVMTypeOf(i)), "");
    LLVMAddIncoming(result, ways, from, 2);
    return result;
}
