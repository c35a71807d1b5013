/* arithmetic.c: numbers and bools: arithmetic, comparisons, bits, conversions. */
#include "reader.h"

#include "opcodes.h"

#include <string.h>

/* ---- flags ------------------------------------------------------------------------------------------------------------- */

void reader_set_fast(struct reader *r, const struct instruction *in, LLVMValueRef value) {
    const struct options *o = r->options;
    const struct id *id = reader_id(r, in->result);
    const struct decoration *d = reader_decoration(id, DECORATION_FAST_MATH);
    uint32_t mode = d && d->n ? d->at[0] : 0;
    unsigned flags = 0;
    if (!LLVMIsAInstruction(value) || !LLVMCanValueUseFastMathFlags(value))
        return;
    if (mode & FAST_FAST || o->fast_math)
        flags = LLVMFastMathAll;
    if (mode & FAST_NOT_NAN || o->finite_math)
        flags |= LLVMFastMathNoNaNs;
    if (mode & FAST_NOT_INF || o->finite_math)
        flags |= LLVMFastMathNoInfs;
    if (mode & FAST_NO_SIGNED_ZERO || o->no_signed_zeros || o->unsafe_math)
        flags |= LLVMFastMathNoSignedZeros;
    if (mode & FAST_RECIPROCAL || o->unsafe_math)
        flags |= LLVMFastMathAllowReciprocal;
    if (mode & (FAST_REASSOCIATE | FAST_TRANSFORM) || o->unsafe_math)
        flags |= LLVMFastMathAllowReassoc;
    if ((r->contract && !reader_decoration(id, DECORATION_NO_CONTRACTION)) || mode & FAST_CONTRACT)
        flags |= LLVMFastMathAllowContract;
    LLVMSetFastMathFlags(value, flags);
}

static void set_wrap(struct reader *r, const struct instruction *in, LLVMValueRef value) {
    if (!LLVMIsABinaryOperator(value))
        return;
    LLVMOpcode op = LLVMGetInstructionOpcode(value);
    if (op != LLVMAdd && op != LLVMSub && op != LLVMMul && op != LLVMShl)
        return;
    const struct id *id = reader_id(r, in->result);
    LLVMSetNSW(value, reader_decoration(id, DECORATION_NO_SIGNED_WRAP) != NULL);
    LLVMSetNUW(value, reader_decoration(id, DECORATION_NO_UNSIGNED_WRAP) != NULL);
}

static bool is_of(LLVMTypeRef type, char kind) {
    return kind == 'f' ? reader_is_float(type) : kind == 'b' ? reader_is_bool(type) : reader_is_int(type);
}

static LLVMTypeRef result_of(struct reader *r, const struct instruction *in, char kind) {
    static const char *const names[] = {"numbers", "bools", "integers"};
    LLVMTypeRef type = reader_type(r, in->type);
    if (!is_of(type, kind))
        reader_fail(r, "it gives %s, not type %u", names[kind == 'f' ? 0 : kind == 'b' ? 1 : 2], in->type);
    return type;
}

/* ---- operators ----------------------------------------------------------------------------------------------------------- */

void read_binary(struct reader *r, const struct instruction *in) {
    LLVMTypeRef type = result_of(r, in, in->op->text[0]);
    LLVMValueRef a = reader_typed(r, in, 0, type), b = reader_typed(r, in, 1, type);
    LLVMValueRef value = LLVMBuildBinOp(r->builder, (LLVMOpcode)in->op->number, a, b, "");
    set_wrap(r, in, value);
    reader_set_fast(r, in, value);
    reader_result(r, in, value);
}

void read_negate(struct reader *r, const struct instruction *in) {
    LLVMTypeRef type = result_of(r, in,
                                 in->op->code == OpFNegate      ? 'f'
                                 : in->op->code == OpLogicalNot ? 'b'
                                                                : 'i');
    LLVMValueRef a = reader_typed(r, in, 0, type), value;
    if (in->op->code == OpFNegate)
        value = LLVMBuildFNeg(r->builder, a, "");
    else if (in->op->code == OpSNegate)
        value = LLVMBuildSub(r->builder, LLVMConstNull(type), a, "");
    else
        value = LLVMBuildNot(r->builder, a, "");
    set_wrap(r, in, value);
    reader_set_fast(r, in, value);
    reader_result(r, in, value);
}

