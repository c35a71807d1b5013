/* mask_parts.c: a mask of several registers is computed register by register.
 *
 * Needs the optimized module, right before code generation, for a processor whose masks are vectors of whole lanes (AVX2,
 * SSE). What lanes compare fills as many registers as the numbers do. LLVM 22 packs the results of a mask that has more
 * than one into bytes as soon as it goes through an `and`, a PHI or into another block, and unpacks the bytes where they
 * choose: 8 instructions where 2 do. Gives k->run with such masks in parts, each a register's lanes, and so what they
 * choose, extend, read and write:
 *     %m = and <16 x i1> %a, %b                            %m0 = and <8 x i1> %a0, %b0    (of what the halves compare)
 *     %s = select <16 x i1> %m, %x, %y                     %m1 = and <8 x i1> %a1, %b1
 *                                               becomes    %s0 = select <8 x i1> %m0, %x[0..7], %y[0..7], %s1 ...
 *                                                          %s = shufflevector %s0, %s1
 * Between blocks a part is a vector of words, all ones or zeros. A web is what masks are computed from each other: all of
 * it is in parts, or none. */
#include "post.h"
#include "target.h"
#include <string.h>

enum { MOST_PARTS = 8 };

/* A mask in parts. */
struct parts {
    LLVMValueRef mask[MOST_PARTS];  /* in the block that computes it */
    LLVMValueRef words[MOST_PARTS]; /* for others, or NULL */
};

struct web {
    struct kernel *k;
    struct list masks;    /* instructions that give one */
    struct ptrmap places; /* mask -> its place in `masks` + 1 */
    struct parts *parts;  /* by place */
    struct ptrmap wholes; /* what was put together from parts -> an array of them */
    unsigned lanes, bits; /* of a mask; of the narrowest numbers that are compared or chosen */
    unsigned part;        /* lanes of one */
    unsigned joins;       /* how often packing is saved */
    bool is_foreign;      /* something is in it that isn't known in parts */
};

static bool is_mask_type(LLVMTypeRef type) {
    if (LLVMGetTypeKind(type) != LLVMVectorTypeKind) {
        return false;
    }
    LLVMTypeRef element = LLVMGetElementType(type);
    return LLVMGetTypeKind(element) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(element) == 1;
}

static bool is_mask(LLVMValueRef v) {
    return is_mask_type(LLVMTypeOf(v));
}

/* A mask is made of numbers: of what lanes compare, or of the lowest bits of bytes that a mask was kept in. */
static bool is_root(LLVMValueRef v) {
    return LLVMIsAICmpInst(v) || LLVMIsAFCmpInst(v) || LLVMIsATruncInst(v);
}

static bool is_logic(LLVMValueRef i) {
    LLVMOpcode op = LLVMGetInstructionOpcode(i);
    return op == LLVMAnd || op == LLVMOr || op == LLVMXor;
}

/* Computes a mask from others, lane by lane. */
static bool is_join(LLVMValueRef v) {
    return LLVMIsAInstruction(v) && is_mask(v) &&
           (is_logic(v) || LLVMIsAPHINode(v) || LLVMIsAFreezeInst(v) || LLVMIsASelectInst(v));
}

/* ---- what is in a web ---- */

static unsigned element_bits(struct web *w, LLVMTypeRef type) {
    return (unsigned)LLVMSizeOfTypeInBits(LLVMGetModuleDataLayout(w->k->module), LLVMGetElementType(type));
}

static void note_numbers(struct web *w, LLVMTypeRef type) {
    unsigned bits = element_bits(w, type);
    if (!w->bits || bits < w->bits) {
        w->bits = bits;
    }
}

