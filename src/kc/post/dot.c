/* dot.c: dot products of four bytes (lib/cl/dot.cl) as instructions.
 *
 * Needs SSA values, before optimization. Gives the module without calls of __weir_dot_*: those of one work-item become shifts,
 * products and sums, those of packs, whose vectors have four bytes per lane, what the processor has:
 *
 * - VNNI's vpdpbusd adds four products of unsigned bytes with signed ones to a sum. Where both are signed, one operand is
 *   raised by 128, and where neither is, one is lowered by as much: in both cases its sign bits are flipped, and what
 *   has become too large or small is 128 times the sum of the other's bytes, a vpdpbusd with 128 in all bytes:
 *
 *     ss(y, x) + acc = busd(acc - busd(0, 128..., x), y ^ 128..., x)
 *     uu(x, y) + acc = busd(acc - busd(0, x, 128...), x, y ^ 128...)         as signed bytes these are -128
 *
 *   x is the operand that the pack shares, if there is one, so that the correction leaves loops or serves many products.
 * - Elsewhere bytes 0 and 2, and 1 and 3, are extended to 16 bits, and pmaddwd adds products of those.
 *
 * A sum whose one use the product is starts the product; a saturating one does, where the processor saturates. */
#include "post.h"

struct dot {
    struct kernel *k;
    LLVMBuilderRef b;
    bool is_signed[2]; /* operands */
    bool saturates;
    unsigned shared; /* which operand corrects the product */
};

/* ---- of one work-item ---- */

static LLVMValueRef product_of_bytes(struct dot *d, LLVMValueRef call, unsigned n) {
    LLVMTypeRef i8 = LLVMInt8TypeInContext(d->k->llvm), i32 = LLVMInt32TypeInContext(d->k->llvm);
    LLVMValueRef bytes[2];
    for (unsigned o = 0; o < 2; o++) {
        LLVMValueRef shifted =
            LLVMBuildLShr(d->b, LLVMGetOperand(call, o), ir_const32(d->k->llvm, 8 * n), "");
        bytes[o] = LLVMBuildTrunc(d->b, shifted, i8, "byte");
        bytes[o] =
            d->is_signed[o] ? LLVMBuildSExt(d->b, bytes[o], i32, "") : LLVMBuildZExt(d->b, bytes[o], i32, "");
    }
    return LLVMBuildNSWMul(d->b, bytes[0], bytes[1], "");
}

static LLVMValueRef of_one(struct dot *d, LLVMValueRef call) {
    LLVMValueRef sum = product_of_bytes(d, call, 0);
    for (unsigned n = 1; n < 4; n++) {
        sum = LLVMBuildNSWAdd(d->b, sum, product_of_bytes(d, call, n), "dot");
    }
    return sum;
}

/* ---- of packs: sum, operands ---- */

static LLVMTypeRef divided(struct dot *d, LLVMTypeRef type, unsigned bits) {
    LLVMTypeRef element = LLVMIntTypeInContext(d->k->llvm, bits);
    return LLVMVectorType(element, LLVMGetVectorSize(type) * 32 / bits);
}

static LLVMValueRef busd(struct dot *d, bool saturates, LLVMValueRef sum, LLVMValueRef u, LLVMValueRef s) {
    static const char *const names[2][3] = {
        {"llvm.x86.avx512.vpdpbusd.128", "llvm.x86.avx512.vpdpbusd.256", "llvm.x86.avx512.vpdpbusd.512"},
        {"llvm.x86.avx512.vpdpbusds.128", "llvm.x86.avx512.vpdpbusds.256", "llvm.x86.avx512.vpdpbusds.512"}};
    LLVMTypeRef bytes = divided(d, LLVMTypeOf(sum), 8);
    LLVMValueRef args[] = {sum, LLVMBuildBitCast(d->b, u, bytes, ""), LLVMBuildBitCast(d->b, s, bytes, "")};
    return ir_intrinsic(d->b, names[saturates][LLVMGetVectorSize(LLVMTypeOf(sum)) / 8], NULL, 0, args, 3);
}

/* With VNNI. */
static LLVMValueRef of_bytes(void *arg, LLVMValueRef *v) {
    struct dot *d = arg;
    LLVMTypeRef type = LLVMTypeOf(v[0]);
    LLVMValueRef flip = ir_number(type, 0x80808080), zero = LLVMConstNull(type);
    if (d->is_signed[0] != d->is_signed[1]) {
        return busd(d, d->saturates, v[0], v[d->is_signed[0] ? 2 : 1], v[d->is_signed[0] ? 1 : 2]);
    }
    LLVMValueRef x = v[1 + d->shared], y = LLVMBuildXor(d->b, v[2 - d->shared], flip, "");
    LLVMValueRef excess = d->is_signed[0] ? busd(d, false, zero, flip, x) : busd(d, false, zero, x, flip);
    LLVMValueRef sum = LLVMBuildSub(d->b, v[0], excess, "");
    return d->is_signed[0] ? busd(d, false, sum, y, x) : busd(d, false, sum, x, y);
}

