/* half_arithmetic.c: arithmetic of half numbers by that of floats, where the processor has none.
 *
 * Gives functions without operations on half numbers but conversions that are instructions. These need the optimized
 * module, for LLVM's passes would turn much of it back; not so on processors without F16C, where conversions are integer
 * code, and more of it than loops should be unrolled with. A float has more than twice the bits: so rounding a sum, a
 * product, a quotient or a root to float first changes nothing. Where it would, for fma and doubles, the float is rounded
 * to odd: its last bit says that something was lost, and so it lies on the right side of any tie. */
#include "post.h"
#include <string.h>

struct lowering {
    struct kernel *k;
    LLVMBuilderRef b;
};

/* ---- types ---- */

static LLVMTypeRef element_of(LLVMTypeRef type) {
    return LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetElementType(type) : type;
}

static bool is_of(LLVMTypeRef type, LLVMTypeKind kind) {
    return LLVMGetTypeKind(element_of(type)) == kind;
}

/* `element`, or as many of it as `type` has. */
static LLVMTypeRef as_many(LLVMTypeRef type, LLVMTypeRef element) {
    bool is_vector = LLVMGetTypeKind(type) == LLVMVectorTypeKind;
    return is_vector ? LLVMVectorType(element, LLVMGetVectorSize(type)) : element;
}

static LLVMTypeRef floats(struct lowering *l, LLVMTypeRef type) {
    return as_many(type, LLVMFloatTypeInContext(l->k->llvm));
}

static LLVMTypeRef integers(struct lowering *l, LLVMTypeRef type, unsigned bits) {
    return as_many(type, LLVMIntTypeInContext(l->k->llvm, bits));
}

/* ---- conversions ---- */

/* The bits of a half number, moved to a float's place, are that number times 2^-112. */
static LLVMValueRef widen_bits(struct lowering *l, LLVMValueRef x) {
    LLVMBuilderRef b = l->b;
    LLVMTypeRef type = LLVMTypeOf(x), i16 = integers(l, type, 16), i32 = integers(l, type, 32);
    LLVMValueRef bits = LLVMBuildZExt(b, LLVMBuildBitCast(b, x, i16, ""), i32, "");
    LLVMValueRef size = LLVMBuildAnd(b, bits, ir_number(i32, 0x7fff), "");
    LLVMValueRef sign = LLVMBuildShl(b, LLVMBuildXor(b, bits, size, ""), ir_number(i32, 16), "");
    LLVMValueRef moved = LLVMBuildShl(b, size, ir_number(i32, 13), "");
    LLVMValueRef scale = LLVMConstBitCast(ir_number(i32, 0x77800000), floats(l, type)); /* 2^112 */
    LLVMValueRef finite = LLVMBuildFMul(b, LLVMBuildBitCast(b, moved, floats(l, type), ""), scale, "");
    LLVMValueRef infinite = LLVMBuildOr(b, moved, ir_number(i32, 0x7f800000), "");
    LLVMValueRef is_infinite = LLVMBuildICmp(b, LLVMIntUGE, size, ir_number(i32, 0x7c00), "");
    LLVMValueRef result = LLVMBuildSelect(b, is_infinite, infinite, LLVMBuildBitCast(b, finite, i32, ""), "");
    return LLVMBuildBitCast(b, LLVMBuildOr(b, result, sign, ""), floats(l, type), "");
}