/* Remainders whose sign is the divisor's, and those of floats. */
void read_modulo(struct reader *r, const struct instruction *in) {
    bool is_int = in->op->code == OpSMod;
    LLVMTypeRef type = result_of(r, in, is_int ? 'i' : 'f');
    LLVMValueRef a = reader_typed(r, in, 0, type), b = reader_typed(r, in, 1, type),
                 zero = LLVMConstNull(type), rest;
    if (is_int) {
        rest = LLVMBuildSRem(r->builder, a, b, "");
    } else {
        struct argument args[] = {{.value = a, .letter = 's'}, {.value = b, .letter = 's'}};
        rest = builtin_call(r, "fmod", type, args, 2, CALL_PURE);
    }
    if (in->op->code == OpFRem) {
        reader_result(r, in, rest);
        return;
    }
    LLVMValueRef apart, inexact, sum;
    if (is_int) {
        apart = LLVMBuildICmp(r->builder, LLVMIntSLT, LLVMBuildXor(r->builder, rest, b, ""), zero, "");
        inexact = LLVMBuildICmp(r->builder, LLVMIntNE, rest, zero, "");
        sum = LLVMBuildAdd(r->builder, rest, b, "");
    } else {
        apart = LLVMBuildXor(r->builder, LLVMBuildFCmp(r->builder, LLVMRealOLT, rest, zero, ""),
                             LLVMBuildFCmp(r->builder, LLVMRealOLT, b, zero, ""), "");
        inexact = LLVMBuildFCmp(r->builder, LLVMRealONE, rest, zero, "");
        sum = LLVMBuildFAdd(r->builder, rest, b, "");
    }
    reader_result(r, in,
                  LLVMBuildSelect(r->builder, LLVMBuildAnd(r->builder, apart, inexact, ""), sum, rest, ""));
}

void read_shift(struct reader *r, const struct instruction *in) {
    LLVMTypeRef type = result_of(r, in, 'i');
    LLVMValueRef a = reader_typed(r, in, 0, type), by = reader_operand(r, in, 1);
    if (!reader_is_int(LLVMTypeOf(by)) || reader_lanes(LLVMTypeOf(by)) != reader_lanes(type))
        reader_fail(r, "operand 2 has to be as many integers as the result");
    by = LLVMBuildIntCast2(r->builder, by, type, 0, "");
    LLVMValueRef value = LLVMBuildBinOp(r->builder, (LLVMOpcode)in->op->number, a, by, "");
    set_wrap(r, in, value);
    reader_result(r, in, value);
}

void read_fma(struct reader *r, const struct instruction *in) {
    LLVMTypeRef type = result_of(r, in, 'f');
    struct argument args[3];
    for (uint32_t k = 0; k < 3; k++)
        args[k] = (struct argument){.value = reader_typed(r, in, k, type), .letter = 's'};
    reader_result(r, in, builtin_call(r, "fma", type, args, 3, CALL_PURE));
}

/* Operations before and after it aren't joined or ordered anew, whatever their flags allow. */
void read_fence_of_value(struct reader *r, const struct instruction *in) {
    LLVMTypeRef type = result_of(r, in, 'f');
    LLVMValueRef a = reader_typed(r, in, 0, type);
    reader_result(r, in, ir_intrinsic(r->builder, "llvm.arithmetic.fence", &type, 1, &a, 1));
}

void read_freeze(struct reader *r, const struct instruction *in) {
    LLVMValueRef a = reader_operand(r, in, 0);
    reader_check_value(r, in->type);
    reader_result(r, in, LLVMBuildFreeze(r->builder, a, ""));
}

/* The scalar in each element. */
static LLVMValueRef splat(struct reader *r, LLVMValueRef scalar, LLVMTypeRef type) {
    bool is_vector = LLVMGetTypeKind(type) == LLVMVectorTypeKind;
    return is_vector ? ir_splat(r->builder, type, scalar) : scalar;
}