/* Numbers of 16 bits: of each pair of bytes the lower, or the upper one. */
static LLVMValueRef extended(struct dot *d, LLVMValueRef v, bool is_signed, bool upper) {
    LLVMTypeRef type = divided(d, LLVMTypeOf(v), 16);
    LLVMValueRef pairs = LLVMBuildBitCast(d->b, v, type, ""), eight = ir_number(type, 8);
    pairs = upper ? pairs : LLVMBuildShl(d->b, pairs, eight, "");
    return is_signed ? LLVMBuildAShr(d->b, pairs, eight, "") : LLVMBuildLShr(d->b, pairs, eight, "");
}

static LLVMValueRef of_pairs(void *arg, LLVMValueRef *v) {
    struct dot *d = arg;
    unsigned n = LLVMGetVectorSize(LLVMTypeOf(v[0]));
    const char *name = n == 4   ? "llvm.x86.sse2.pmadd.wd"
                       : n == 8 ? "llvm.x86.avx2.pmadd.wd"
                                : "llvm.x86.avx512.pmaddw.d.512";
    LLVMValueRef sum = v[0];
    for (unsigned upper = 0; upper < 2; upper++) {
        LLVMValueRef args[] = {extended(d, v[1], d->is_signed[0], upper),
                               extended(d, v[2], d->is_signed[1], upper)};
        sum = LLVMBuildAdd(d->b, sum, ir_intrinsic(d->b, name, NULL, 0, args, 2), "");
    }
    return sum;
}

/* ---- calls ---- */

/* By the pack: a constant, or element 0 everywhere. */
static bool is_shared(LLVMValueRef vector) {
    return LLVMIsAConstant(vector) || (LLVMIsAShuffleVectorInst(vector) && LLVMGetNumMaskElements(vector) &&
                                       !LLVMGetMaskValue(vector, 0) && !LLVMGetMaskValue(vector, 1));
}

/* The addition that the call's one use is, in its block, or NULL; `*sum` is what it adds to. */
static LLVMValueRef addition(struct dot *d, LLVMValueRef call, LLVMValueRef *sum) {
    LLVMUseRef use = LLVMGetFirstUse(call);
    LLVMValueRef user = use && !LLVMGetNextUse(use) ? LLVMGetUser(use) : NULL;
    bool is_one_way = d->is_signed[0] != d->is_signed[1]; /* which the instruction that saturates is for */
    d->saturates = user && LLVMIsACallInst(user) && ir_is_intrinsic(user, "llvm.sadd.sat.") && is_one_way &&
                   d->k->target->sums_products;
    bool adds = d->saturates || (user && LLVMGetInstructionOpcode(user) == LLVMAdd);
    if (!adds || LLVMGetInstructionParent(user) != LLVMGetInstructionParent(call)) {
        return NULL;
    }
    *sum = LLVMGetOperand(user, LLVMGetOperand(user, 0) == call);
    return user;
}

/* Is gone afterwards, and so may be what adds it to a sum. */
static void lower(struct kernel *k, LLVMValueRef call, const char *kind) {
    struct dot d = {.k = k, .is_signed = {kind[0] == 's', kind[1] == 's'}};
    LLVMTypeRef type = LLVMTypeOf(call);
    LLVMValueRef result, replaced = call;
    if (LLVMGetTypeKind(type) == LLVMVectorTypeKind) {
        LLVMValueRef v[] = {LLVMConstNull(type), LLVMGetOperand(call, 0), LLVMGetOperand(call, 1)};
        LLVMValueRef user = addition(&d, call, &v[0]);
        replaced = user ? user : call;
        d.b = ir_before(replaced);
        d.shared = !is_shared(v[1]);
        result = ir_by_registers(d.b, v, 3, target_lanes(k->target),
                                 k->target->sums_products ? of_bytes : of_pairs, &d);
    } else {
        d.b = ir_before(call);
        result = of_one(&d, call);
    }
    LLVMDisposeBuilder(d.b);
    LLVMReplaceAllUsesWith(replaced, result);
    LLVMInstructionEraseFromParent(replaced);
    if (replaced != call) {
        LLVMInstructionEraseFromParent(call);
    }
}

void dot_pass(struct kernel *k) {
    intrinsic_lower(k, DOT_PREFIX, lower);
}