/* Adding rounds to even: for normal numbers in the bits that stay, for subnormal ones in a float that ends where they do. */
static LLVMValueRef narrow_bits(struct lowering *l, LLVMValueRef x) {
    LLVMBuilderRef b = l->b;
    LLVMTypeRef type = LLVMTypeOf(x), i16 = integers(l, type, 16), i32 = integers(l, type, 32);
    LLVMTypeRef half = as_many(type, LLVMHalfTypeInContext(l->k->llvm));
    LLVMValueRef bits = LLVMBuildBitCast(b, x, i32, "");
    LLVMValueRef size = LLVMBuildAnd(b, bits, ir_number(i32, 0x7fffffff), "");
    LLVMValueRef sign = LLVMBuildLShr(b, LLVMBuildXor(b, bits, size, ""), ir_number(i32, 16), "");
    LLVMValueRef cut = LLVMBuildLShr(b, size, ir_number(i32, 13), "");
    LLVMValueRef is_odd = LLVMBuildAnd(b, cut, ir_number(i32, 1), "");
    LLVMValueRef bias = ir_number(i32, 0xfff - (112u << 23)); /* modulo 2^32 */
    LLVMValueRef sum = LLVMBuildAdd(b, LLVMBuildAdd(b, size, bias, ""), is_odd, "");
    LLVMValueRef normal = LLVMBuildLShr(b, sum, ir_number(i32, 13), "");
    LLVMValueRef one_half = LLVMConstBitCast(ir_number(i32, 0x3f000000), type);
    LLVMValueRef small = LLVMBuildFAdd(b, LLVMBuildBitCast(b, size, type, ""), one_half, "");
    small = LLVMBuildSub(b, LLVMBuildBitCast(b, small, i32, ""), ir_number(i32, 0x3f000000), "");
    LLVMValueRef is_small = LLVMBuildICmp(b, LLVMIntULT, size, ir_number(i32, 0x38800000), "");
    LLVMValueRef is_large = LLVMBuildICmp(b, LLVMIntUGE, size, ir_number(i32, 0x477ff000), "");
    LLVMValueRef is_nan = LLVMBuildICmp(b, LLVMIntUGT, size, ir_number(i32, 0x7f800000), "");
    LLVMValueRef payload = LLVMBuildAnd(b, cut, ir_number(i32, 0x3ff), "");
    LLVMValueRef result = LLVMBuildSelect(b, is_small, small, normal, "");
    result = LLVMBuildSelect(b, is_large, ir_number(i32, 0x7c00), result, "");
    LLVMValueRef nan = LLVMBuildOr(b, payload, ir_number(i32, 0x7e00), "");
    result = LLVMBuildOr(b, LLVMBuildSelect(b, is_nan, nan, result, ""), sign, "");
    return LLVMBuildBitCast(b, LLVMBuildTrunc(b, result, i16, ""), half, "");
}

static LLVMValueRef widen(struct lowering *l, LLVMValueRef x) {
    return l->k->target->converts_half ? LLVMBuildFPExt(l->b, x, floats(l, LLVMTypeOf(x)), "")
                                       : widen_bits(l, x);
}

static LLVMValueRef narrow(struct lowering *l, LLVMValueRef x) {
    LLVMTypeRef half = as_many(LLVMTypeOf(x), LLVMHalfTypeInContext(l->k->llvm));
    return l->k->target->converts_half ? LLVMBuildFPTrunc(l->b, x, half, "") : narrow_bits(l, x);
}

/* A number that lies at `near`, a float, or between it and its neighbour, as a float rounded to odd: `is_less`: that of
 * smaller magnitude; `is_inexact`: it doesn't lie at `near`. */
static LLVMValueRef round_to_odd(struct lowering *l, LLVMValueRef near, LLVMValueRef is_less,
                                 LLVMValueRef is_inexact) {
    LLVMTypeRef type = LLVMTypeOf(near), i32 = integers(l, type, 32);
    LLVMValueRef bits = LLVMBuildBitCast(l->b, near, i32, "");
    bits = LLVMBuildSub(l->b, bits, LLVMBuildZExt(l->b, is_less, i32, ""), "");
    bits = LLVMBuildOr(l->b, bits, LLVMBuildZExt(l->b, is_inexact, i32, ""), "");
    return LLVMBuildBitCast(l->b, bits, type, "");
}

static LLVMValueRef narrow_double(struct lowering *l, LLVMValueRef x) {
    LLVMBuilderRef b = l->b;
    LLVMTypeRef type = LLVMTypeOf(x);
    LLVMValueRef near = LLVMBuildFPTrunc(b, x, floats(l, type), ""), back = LLVMBuildFPExt(b, near, type, "");
    LLVMValueRef size = ir_intrinsic(l->b, "llvm.fabs", &(LLVMTypeRef){type}, 1, &x, 1);
    LLVMValueRef got = ir_intrinsic(l->b, "llvm.fabs", &(LLVMTypeRef){type}, 1, &back, 1);
    LLVMValueRef is_less = LLVMBuildFCmp(b, LLVMRealOLT, size, got, "");
    return narrow(l, round_to_odd(l, near, is_less, LLVMBuildFCmp(b, LLVMRealONE, size, got, "")));
}