void read_scale(struct reader *r, const struct instruction *in) {
    LLVMTypeRef type = result_of(r, in, 'f');
    LLVMValueRef a = reader_typed(r, in, 0, type), b = reader_typed(r, in, 1, reader_scalar(type));
    LLVMValueRef value = LLVMBuildFMul(r->builder, a, splat(r, b, type), "");
    reader_set_fast(r, in, value);
    reader_result(r, in, value);
}

void read_dot(struct reader *r, const struct instruction *in) {
    LLVMTypeRef type = result_of(r, in, 'f');
    struct argument args[] = {{.value = reader_operand(r, in, 0), .letter = 's'},
                              {.value = reader_operand(r, in, 1), .letter = 's'}};
    LLVMTypeRef vector = LLVMTypeOf(args[0].value);
    if (LLVMTypeOf(args[1].value) != vector || reader_scalar(vector) != type)
        reader_fail(r, "the operands are not vectors of the result's type");
    if (reader_lanes(vector) <= 4) {
        reader_result(r, in, builtin_call(r, "dot", type, args, 2, CALL_PURE));
        return;
    }
    LLVMValueRef products = LLVMBuildFMul(r->builder, args[0].value, args[1].value, ""), sum = NULL;
    for (unsigned i = 0; i < reader_lanes(vector); i++) {
        LLVMValueRef one = LLVMBuildExtractElement(r->builder, products, ir_const32(r->llvm, i), "");
        sum = sum ? LLVMBuildFAdd(r->builder, sum, one, "") : one;
    }
    reader_result(r, in, sum);
}

/* Results of twice the width, as a struct of their low and high halves, or of a sum and its carry. */
void read_carry(struct reader *r, const struct instruction *in) {
    LLVMTypeRef type = reader_type(r, in->type);
    LLVMValueRef a = reader_operand(r, in, 0), b = reader_typed(r, in, 1, LLVMTypeOf(a));
    LLVMTypeRef part = LLVMTypeOf(a);
    if (!reader_is_int(part))
        reader_fail(r, "the operands are no integers");
    if (LLVMGetTypeKind(type) != LLVMStructTypeKind || LLVMCountStructElementTypes(type) != 2 ||
        LLVMStructGetTypeAtIndex(type, 0) != part || LLVMStructGetTypeAtIndex(type, 1) != part)
        reader_fail(r, "type %u is not a struct of two of the operands' type", in->type);
    LLVMTypeRef scalar = reader_scalar(part);
    unsigned bits = LLVMGetIntTypeWidth(scalar);
    LLVMTypeRef wide = reader_like(LLVMIntTypeInContext(r->llvm, 2 * bits), part);
    bool is_signed = in->op->text && in->op->text[0] == 's';
    a = LLVMBuildIntCast2(r->builder, a, wide, is_signed, "");
    b = LLVMBuildIntCast2(r->builder, b, wide, is_signed, "");
    LLVMValueRef both = LLVMBuildBinOp(r->builder, (LLVMOpcode)in->op->number, a, b, "");
    LLVMValueRef low = LLVMBuildTrunc(r->builder, both, part, "");
    LLVMValueRef high =
        LLVMBuildTrunc(r->builder, LLVMBuildLShr(r->builder, both, ir_number(wide, bits), ""), part, "");
    if (in->op->code == OpISubBorrow)
        high = LLVMBuildAnd(r->builder, high, ir_number(part, 1), "");
    LLVMValueRef value = LLVMBuildInsertValue(r->builder, LLVMGetPoison(type), low, 0, "");
    reader_result(r, in, LLVMBuildInsertValue(r->builder, value, high, 1, ""));
}

/* ---- comparisons ---------------------------------------------------------------------------------------------------------- */

void read_compare(struct reader *r, const struct instruction *in) {
    result_of(r, in, 'b');
    LLVMValueRef a = reader_operand(r, in, 0), b = reader_typed(r, in, 1, LLVMTypeOf(a)), value;
    if (!is_of(LLVMTypeOf(a), in->op->text[0]))
        reader_fail(r, "it can't compare operands of this type");
    if (in->op->text[0] == 'f')
        value = LLVMBuildFCmp(r->builder, (LLVMRealPredicate)in->op->number, a, b, "");
    else
        value = LLVMBuildICmp(r->builder, (LLVMIntPredicate)in->op->number, a, b, "");
    reader_set_fast(r, in, value);
    reader_result(r, in, value);
}