/* Bits of all lanes as a number, which is asked whether it is 0, or all ones: the one question about it; or NULL. */
static LLVMValueRef test_of(LLVMValueRef bits) {
    LLVMUseRef use = LLVMIsABitCastInst(bits) ? LLVMGetFirstUse(bits) : NULL;
    LLVMValueRef test = use && !LLVMGetNextUse(use) ? LLVMGetUser(use) : NULL;
    if (!test || !LLVMIsAICmpInst(test) || LLVMGetOperand(test, 0) != bits) {
        return NULL;
    }
    LLVMValueRef than = LLVMGetOperand(test, 1);
    LLVMIntPredicate p = LLVMGetICmpPredicate(test);
    bool asks = LLVMIsNull(than) || than == LLVMConstAllOnes(LLVMTypeOf(than));
    return asks && (p == LLVMIntEQ || p == LLVMIntNE) ? test : NULL;
}

/* Whether LLVM would pack the mask for it. */
static bool is_for_packed(LLVMValueRef mask, LLVMValueRef user) {
    return LLVMGetInstructionParent(user) != LLVMGetInstructionParent(mask) || test_of(user);
}

static void add(struct web *w, LLVMValueRef v) {
    uintptr_t place;
    if (ptrmap_get(&w->places, v, &place)) {
        return;
    }
    list_add(&w->masks, v);
    ptrmap_set(&w->places, v, w->masks.n);
}

static void note_operands(struct web *w, LLVMValueRef v) {
    if (is_root(v)) {
        if (!LLVMIsATruncInst(v)) {
            note_numbers(w, LLVMTypeOf(LLVMGetOperand(v, 0)));
        }
        return;
    }
    bool is_phi = LLVMIsAPHINode(v);
    unsigned n = is_phi ? LLVMCountIncoming(v) : (unsigned)LLVMGetNumOperands(v);
    for (unsigned i = 0; i < n; i++) {
        LLVMValueRef x = is_phi ? LLVMGetIncomingValue(v, i) : LLVMGetOperand(v, i);
        if (is_mask(x) && (is_join(x) || is_root(x))) {
            add(w, x);
        } else if (is_mask(x) && !LLVMIsAConstant(x) && !ir_is_splat(x)) {
            w->is_foreign = true;
        }
    }
    w->joins++;
}

static void note_user(struct web *w, LLVMValueRef v, LLVMValueRef user) {
    w->joins += is_for_packed(v, user);
    if (is_join(user)) {
        add(w, user);
    } else if (LLVMIsASelectInst(user) || LLVMIsAZExtInst(user) || LLVMIsASExtInst(user) ||
               ir_is_intrinsic(user, "llvm.masked.load.")) {
        note_numbers(w, LLVMTypeOf(user));
    } else if (ir_is_intrinsic(user, "llvm.masked.store.")) {
        note_numbers(w, LLVMTypeOf(LLVMGetOperand(user, 0)));
    } else if (!LLVMIsABitCastInst(user) || LLVMGetTypeKind(LLVMTypeOf(user)) != LLVMIntegerTypeKind) {
        w->is_foreign = true;
    }
}

/* All that is computed with the mask. False: not worth it, or not possible. */
static bool find_web(struct web *w, LLVMValueRef from) {
    w->lanes = LLVMGetVectorSize(LLVMTypeOf(from));
    add(w, from);
    for (size_t i = 0; i < w->masks.n; i++) {
        LLVMValueRef v = w->masks.at[i];
        note_operands(w, v);
        for (LLVMUseRef use = LLVMGetFirstUse(v); use; use = LLVMGetNextUse(use)) {
            note_user(w, v, LLVMGetUser(use));
        }
    }
    w->part = w->bits < 32 ? w->lanes : w->k->target->vector_bits / w->bits;
    return w->bits && !w->is_foreign && w->joins && w->part < w->lanes && w->lanes % w->part == 0 &&
           w->lanes / w->part <= MOST_PARTS;
}

/* ---- masks ---- */

static LLVMTypeRef words_type(const struct web *w) {
    unsigned bits = w->k->target->vector_bits / w->part;
    return LLVMVectorType(LLVMIntTypeInContext(w->k->llvm, bits), w->part);
}

