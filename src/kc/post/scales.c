/* scales.c: numbers times powers of two, as exponential functions end, in one instruction.
 *
 * Needs packs as vectors, and AVX-512. Before LLVM's optimizer, which then finds one t - MAGIC. The built-in library scales p by
 * 2^n, t being n + MAGIC, by two halves of n (lib/cl/parts.h, parts_double.h), of which only the second product may round:
 *     n = bits of t, half = n >> 1;  p * float(half << 23) * float(n - half << 23)     ->     vscalef(p, t - MAGIC)
 * Where t has sixteenths of n, too, n is the bits of t >> 4: vscalef takes the largest integer below them.
 * The proof: between -278 and 256, which the library limits n to, the first product is exact, or overflows where the second one does,
 * too; so both round p * 2^n once; so they do of doubles between -1076 and 1025. MAGIC is found in t, and is no other's: adding it
 * leaves n + 254, or n + 2046, in the low bits, twice what exponents are counted from. Six instructions less of eighteen of exp. */
#include "post.h"
#include <stdio.h>

/* How t has n. */
static const struct magic {
    LLVMTypeKind kind;
    unsigned fraction; /* bits of p */
    unsigned below;    /* bits of n that are less than 1 */
    double added;
} magics[] = {
    {LLVMFloatTypeKind, 23, 0, 0x1.8p23 + 254},
    {LLVMDoubleTypeKind, 52, 0, 0x1.8p52 + 2046},
    {LLVMDoubleTypeKind, 52, 4, 0x1.8p48 + 2046},
};

/* The vector that these bits are of; NULL: they are no such numbers'. */
static LLVMValueRef number_of(LLVMValueRef bits, LLVMTypeKind kind) {
    bool is = LLVMIsABitCastInst(bits) && LLVMGetTypeKind(LLVMTypeOf(bits)) == LLVMVectorTypeKind;
    LLVMValueRef v = is ? LLVMGetOperand(bits, 0) : NULL;
    bool same = v && LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMVectorTypeKind &&
                LLVMGetVectorSize(LLVMTypeOf(v)) == LLVMGetVectorSize(LLVMTypeOf(bits)) &&
                LLVMGetTypeKind(LLVMGetElementType(LLVMTypeOf(v))) == kind;
    return same ? v : NULL;
}

/* What is shifted by so many bits; NULL: nothing is. */
static LLVMValueRef shifted(LLVMValueRef v, LLVMOpcode op, uint64_t by) {
    LLVMTypeRef type = LLVMTypeOf(v);
    bool is = LLVMIsAInstruction(v) && LLVMGetInstructionOpcode(v) == op &&
              LLVMGetOperand(v, 1) == ir_repeat(type, LLVMConstInt(LLVMGetElementType(type), by, 0));
    return is ? LLVMGetOperand(v, 0) : NULL;
}

/* The bits that are the exponent of this factor; NULL: it is none. */
static LLVMValueRef exponent_of(LLVMValueRef factor, unsigned fraction) {
    bool is = LLVMIsABitCastInst(factor) && LLVMGetTypeKind(LLVMTypeOf(factor)) == LLVMVectorTypeKind;
    return is ? shifted(LLVMGetOperand(factor, 0), LLVMShl, fraction) : NULL;
}

static LLVMValueRef repeated(LLVMTypeRef type, double x) {
    return ir_repeat(type, LLVMConstReal(LLVMGetElementType(type), x));
}

/* Whether this has been added last. */
static bool has_magic(LLVMValueRef t, double magic) {
    bool adds = LLVMIsAInstruction(t) && LLVMGetInstructionOpcode(t) == LLVMFAdd,
         fuses =
             LLVMIsACallInst(t) && (ir_is_intrinsic(t, "llvm.fmuladd.") || ir_is_intrinsic(t, "llvm.fma."));
    return (adds || fuses) && LLVMGetOperand(t, adds ? 1 : 2) == repeated(LLVMTypeOf(t), magic);
}