/* What kind of float it is, by its bits: fast-math flags don't reach here. */
void read_classify(struct reader *r, const struct instruction *in) {
    result_of(r, in, 'b');
    LLVMValueRef a = reader_operand(r, in, 0), value;
    LLVMTypeRef type = LLVMTypeOf(a);
    if (!reader_is_float(type))
        reader_fail(r, "the operand is not a float");
    LLVMTypeKind kind = LLVMGetTypeKind(reader_scalar(type));
    unsigned bits = kind == LLVMHalfTypeKind ? 16 : kind == LLVMFloatTypeKind ? 32 : 64;
    unsigned mantissa = kind == LLVMHalfTypeKind ? 10 : kind == LLVMFloatTypeKind ? 23 : 52;
    LLVMTypeRef number = reader_like(LLVMIntTypeInContext(r->llvm, bits), type);
    uint64_t sign = UINT64_C(1) << (bits - 1), lowest = UINT64_C(1) << mantissa, infinity = sign - lowest;
    a = LLVMBuildBitCast(r->builder, a, number, "");
    LLVMValueRef magnitude = LLVMBuildAnd(r->builder, a, ir_number(number, sign - 1), "");
    switch (in->op->number) {
    case FP_SIGN_CLASS:
        value = LLVMBuildICmp(r->builder, LLVMIntSLT, a, LLVMConstNull(number), "");
        break;
    case FP_NAN_CLASS:
        value = LLVMBuildICmp(r->builder, LLVMIntUGT, magnitude, ir_number(number, infinity), "");
        break;
    case FP_INFINITE_CLASS:
        value = LLVMBuildICmp(r->builder, LLVMIntEQ, magnitude, ir_number(number, infinity), "");
        break;
    case FP_FINITE_CLASS:
        value = LLVMBuildICmp(r->builder, LLVMIntULT, magnitude, ir_number(number, infinity), "");
        break;
    default:
        magnitude = LLVMBuildSub(r->builder, magnitude, ir_number(number, lowest), "");
        value = LLVMBuildICmp(r->builder, LLVMIntULT, magnitude, ir_number(number, infinity - lowest), "");
    }
    reader_result(r, in, value);
}

void read_any_all(struct reader *r, const struct instruction *in) {
    result_of(r, in, 'b');
    LLVMValueRef a = reader_operand(r, in, 0), value = NULL;
    if (!reader_is_bool(LLVMTypeOf(a)))
        reader_fail(r, "the operand is not a vector of bools");
    if (LLVMGetTypeKind(LLVMTypeOf(a)) != LLVMVectorTypeKind) { /* clang 22 has some */
        reader_result(r, in, a);
        return;
    }
    for (unsigned i = 0; i < reader_lanes(LLVMTypeOf(a)); i++) {
        LLVMValueRef one = LLVMBuildExtractElement(r->builder, a, ir_const32(r->llvm, i), "");
        value = value ? LLVMBuildBinOp(r->builder, (LLVMOpcode)in->op->number, value, one, "") : one;
    }
    reader_result(r, in, value);
}

void read_select(struct reader *r, const struct instruction *in) {
    LLVMTypeRef type = reader_type(r, in->type);
    LLVMValueRef c = reader_operand(r, in, 0), a = reader_typed(r, in, 1, type),
                 b = reader_typed(r, in, 2, type);
    if (!reader_is_bool(LLVMTypeOf(c)))
        reader_fail(r, "the condition is not a bool");
    if (reader_lanes(LLVMTypeOf(c)) != 1 && reader_lanes(LLVMTypeOf(c)) != reader_lanes(type))
        reader_fail(r, "the condition has another number of components than the result");
    LLVMValueRef value = LLVMBuildSelect(r->builder, c, a, b, "");
    reader_set_fast(r, in, value);
    reader_result(r, in, value);
}

void read_assume(struct reader *r, const struct instruction *in) {
    LLVMValueRef condition = reader_typed(r, in, 0, LLVMInt1TypeInContext(r->llvm));
    ir_intrinsic(r->builder, "llvm.assume", NULL, 0, &condition, 1);
}