/* x * y is exact; what the sum with z has lost is found exactly, too. */
static LLVMValueRef fused(struct lowering *l, LLVMValueRef x, LLVMValueRef y, LLVMValueRef z) {
    LLVMBuilderRef b = l->b;
    LLVMTypeRef type = floats(l, LLVMTypeOf(x));
    LLVMValueRef zero = LLVMConstNull(type), product = LLVMBuildFMul(b, widen(l, x), widen(l, y), "");
    z = widen(l, z);
    LLVMValueRef sum = LLVMBuildFAdd(b, product, z, ""), of_z = LLVMBuildFSub(b, sum, product, "");
    LLVMValueRef of_product = LLVMBuildFSub(b, sum, of_z, "");
    LLVMValueRef lost =
        LLVMBuildFAdd(b, LLVMBuildFSub(b, product, of_product, ""), LLVMBuildFSub(b, z, of_z, ""), "");
    LLVMValueRef is_less =
        LLVMBuildFCmp(b, LLVMRealOLT, LLVMBuildFMul(b, lost, sum, ""), zero, ""); /* opposite signs */
    return narrow(l, round_to_odd(l, sum, is_less, LLVMBuildFCmp(b, LLVMRealONE, lost, zero, "")));
}

/* ---- instructions ---- */

/* Intrinsics that floats have as well. */
static const struct {
    const char *name;
    enum {
        PLAIN,
        TO_INTEGER,
        WITH_INTEGER
    } overloads; /* the type; result and type; type and second operand */
} through_float[] = {
    {"llvm.canonicalize.", PLAIN},
    {"llvm.ceil.", PLAIN},
    {"llvm.exp.", PLAIN},
    {"llvm.exp2.", PLAIN},
    {"llvm.floor.", PLAIN},
    {"llvm.fptosi.sat.", TO_INTEGER},
    {"llvm.fptoui.sat.", TO_INTEGER},
    {"llvm.ldexp.", WITH_INTEGER},
    {"llvm.log.", PLAIN},
    {"llvm.log2.", PLAIN},
    {"llvm.maximum.", PLAIN},
    {"llvm.maximumnum.", PLAIN},
    {"llvm.maxnum.", PLAIN},
    {"llvm.minimum.", PLAIN},
    {"llvm.minimumnum.", PLAIN},
    {"llvm.minnum.", PLAIN},
    {"llvm.nearbyint.", PLAIN},
    {"llvm.pow.", PLAIN},
    {"llvm.rint.", PLAIN},
    {"llvm.round.", PLAIN},
    {"llvm.roundeven.", PLAIN},
    {"llvm.sqrt.", PLAIN},
    {"llvm.trunc.", PLAIN},
    {"llvm.vector.reduce.fadd.", PLAIN},
    {"llvm.vector.reduce.fmax.", PLAIN},
    {"llvm.vector.reduce.fmaximum.", PLAIN},
    {"llvm.vector.reduce.fmin.", PLAIN},
    {"llvm.vector.reduce.fminimum.", PLAIN},
    {"llvm.vector.reduce.fmul.", PLAIN},
};