/* A part of a vector. */
static LLVMValueRef piece(struct web *w, LLVMBuilderRef b, LLVMValueRef v, unsigned i) {
    LLVMValueRef *parts = (LLVMValueRef *)ptrmap_at(&w->wholes, v, 0);
    return parts ? parts[i] : ir_piece(b, v, i * w->part, w->part);
}

static struct parts *parts_of(struct web *w, LLVMValueRef mask);

/* A part of one of the web's masks, for other blocks. */
static LLVMValueRef words_of(struct web *w, LLVMValueRef v, unsigned i) {
    struct parts *p = parts_of(w, v);
    if (!p->words[i]) {
        LLVMBuilderRef there = ir_before(v);
        p->words[i] = LLVMBuildSExt(there, p->mask[i], words_type(w), "");
        LLVMDisposeBuilder(there);
    }
    return p->words[i];
}

/* A part of a mask, for an instruction of this block. */
static LLVMValueRef mask_in(struct web *w, LLVMBuilderRef b, LLVMValueRef v, unsigned i) {
    if (!ptrmap_at(&w->places, v, 0)) {
        return piece(w, b, v, i);
    }
    if (LLVMGetInsertBlock(b) == LLVMGetInstructionParent(v)) {
        return parts_of(w, v)->mask[i];
    }
    return LLVMBuildICmp(b, LLVMIntSLT, words_of(w, v, i), LLVMConstNull(words_type(w)), "");
}

static void keep_flags(LLVMValueRef from, LLVMValueRef to) {
    if (LLVMIsAInstruction(to) && LLVMCanValueUseFastMathFlags(from) && LLVMCanValueUseFastMathFlags(to)) {
        LLVMSetFastMathFlags(to, LLVMGetFastMathFlags(from));
    }
}

static LLVMValueRef joined(struct web *w, LLVMBuilderRef b, LLVMValueRef v, unsigned i) {
    LLVMTypeRef mask_type = LLVMVectorType(LLVMInt1TypeInContext(w->k->llvm), w->part);
    LLVMValueRef x[3];
    for (unsigned o = 0; o < (unsigned)LLVMGetNumOperands(v); o++) {
        LLVMValueRef operand = LLVMGetOperand(v, o);
        x[o] = is_mask(operand)                                             ? mask_in(w, b, operand, i)
               : LLVMGetTypeKind(LLVMTypeOf(operand)) == LLVMVectorTypeKind ? piece(w, b, operand, i)
                                                                            : operand;
    }
    LLVMValueRef part = LLVMIsAICmpInst(v)     ? LLVMBuildICmp(b, LLVMGetICmpPredicate(v), x[0], x[1], "")
                        : LLVMIsAFCmpInst(v)   ? LLVMBuildFCmp(b, LLVMGetFCmpPredicate(v), x[0], x[1], "")
                        : LLVMIsATruncInst(v)  ? LLVMBuildTrunc(b, x[0], mask_type, "")
                        : LLVMIsAFreezeInst(v) ? LLVMBuildFreeze(b, x[0], "")
                        : LLVMIsASelectInst(v)
                            ? LLVMBuildSelect(b, x[0], x[1], x[2], "")
                            : LLVMBuildBinOp(b, LLVMGetInstructionOpcode(v), x[0], x[1], "");
    keep_flags(v, part);
    return part;
}

static struct parts *parts_of(struct web *w, LLVMValueRef v) {
    struct parts *p = &w->parts[ptrmap_at(&w->places, v, 0) - 1];
    if (p->mask[0]) {
        return p;
    }
    LLVMBuilderRef b = ir_before(v);
    for (unsigned i = 0; i < w->lanes / w->part; i++) {
        p->mask[i] = joined(w, b, v, i);
    }
    LLVMDisposeBuilder(b);
    return p;
}