/* ---- bits ------------------------------------------------------------------------------------------------ */

void read_bits(struct reader *r, const struct instruction *in) {
    LLVMTypeRef type = result_of(r, in, 'i');
    LLVMValueRef a = reader_operand(r, in, 0);
    LLVMTypeRef from = LLVMTypeOf(a);
    if (!reader_is_int(from) || reader_lanes(from) != reader_lanes(type) ||
        (in->op->code == OpBitReverse && from != type))
        reader_fail(r, "the operand is not as many integers as the result");
    const char *name = job_printf("llvm.%s", in->op->text);
    LLVMValueRef value = ir_intrinsic(r->builder, name, &from, 1, &a, 1);
    reader_result(r, in, LLVMBuildIntCast2(r->builder, value, type, 0, ""));
}

/* A shift that gives 0 where it is by all bits or more. */
static LLVMValueRef shift_out(struct reader *r, LLVMOpcode op, LLVMValueRef a, LLVMValueRef by) {
    LLVMTypeRef type = LLVMTypeOf(a);
    LLVMValueRef bits = ir_number(type, LLVMGetIntTypeWidth(reader_scalar(type)));
    LLVMValueRef inside = LLVMBuildICmp(r->builder, LLVMIntULT, by, bits, "");
    by = LLVMBuildSelect(r->builder, inside, by, LLVMConstNull(type), "");
    return LLVMBuildSelect(r->builder, inside, LLVMBuildBinOp(r->builder, op, a, by, ""), LLVMConstNull(type),
                           "");
}

/* A scalar integer in the result's type and shape. */
static LLVMValueRef count_operand(struct reader *r, const struct instruction *in, uint32_t k,
                                  LLVMTypeRef type) {
    LLVMValueRef value = reader_operand(r, in, k);
    if (!reader_is_int(LLVMTypeOf(value)) || reader_lanes(LLVMTypeOf(value)) != 1)
        reader_fail(r, "operand %u is not an integer", k + 1);
    return splat(r, LLVMBuildIntCast2(r->builder, value, reader_scalar(type), 0, ""), type);
}

void read_bit_field(struct reader *r, const struct instruction *in) {
    LLVMTypeRef type = result_of(r, in, 'i');
    bool is_insert = in->op->code == OpBitFieldInsert;
    uint32_t k = is_insert ? 2 : 1;
    LLVMValueRef base = reader_typed(r, in, 0, type), offset = count_operand(r, in, k, type);
    LLVMValueRef count = count_operand(r, in, k + 1, type), ones = LLVMConstAllOnes(type);
    LLVMValueRef bits = ir_number(type, LLVMGetIntTypeWidth(reader_scalar(type)));
    LLVMValueRef mask = LLVMBuildNot(r->builder, shift_out(r, LLVMShl, ones, count), ""), value;
    if (is_insert) {
        LLVMValueRef field = LLVMBuildAnd(r->builder, reader_typed(r, in, 1, type), mask, "");
        LLVMValueRef place = shift_out(r, LLVMShl, mask, offset);
        field = shift_out(r, LLVMShl, field, offset);
        value = LLVMBuildOr(
            r->builder, LLVMBuildAnd(r->builder, base, LLVMBuildNot(r->builder, place, ""), ""), field, "");
    } else {
        value = LLVMBuildAnd(r->builder, shift_out(r, LLVMLShr, base, offset), mask, "");
        if (in->op->number) { /* the field's highest bit is the sign */
            LLVMValueRef up = LLVMBuildSub(r->builder, bits, count, "");
            LLVMValueRef none = LLVMBuildICmp(r->builder, LLVMIntEQ, count, LLVMConstNull(type), "");
            up = LLVMBuildSelect(r->builder, none, LLVMConstNull(type), up, "");
            value = LLVMBuildAShr(r->builder, LLVMBuildShl(r->builder, value, up, ""), up, "");
        }
    }
    reader_result(r, in, value);
}