static LLVMValueRef call_for_float(struct lowering *l, LLVMValueRef call) {
    size_t which = 0, count = sizeof through_float / sizeof *through_float;
    while (which < count && !ir_is_intrinsic(call, through_float[which].name)) {
        which++;
    }
    if (which == count) {
        return NULL;
    }
    LLVMValueRef args[4];
    LLVMTypeRef type = NULL;
    unsigned n = LLVMGetNumArgOperands(call);
    for (unsigned i = 0; i < n; i++) {
        args[i] = LLVMGetOperand(call, i);
        args[i] = is_of(LLVMTypeOf(args[i]), LLVMHalfTypeKind) ? widen(l, args[i]) : args[i];
        bool is_reduced = !type || LLVMGetTypeKind(LLVMTypeOf(args[i])) == LLVMVectorTypeKind;
        type = is_reduced && is_of(LLVMTypeOf(args[i]), LLVMFloatTypeKind) ? LLVMTypeOf(args[i]) : type;
    }
    LLVMTypeRef types[2] = {type};
    unsigned ntypes = 1;
    if (through_float[which].overloads == TO_INTEGER) {
        types[0] = LLVMTypeOf(call);
        types[ntypes++] = type;
    } else if (through_float[which].overloads == WITH_INTEGER) {
        types[ntypes++] = LLVMTypeOf(args[1]);
    }
    LLVMValueRef f =
        LLVMGetIntrinsicDeclaration(l->k->module, LLVMGetIntrinsicID(ir_callee(call)), types, ntypes);
    LLVMValueRef result = LLVMBuildCall2(l->b, LLVMGlobalGetValueType(f), f, args, n, "");
    if (LLVMCanValueUseFastMathFlags(call) && LLVMIsAInstruction(result)) {
        LLVMSetFastMathFlags(result, LLVMGetFastMathFlags(call));
    }
    return is_of(LLVMTypeOf(call), LLVMHalfTypeKind) ? narrow(l, result) : result;
}

/* `x` with the sign of `sign`, or with none (NULL). */
static LLVMValueRef with_sign(struct lowering *l, LLVMValueRef x, LLVMValueRef sign) {
    LLVMTypeRef type = LLVMTypeOf(x), i16 = integers(l, type, 16);
    LLVMValueRef bits = LLVMBuildBitCast(l->b, x, i16, "");
    bits = LLVMBuildAnd(l->b, bits, ir_number(i16, 0x7fff), "");
    if (sign) {
        sign = LLVMBuildAnd(l->b, LLVMBuildBitCast(l->b, sign, i16, ""), ir_number(i16, 0x8000), "");
        bits = LLVMBuildOr(l->b, bits, sign, "");
    }
    return LLVMBuildBitCast(l->b, bits, type, "");
}

static LLVMValueRef lower_call(struct lowering *l, LLVMValueRef call) {
    LLVMValueRef x[3] = {NULL};
    for (unsigned i = 0; i < 3 && i < LLVMGetNumArgOperands(call); i++) {
        x[i] = LLVMGetOperand(call, i);
    }
    if (ir_is_intrinsic(call, "llvm.fma.")) {
        return fused(l, x[0], x[1], x[2]);
    }
    if (ir_is_intrinsic(call, "llvm.fmuladd.")) {
        LLVMValueRef product = narrow(l, LLVMBuildFMul(l->b, widen(l, x[0]), widen(l, x[1]), ""));
        return narrow(l, LLVMBuildFAdd(l->b, widen(l, product), widen(l, x[2]), ""));
    }
    if (ir_is_intrinsic(call, "llvm.fabs.") || ir_is_intrinsic(call, "llvm.copysign.")) {
        return with_sign(l, x[0], x[1]);
    }
    return call_for_float(l, call);
}

static LLVMValueRef lower_conversion(struct lowering *l, LLVMValueRef i) {
    LLVMValueRef x = LLVMGetOperand(i, 0);
    LLVMTypeRef from = LLVMTypeOf(x), to = LLVMTypeOf(i);
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMFPTrunc:
        return is_of(from, LLVMDoubleTypeKind) ? narrow_double(l, x)
               : l->k->target->converts_half   ? NULL
                                               : narrow(l, x);
    case LLVMFPExt:
        if (l->k->target->converts_half) {
            return NULL;
        }
        return is_of(to, LLVMDoubleTypeKind) ? LLVMBuildFPExt(l->b, widen(l, x), to, "") : widen(l, x);
    case LLVMSIToFP:
    case LLVMUIToFP:
        return narrow(l, LLVMBuildCast(l->b, LLVMGetInstructionOpcode(i), x, floats(l, from), ""));
    case LLVMFPToSI:
    case LLVMFPToUI:
        return LLVMBuildCast(l->b, LLVMGetInstructionOpcode(i), widen(l, x), to, "");
    default:
        return NULL; /* the same bits as another type */
    }
}