/* Where the product is p * 2^n by halves: p, with *t; else NULL. */
static LLVMValueRef find_scaled(const struct magic *m, LLVMValueRef product, LLVMValueRef *t) {
    LLVMValueRef first = LLVMGetOperand(product, 0),
                 rest = exponent_of(LLVMGetOperand(product, 1), m->fraction);
    bool is = LLVMIsAInstruction(first) && LLVMGetInstructionOpcode(first) == LLVMFMul && rest &&
              LLVMIsAInstruction(rest) && LLVMGetInstructionOpcode(rest) == LLVMSub;
    LLVMValueRef half = is ? exponent_of(LLVMGetOperand(first, 1), m->fraction) : NULL,
                 bits = half ? shifted(half, LLVMLShr, m->below + 1) : NULL, n = bits;
    if (bits && m->below) {
        n = shifted(LLVMGetOperand(rest, 0), LLVMLShr, m->below) == bits ? LLVMGetOperand(rest, 0) : NULL;
    }
    if (!n || LLVMGetOperand(rest, 0) != n || LLVMGetOperand(rest, 1) != half) {
        return NULL;
    }
    *t = number_of(bits, m->kind);
    return *t && has_magic(*t, m->added) ? LLVMGetOperand(first, 0) : NULL;
}

/* Of vectors that are registers; `arg` is the builder. */
static LLVMValueRef scale_register(void *arg, LLVMValueRef *x) {
    LLVMContextRef llvm = LLVMGetTypeContext(LLVMTypeOf(x[0]));
    unsigned n = LLVMGetVectorSize(LLVMTypeOf(x[0]));
    bool is_double = LLVMGetTypeKind(LLVMGetElementType(LLVMTypeOf(x[0]))) == LLVMDoubleTypeKind;
    unsigned bits = (is_double ? 64 : 32) * n;
    char name[64];
    snprintf(name, sizeof name, "llvm.x86.avx512.mask.scalef.p%c.%u", is_double ? 'd' : 's', bits);
    enum { AS_USUAL = 4, WITH_ROUNDING = 512 }; /* rounding */
    LLVMValueRef args[] = {x[0], x[1], LLVMConstNull(LLVMTypeOf(x[0])),
                           LLVMConstAllOnes(LLVMIntTypeInContext(llvm, n < 8 ? 8 : n)),
                           ir_const32(llvm, AS_USUAL)};
    return ir_intrinsic(arg, name, NULL, 0, args, bits == WITH_ROUNDING ? 5 : 4);
}

static void scale(struct kernel *k, LLVMValueRef product) {
    const struct magic *m = magics, *end = magics + sizeof magics / sizeof *magics;
    LLVMValueRef t, p = find_scaled(m, product, &t);
    while (!p && ++m < end) {
        p = find_scaled(m, product, &t);
    }
    if (!p) {
        return;
    }
    LLVMBuilderRef b = ir_before(product);
    unsigned lanes = target_lanes(k->target) / (m->kind == LLVMDoubleTypeKind ? 2 : 1);
    LLVMValueRef x[] = {p, LLVMBuildFAdd(b, t, repeated(LLVMTypeOf(t), -m->added), "")};
    LLVMValueRef scaled = ir_by_registers(b, x, 2, lanes, scale_register, b);
    LLVMDisposeBuilder(b);
    LLVMReplaceAllUsesWith(product, scaled);
    LLVMInstructionEraseFromParent(product);
}

void scales_pass(struct kernel *k) {
    for (LLVMValueRef f = LLVMGetFirstFunction(k->module); f && k->target->scales;
         f = LLVMGetNextFunction(f)) {
        for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block;
             block = LLVMGetNextBasicBlock(block)) {
            for (LLVMValueRef next, i = LLVMGetFirstInstruction(block); i; i = next) {
                next = LLVMGetNextInstruction(i);
                if (LLVMGetInstructionOpcode(i) == LLVMFMul &&
                    LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMVectorTypeKind) {
                    scale(k, i);
                }
            }
        }
    }
}