/* The products of elements, which are 4 times 8 bits where the operands are one integer. */
void read_integer_dot(struct reader *r, const struct instruction *in) {
    LLVMTypeRef type = result_of(r, in, 'i'), i8 = LLVMInt8TypeInContext(r->llvm);
    LLVMValueRef v[2] = {reader_operand(r, in, 0), reader_operand(r, in, 1)}, sum = LLVMConstNull(type);
    bool accumulates = in->op->operands[4] == 'i', is_signed = in->op->text[0] == 's';
    if (LLVMTypeOf(v[0]) != LLVMTypeOf(v[1]) || !reader_is_int(LLVMTypeOf(v[0])) || reader_lanes(type) != 1)
        reader_fail(r, "the operands are not integers of one type");
    for (int k = 0; k < 2; k++)
        if (reader_lanes(LLVMTypeOf(v[k])) == 1) {
            if (LLVMGetIntTypeWidth(LLVMTypeOf(v[k])) != 32)
                reader_fail(r, "packed operands have to be integers of 32 bits");
            v[k] = LLVMBuildBitCast(r->builder, v[k], LLVMVectorType(i8, 4), "");
        }
    if (LLVMGetIntTypeWidth(reader_scalar(LLVMTypeOf(v[0]))) > LLVMGetIntTypeWidth(type))
        reader_fail(r, "the result is narrower than the operands");
    for (unsigned i = 0; i < reader_lanes(LLVMTypeOf(v[0])); i++) {
        LLVMValueRef one[2];
        for (int k = 0; k < 2; k++) {
            one[k] = LLVMBuildExtractElement(r->builder, v[k], ir_const32(r->llvm, i), "");
            one[k] = LLVMBuildIntCast2(r->builder, one[k], type, in->op->text[k] == 's', "");
        }
        sum = LLVMBuildAdd(r->builder, sum, LLVMBuildMul(r->builder, one[0], one[1], ""), "");
    }
    if (accumulates) {
        LLVMValueRef args[] = {sum, reader_typed(r, in, 2, type)};
        sum = ir_intrinsic(r->builder, is_signed ? "llvm.sadd.sat" : "llvm.uadd.sat", &type, 1, args, 2);
    }
    reader_result(r, in, sum);
}

/* ---- conversions ----------------------------------------------------------------------------------------- */

static const char *type_name(LLVMTypeRef type, bool is_unsigned) {
    static const char *const names[2][4] = {{"char", "short", "int", "long"},
                                            {"uchar", "ushort", "uint", "ulong"}};
    LLVMTypeRef scalar = reader_scalar(type);
    const char *name = "int";
    switch (LLVMGetTypeKind(scalar)) {
    case LLVMHalfTypeKind:
        name = "half";
        break;
    case LLVMFloatTypeKind:
        name = "float";
        break;
    case LLVMDoubleTypeKind:
        name = "double";
        break;
    default: {
        unsigned bits = LLVMGetIntTypeWidth(scalar);
        if (bits < 8 || bits & (bits - 1)) /* the library has none */
            return job_printf("_BitInt%u", bits);
        name = names[is_unsigned][bits == 8 ? 0 : bits == 16 ? 1 : bits == 32 ? 2 : 3];
    }
    }
    return reader_lanes(type) > 1 ? job_printf("%s%u", name, reader_lanes(type)) : name;
}

/* By the library, where a rounding mode or saturation is asked for. */
static LLVMValueRef convert(struct reader *r, const struct instruction *in, LLVMValueRef a, LLVMTypeRef to,
                            bool from_unsigned, bool to_unsigned, bool saturates) {
    static const char *const roundings[] = {"_rte", "_rtz", "_rtp", "_rtn"};
    const struct decoration *d = reader_decoration(reader_id(r, in->result), DECORATION_ROUNDING);
    if (d && (!d->n || d->at[0] > ROUNDING_RTN))
        reader_fail(r, "there is no such rounding mode");
    const char *name = job_printf("convert_%s%s%s", type_name(to, to_unsigned), saturates ? "_sat" : "",
                                  d ? roundings[d->at[0]]
                                  : reader_is_float(LLVMTypeOf(a)) && !reader_is_float(to) ? "_rtz"
                                                                                           : "");
    struct argument arg = {.value = a, .letter = from_unsigned ? 'u' : 's'};
    return builtin_call(r, name, to, &arg, 1, CALL_PURE);
}