/* What takes the place of the instruction; NULL: it stays. */
static LLVMValueRef lower(struct lowering *l, LLVMValueRef i) {
    LLVMOpcode op = LLVMGetInstructionOpcode(i);
    if (LLVMIsACallInst(i)) {
        return lower_call(l, i);
    }
    if (LLVMIsACastInst(i)) {
        return lower_conversion(l, i);
    }
    if (op == LLVMFCmp) {
        LLVMValueRef x = widen(l, LLVMGetOperand(i, 0)), y = widen(l, LLVMGetOperand(i, 1));
        return LLVMBuildFCmp(l->b, LLVMGetFCmpPredicate(i), x, y, "");
    }
    if (op == LLVMFNeg) {
        LLVMTypeRef i16 = integers(l, LLVMTypeOf(i), 16);
        LLVMValueRef bits = LLVMBuildBitCast(l->b, LLVMGetOperand(i, 0), i16, "");
        return LLVMBuildBitCast(l->b, LLVMBuildXor(l->b, bits, ir_number(i16, 0x8000), ""), LLVMTypeOf(i),
                                "");
    }
    if (LLVMIsABinaryOperator(i)) {
        LLVMValueRef x = widen(l, LLVMGetOperand(i, 0)), y = widen(l, LLVMGetOperand(i, 1));
        return narrow(l, LLVMBuildBinOp(l->b, op, x, y, ""));
    }
    return NULL;
}

static bool has_half(LLVMValueRef i) {
    bool found = is_of(LLVMTypeOf(i), LLVMHalfTypeKind);
    for (int n = 0; n < LLVMGetNumOperands(i) && !found; n++) {
        found = is_of(LLVMTypeOf(LLVMGetOperand(i, (unsigned)n)), LLVMHalfTypeKind);
    }
    return found;
}

static bool lower_function(struct kernel *k, LLVMValueRef f) {
    bool changed = false;
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block; block = LLVMGetNextBasicBlock(block)) {
        for (LLVMValueRef next, i = LLVMGetFirstInstruction(block); i; i = next) {
            next = LLVMGetNextInstruction(i);
            if (!has_half(i)) {
                continue;
            }
            struct lowering l = {k, ir_before(i)};
            LLVMValueRef instead = lower(&l, i);
            LLVMDisposeBuilder(l.b);
            if (instead) {
                LLVMReplaceAllUsesWith(i, instead);
                LLVMInstructionEraseFromParent(i);
                changed = true;
            }
        }
    }
    return changed;
}

static void lower_all(struct kernel *k) {
    for (LLVMValueRef f = LLVMGetFirstFunction(k->module); f; f = LLVMGetNextFunction(f)) {
        if (lower_function(k, f)) { /* values that are widened several times */
            LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
            job_check(k->job, LLVMRunPassesOnFunction(f, "early-cse", target_optimizer(k->job), options),
                      "half-arithmetic");
            LLVMDisposePassBuilderOptions(options);
        }
    }
}

void half_conversions_pass(struct kernel *k) {
    if (!k->target->computes_half && !k->target->converts_half) {
        lower_all(k);
    }
}

/* LLVM 22's code generator has no instruction that rounds a half number to an integer, forgets to, and cuts it off:
 * (int)rint(x). What it doesn't know to be a rounding before a conversion it does first. */
static void round_by_itself(LLVMValueRef call) {
    LLVMTypeRef type = LLVMTypeOf(call);
    LLVMValueRef x = LLVMGetOperand(call, 0);
    LLVMBuilderRef b = ir_before(call);
    LLVMReplaceAllUsesWith(call, ir_intrinsic(b, "llvm.nearbyint", &type, 1, &x, 1));
    LLVMDisposeBuilder(b);
    LLVMInstructionEraseFromParent(call);
}

static void round_all(struct kernel *k) {
    for (LLVMValueRef f = LLVMGetFirstFunction(k->module); f; f = LLVMGetNextFunction(f)) {
        for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block;
             block = LLVMGetNextBasicBlock(block)) {
            for (LLVMValueRef next, i = LLVMGetFirstInstruction(block); i; i = next) {
                next = LLVMGetNextInstruction(i);
                if (LLVMIsACallInst(i) && ir_is_intrinsic(i, "llvm.rint.") && has_half(i)) {
                    round_by_itself(i);
                }
            }
        }
    }
}

void half_arithmetic_pass(struct kernel *k) {
    if (k->target->computes_half) {
        round_all(k);
    } else {
        lower_all(k);
    }
}