/* PHIs of words, which what is computed from them may need before what they are. */
static void begin_phi(struct web *w, LLVMValueRef phi) {
    struct parts *p = &w->parts[ptrmap_at(&w->places, phi, 0) - 1];
    LLVMBuilderRef b = ir_before(phi), after = ir_before(ir_after_phis(phi));
    for (unsigned i = 0; i < w->lanes / w->part; i++) {
        p->words[i] = LLVMBuildPhi(b, words_type(w), "");
        p->mask[i] = LLVMBuildICmp(after, LLVMIntSLT, p->words[i], LLVMConstNull(words_type(w)), "");
    }
    LLVMDisposeBuilder(b);
    LLVMDisposeBuilder(after);
}

static void end_phi(struct web *w, LLVMValueRef phi) {
    struct parts *p = &w->parts[ptrmap_at(&w->places, phi, 0) - 1];
    for (unsigned n = 0; n < LLVMCountIncoming(phi); n++) {
        LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, n);
        LLVMBuilderRef b = ir_before(LLVMGetBasicBlockTerminator(from));
        LLVMValueRef x = LLVMGetIncomingValue(phi, n);
        struct parts *own = ptrmap_at(&w->places, x, 0) ? parts_of(w, x) : NULL;
        bool is_far = own && LLVMGetInstructionParent(x) != from;
        for (unsigned i = 0; i < w->lanes / w->part; i++) { /* words that others don't share live shorter */
            LLVMValueRef words = is_far || (own && own->words[i])
                                     ? words_of(w, x, i)
                                     : LLVMBuildSExt(b, mask_in(w, b, x, i), words_type(w), "");
            LLVMAddIncoming(p->words[i], &words, &from, 1);
        }
        LLVMDisposeBuilder(b);
    }
}

/* ---- what masks are for ---- */

/* Puts parts together. */
static LLVMValueRef whole(struct web *w, LLVMBuilderRef b, LLVMValueRef *parts) {
    unsigned n = w->lanes / w->part;
    LLVMValueRef *kept = job_alloc(n * sizeof *kept), all[MOST_PARTS];
    memcpy(kept, parts, n * sizeof *kept);
    memcpy(all, parts, n * sizeof *kept);
    for (unsigned lanes = w->part; n > 1; n /= 2, lanes *= 2) {
        LLVMValueRef *order = job_alloc(2 * lanes * sizeof *order);
        for (unsigned i = 0; i < 2 * lanes; i++) {
            order[i] = ir_const32(w->k->llvm, i);
        }
        for (unsigned i = 0; i < n / 2; i++) {
            all[i] =
                LLVMBuildShuffleVector(b, all[2 * i], all[2 * i + 1], LLVMConstVector(order, 2 * lanes), "");
        }
    }
    ptrmap_set(&w->wholes, all[0], (uintptr_t)kept);
    return all[0];
}

static void replace(LLVMValueRef old, LLVMValueRef by) {
    LLVMReplaceAllUsesWith(old, by);
    LLVMInstructionEraseFromParent(old);
}

static void choose_or_extend(struct web *w, LLVMValueRef user) {
    LLVMBuilderRef b = ir_before(user);
    LLVMTypeRef type = LLVMVectorType(LLVMGetElementType(LLVMTypeOf(user)), w->part);
    LLVMValueRef parts[MOST_PARTS], mask = LLVMGetOperand(user, 0);
    for (unsigned i = 0; i < w->lanes / w->part; i++) {
        LLVMValueRef m = mask_in(w, b, mask, i);
        if (LLVMIsASelectInst(user)) {
            LLVMValueRef x = piece(w, b, LLVMGetOperand(user, 1), i),
                         y = piece(w, b, LLVMGetOperand(user, 2), i);
            parts[i] = LLVMBuildSelect(b, m, x, y, "");
            keep_flags(user, parts[i]);
        } else {
            parts[i] = LLVMBuildCast(b, LLVMGetInstructionOpcode(user), m, type, "");
        }
    }
    LLVMValueRef all = whole(w, b, parts);
    LLVMDisposeBuilder(b);
    replace(user, all);
}