void read_cast(struct reader *r, const struct instruction *in) {
    LLVMTypeRef to = reader_type(r, in->type);
    LLVMValueRef a = reader_operand(r, in, 0), value;
    LLVMTypeRef from = LLVMTypeOf(a);
    LLVMOpcode op = (LLVMOpcode)in->op->number;
    bool from_float = op == LLVMFPToUI || op == LLVMFPToSI || op == LLVMFPExt;
    bool to_float = op == LLVMUIToFP || op == LLVMSIToFP || op == LLVMFPExt;
    if (reader_lanes(from) != reader_lanes(to) || !is_of(from, from_float ? 'f' : 'i') ||
        !is_of(to, to_float ? 'f' : 'i'))
        reader_fail(r, "it can't convert the operand to type %u", in->type);
    const struct id *id = reader_id(r, in->result);
    bool saturates = reader_decoration(id, DECORATION_SATURATED),
         is_unsigned = in->op->text && in->op->text[0] == 'u';
    if (saturates || reader_decoration(id, DECORATION_ROUNDING)) {
        value = convert(r, in, a, to, is_unsigned, is_unsigned, saturates);
    } else if (op == LLVMZExt || op == LLVMSExt) {
        value = LLVMBuildIntCast2(r->builder, a, to, op == LLVMSExt, "");
    } else if (op == LLVMFPExt) {
        value = LLVMBuildFPCast(r->builder, a, to, "");
    } else {
        value = LLVMBuildCast(r->builder, op, a, to, "");
    }
    reader_result(r, in, value);
}

/* Numbers of type bfloat16 as integers: a float's upper half. To them by rounding to the nearest, a NaN stays one. */
void read_bfloat16(struct reader *r, const struct instruction *in) {
    enum { MANTISSA_TOP = 0x40 };
    LLVMTypeRef to = reader_type(r, in->type), i16 = LLVMInt16TypeInContext(r->llvm);
    LLVMValueRef a = reader_operand(r, in, 0), value;
    LLVMTypeRef from = LLVMTypeOf(a), bits = reader_like(LLVMInt32TypeInContext(r->llvm), from);
    LLVMTypeRef narrow = in->op->number ? to : from, wide = in->op->number ? from : to;
    LLVMBuilderRef b = r->builder;
    if (reader_scalar(narrow) != i16 || LLVMGetTypeKind(reader_scalar(wide)) != LLVMFloatTypeKind ||
        reader_lanes(from) != reader_lanes(to))
        reader_fail(r, "it can't convert the operand to type %u", in->type);
    if (in->op->number) {
        LLVMValueRef nan = LLVMBuildFCmp(b, LLVMRealUNO, a, a, ""), half = ir_number(bits, 16);
        a = LLVMBuildBitCast(b, a, bits, "");
        LLVMValueRef upper = LLVMBuildLShr(b, a, half, "");
        LLVMValueRef odd = LLVMBuildAnd(b, upper, ir_number(bits, 1), "");
        value = LLVMBuildAdd(b, LLVMBuildAdd(b, a, ir_number(bits, 0x7fff), ""), odd, "");
        value = LLVMBuildLShr(b, value, half, "");
        value = LLVMBuildSelect(b, nan, LLVMBuildOr(b, upper, ir_number(bits, MANTISSA_TOP), ""), value, "");
        value = LLVMBuildTrunc(b, value, to, "");
    } else {
        value = LLVMBuildShl(b, LLVMBuildZExt(b, a, bits, ""), ir_number(bits, 16), "");
        value = LLVMBuildBitCast(b, value, to, "");
    }
    reader_result(r, in, value);
}

void read_saturate(struct reader *r, const struct instruction *in) {
    LLVMTypeRef to = result_of(r, in, 'i');
    LLVMValueRef a = reader_operand(r, in, 0);
    if (!reader_is_int(LLVMTypeOf(a)) || reader_lanes(LLVMTypeOf(a)) != reader_lanes(to))
        reader_fail(r, "it can't convert the operand to type %u", in->type);
    reader_result(r, in, convert(r, in, a, to, in->op->text[0] == 'u', in->op->text[1] == 'u', true));
}

static uint64_t bits_of(struct reader *r, LLVMTypeRef type) {
    return LLVMSizeOfTypeInBits(r->layout, type);
}

void read_pointer_cast(struct reader *r, const struct instruction *in) {
    LLVMTypeRef to = reader_type(r, in->type);
    LLVMValueRef a = reader_operand(r, in, 0), value;
    LLVMTypeRef from = LLVMTypeOf(a);
    bool from_pointer = reader_is_pointer(from), to_pointer = reader_is_pointer(to);
    bool is_scalar =
        LLVMGetTypeKind(from) == LLVMIntegerTypeKind || LLVMGetTypeKind(to) == LLVMIntegerTypeKind;
    if (from_pointer && to_pointer) {
        bool changes = in->op->code == OpPtrCastToGeneric || in->op->code == OpGenericCastToPtr;
        if (!changes && from != to)
            reader_fail(r, "it can't change the storage class");
        value = from == to ? a : LLVMBuildAddrSpaceCast(r->builder, a, to, "");
    } else if (from_pointer && is_scalar && reader_is_int(to)) {
        value = LLVMBuildPtrToInt(r->builder, a, to, "");
    } else if (to_pointer && is_scalar && reader_is_int(from)) {
        value = LLVMBuildIntToPtr(r->builder, a, to, "");
    } else if (in->op->code == OpBitcast && (from_pointer || to_pointer) &&
               bits_of(r, from) == bits_of(r, to) &&
               (reader_is_int(from_pointer ? to : from) || reader_is_float(from_pointer ? to : from))) {
        LLVMTypeRef i64 = LLVMInt64TypeInContext(r->llvm); /* a pointer and a vector */
        value = from_pointer
                    ? LLVMBuildBitCast(r->builder, LLVMBuildPtrToInt(r->builder, a, i64, ""), to, "")
                    : LLVMBuildIntToPtr(r->builder, LLVMBuildBitCast(r->builder, a, i64, ""), to, "");
    } else if (in->op->code == OpBitcast && (reader_is_int(from) || reader_is_float(from)) &&
               (reader_is_int(to) || reader_is_float(to)) && bits_of(r, from) == bits_of(r, to)) {
        value = LLVMBuildBitCast(r->builder, a, to, "");
    } else {
        reader_fail(r, "it can't convert the operand to type %u", in->type);
    }
    reader_result(r, in, value);
}

void read_explicit_cast(struct reader *r, const struct instruction *in) {
    LLVMTypeRef to = reader_type(r, in->type), generic = LLVMPointerTypeInContext(r->llvm, AS_PRIVATE);
    LLVMValueRef a = reader_typed(r, in, 0, generic);
    if (!reader_is_pointer(to))
        reader_fail(r, "type %u is not a pointer", in->type);
    unsigned space = LLVMGetPointerAddressSpace(to);
    const char *name = space == AS_GLOBAL ? "__to_global" : space == AS_LOCAL ? "__to_local" : "__to_private";
    if (space == AS_CONSTANT)
        reader_fail(r, "generic pointers don't point to constants");
    reader_result(r, in, builtin_call_plain(r, name, to, &a, 1, 0));
}

void read_pointer_semantics(struct reader *r, const struct instruction *in) {
    LLVMTypeRef type = result_of(r, in, 'i'), i32 = LLVMInt32TypeInContext(r->llvm);
    LLVMValueRef a = reader_typed(r, in, 0, LLVMPointerTypeInContext(r->llvm, AS_PRIVATE));
    LLVMValueRef local =
        builtin_call_plain(r, "__to_local", LLVMPointerTypeInContext(r->llvm, AS_LOCAL), &a, 1, 0);
    if (type != i32)
        reader_fail(r, "its result has to be an integer of 32 bits");
    local = LLVMBuildIsNotNull(r->builder, local, "");
    reader_result(r, in,
                  LLVMBuildSelect(r->builder, local, ir_const32(r->llvm, SEMANTICS_WORKGROUP),
                                  ir_const32(r->llvm, SEMANTICS_CROSS_WORKGROUP), ""));
}