/* An access of one part, `bytes` behind the whole one's begin, that may do what that one may. */
static LLVMValueRef access_part(struct web *w, LLVMBuilderRef b, LLVMValueRef access, LLVMValueRef mask,
                                unsigned i) {
    bool stores = ir_is_intrinsic(access, "llvm.masked.store.");
    LLVMValueRef other = LLVMGetOperand(access, stores ? 0 : 2), at = LLVMGetOperand(access, stores ? 1 : 0);
    unsigned pointer = stores ? 1 : 0, kind = LLVMGetEnumAttributeKindForName("align", 5);
    uint64_t bytes = (uint64_t)i * w->part * element_bits(w, LLVMTypeOf(other)) / 8;
    LLVMAttributeRef align = LLVMGetCallSiteEnumAttribute(access, pointer + 1, kind);
    LLVMValueRef x = piece(w, b, other, i);
    at = i ? ir_offset(b, at, ir_const64(w->k->llvm, bytes), "") : at;
    LLVMTypeRef types[] = {LLVMTypeOf(x), LLVMTypeOf(at)};
    LLVMValueRef store[] = {x, at, mask}, load[] = {at, mask, x};
    LLVMValueRef part = ir_intrinsic(b, stores ? "llvm.masked.store" : "llvm.masked.load", types, 2,
                                     stores ? store : load, 3);
    if (align) {
        uint64_t whole_align = LLVMGetEnumAttributeValue(align), least = bytes & -bytes;
        LLVMAddCallSiteAttribute(
            part, pointer + 1,
            LLVMCreateEnumAttribute(w->k->llvm, kind, i && least < whole_align ? least : whole_align));
    }
    size_t n;
    LLVMValueMetadataEntry *notes = LLVMInstructionGetAllMetadataOtherThanDebugLoc(access, &n);
    for (unsigned m = 0; m < n; m++) {
        LLVMSetMetadata(part, LLVMValueMetadataEntriesGetKind(notes, m),
                        LLVMMetadataAsValue(w->k->llvm, LLVMValueMetadataEntriesGetMetadata(notes, m)));
    }
    LLVMDisposeValueMetadataEntries(notes);
    return part;
}

static void access_in_parts(struct web *w, LLVMValueRef access) {
    bool stores = ir_is_intrinsic(access, "llvm.masked.store.");
    LLVMValueRef mask = LLVMGetOperand(access, stores ? 2 : 1), parts[MOST_PARTS];
    LLVMBuilderRef b = ir_before(access);
    for (unsigned i = 0; i < w->lanes / w->part; i++) {
        parts[i] = access_part(w, b, access, mask_in(w, b, mask, i), i);
    }
    if (!stores) {
        LLVMReplaceAllUsesWith(access, whole(w, b, parts));
    }
    LLVMDisposeBuilder(b);
    LLVMInstructionEraseFromParent(access);
}

/* Whether any lane is on, or all are: of the parts' `or`, or `and`. */
static void ask_all(struct web *w, LLVMValueRef bits, LLVMValueRef test) {
    LLVMValueRef than = LLVMGetOperand(test, 1), mask = LLVMGetOperand(bits, 0);
    LLVMBuilderRef b = ir_before(bits);
    LLVMValueRef all = mask_in(w, b, mask, 0);
    for (unsigned i = 1; i < w->lanes / w->part; i++) {
        all = LLVMBuildBinOp(b, LLVMIsNull(than) ? LLVMOr : LLVMAnd, all, mask_in(w, b, mask, i), "");
    }
    LLVMTypeRef number = LLVMIntTypeInContext(w->k->llvm, w->part);
    all = LLVMBuildBitCast(b, all, number, "");
    LLVMPositionBuilderBefore(b, test);
    LLVMValueRef other = LLVMIsNull(than) ? LLVMConstNull(number) : LLVMConstAllOnes(number);
    LLVMValueRef answer = LLVMBuildICmp(b, LLVMGetICmpPredicate(test), all, other, "");
    LLVMDisposeBuilder(b);
    replace(test, answer);
    LLVMInstructionEraseFromParent(bits);
}

/* All lanes' bits in a number. */
static void count_bits(struct web *w, LLVMValueRef bits) {
    LLVMTypeRef type = LLVMTypeOf(bits);
    LLVMBuilderRef b = ir_before(bits);
    LLVMValueRef all = LLVMConstNull(type);
    for (unsigned i = 0; i < w->lanes / w->part; i++) {
        LLVMValueRef m = mask_in(w, b, LLVMGetOperand(bits, 0), i);
        m = LLVMBuildBitCast(b, m, LLVMIntTypeInContext(w->k->llvm, w->part), "");
        m = LLVMBuildShl(b, LLVMBuildZExt(b, m, type, ""), LLVMConstInt(type, i * w->part, 0), "");
        all = LLVMBuildOr(b, all, m, "");
    }
    LLVMDisposeBuilder(b);
    replace(bits, all);
}

static void rewrite_user(struct web *w, LLVMValueRef user) {
    LLVMValueRef test = test_of(user);
    if (test) {
        ask_all(w, user, test);
    } else if (LLVMIsABitCastInst(user)) {
        count_bits(w, user);
    } else if (LLVMIsACallInst(user)) {
        access_in_parts(w, user);
    } else {
        choose_or_extend(w, user);
    }
}

static void rewrite_users(struct web *w, LLVMValueRef mask) {
    struct list users = {0};
    struct ptrmap seen = {0};
    uintptr_t known;
    for (LLVMUseRef use = LLVMGetFirstUse(mask); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (!is_join(user) && !ptrmap_get(&seen, user, &known)) {
            list_add(&users, user);
            ptrmap_set(&seen, user, 1);
        }
    }
    for (size_t i = 0; i < users.n; i++) {
        rewrite_user(w, users.at[i]);
    }
}

static void rewrite(struct web *w) {
    w->parts = job_alloc(w->masks.n * sizeof *w->parts);
    for (size_t i = 0; i < w->masks.n; i++) {
        if (LLVMIsAPHINode(w->masks.at[i])) {
            begin_phi(w, w->masks.at[i]);
        }
    }
    for (size_t i = 0; i < w->masks.n; i++) {
        parts_of(w, w->masks.at[i]);
    }
    for (size_t i = 0; i < w->masks.n; i++) {
        if (LLVMIsAPHINode(w->masks.at[i])) {
            end_phi(w, w->masks.at[i]);
        }
    }
    for (size_t i = 0; i < w->masks.n; i++) {
        rewrite_users(w, w->masks.at[i]);
    }
    for (size_t i = 0; i < w->masks.n; i++) {
        LLVMReplaceAllUsesWith(w->masks.at[i], LLVMGetPoison(LLVMTypeOf(w->masks.at[i])));
    }
    for (size_t i = 0; i < w->masks.n; i++) {
        LLVMInstructionEraseFromParent(w->masks.at[i]);
    }
}

/* Whether something with it may be worth looking for. */
static bool begins(LLVMValueRef i) {
    if (!is_join(i) && !(is_root(i) && is_mask(i))) {
        return false;
    }
    bool pays = is_join(i);
    for (LLVMUseRef use = LLVMGetFirstUse(i); use && !pays; use = LLVMGetNextUse(use)) {
        pays = is_for_packed(i, LLVMGetUser(use));
    }
    return pays;
}

void mask_parts_pass(struct kernel *k) {
    struct list starts = {0};
    struct ptrmap done = {0};
    uintptr_t known;
    LLVMBasicBlockRef b = k->target->has_mask_registers ? NULL : LLVMGetFirstBasicBlock(k->run);
    for (; b; b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            if (begins(i)) {
                list_add(&starts, i);
            }
        }
    }
    for (size_t i = 0; i < starts.n; i++) {
        struct web w = {.k = k};
        if (ptrmap_get(&done, starts.at[i], &known)) {
            continue;
        }
        bool pays = find_web(&w, starts.at[i]);
        for (size_t m = 0; m < w.masks.n; m++) {
            ptrmap_set(&done, w.masks.at[m], 1);
        }
        if (pays) {
            rewrite(&w);
        }
    }
}
