/* group_alignment.c: comparisons that come out the same for all work-items of a group, as they differ in low bits alone.
 *
 * Kernels that work on tiles ask whether a work-item's part of the matrix lies in the whole tiles:
 *     %i = or disjoint i32 (shl i32 %group, 4), (shl i32 %l, 1)   group * 16 + l * 2, with l < 8
 *     %n = shl i32 %tiles, 4
 *     %c = icmp slt i32 %i, %n                                    uniform
 * A value is h + y: h all work-items share, and it is a multiple of 2^zeros; 0 <= y <= most. Where y has no more bits than h
 * has zeros, all values lie in one aligned block of 2^bits, the sign among what they share; and a bound that is a multiple of
 * 2^bits has all of the block on one side. No sum wraps around there: its parts have no bits in common.
 *
 * In: the group's or a pack's uniformity as far as it is known, local sizes that are known. What it can't do: global ids,
 * whose offset is any number; tiles whose sizes aren't powers of two. */
#include "analysis.h"

struct block {
    unsigned zeros;
    uint64_t most;
};
struct asked {
    const struct kernel *k;
    const struct uniform *u;
    bool
        as_group; /* also of a pack: what is made of ids is one of several values, though the pack shares it */
};

enum { DEPTH = 8, ALL_BITS = 64 };
static const uint64_t MOST = UINT64_C(1) << 31;

static unsigned zeros_of(uint64_t n) {
    return n ? (unsigned)__builtin_ctzll(n) : ALL_BITS;
}

static unsigned bits_of(uint64_t n) {
    return n ? ALL_BITS - (unsigned)__builtin_clzll(n) : 0;
}

static unsigned width_of(LLVMValueRef integer) {
    return LLVMGetIntTypeWidth(LLVMTypeOf(integer));
}

/* Whether all values lie in one aligned block, and agree on the sign. */
static bool is_aligned(LLVMValueRef v, const struct block *x) {
    return bits_of(x->most) <= x->zeros && bits_of(x->most) < width_of(v);
}

static bool block_of(const struct asked *, LLVMValueRef, unsigned depth, struct block *);

static bool block_of_id(const struct kernel *k, LLVMValueRef call, struct block *x) {
    unsigned dim;
    bool is_local = intrinsic_id(call, &dim) == ID_LOCAL;
    *x = (struct block){ALL_BITS, is_local ? k->local_size[dim] - UINT64_C(1) : 0};
    return is_local && k->local_size[dim];
}

/* Sums, products, masks. */
static bool block_of_operation(const struct asked *a, LLVMValueRef v, unsigned depth, struct block *r) {
    LLVMOpcode op = LLVMGetInstructionOpcode(v);
    LLVMValueRef by = LLVMIsAConstantInt(LLVMGetOperand(v, 1));
    uint64_t c = by ? LLVMConstIntGetZExtValue(by) : 0;
    struct block x, y;
    if (!block_of(a, LLVMGetOperand(v, 0), depth, &x) || !block_of(a, LLVMGetOperand(v, 1), depth, &y)) {
        return false;
    }
    bool shared = !x.most && !y.most;
    *r = (struct block){x.zeros < y.zeros ? x.zeros : y.zeros, x.most + y.most};
    switch (op) {
    case LLVMOr:
        return LLVMGetIsDisjoint(v) || shared;
    case LLVMAdd:
        return true;
    case LLVMSub:
        return !y.most;
    case LLVMMul:
        *r = (struct block){x.zeros + y.zeros, x.most * c};
        return shared || (by && c < MOST);
    case LLVMShl:
        *r = (struct block){x.zeros + (by ? (unsigned)c : 0), by ? x.most << (c & 31) : 0};
        return shared || (by && c < 31);
    case LLVMAnd:
        *r = (struct block){x.zeros > y.zeros ? x.zeros : y.zeros, x.most};
        return shared;
    default:
        return false;
    }
}

static bool block_of_instruction(const struct asked *a, LLVMValueRef v, unsigned depth, struct block *x) {
    switch (LLVMGetInstructionOpcode(v)) {
    case LLVMCall:
        return block_of_id(a->k, v, x);
    case LLVMZExt:
    case LLVMSExt:
        return block_of(a, LLVMGetOperand(v, 0), depth, x) && is_aligned(LLVMGetOperand(v, 0), x);
    case LLVMTrunc:
        return block_of(a, LLVMGetOperand(v, 0), depth, x);
    default:
        return LLVMIsABinaryOperator(v) && block_of_operation(a, v, depth, x);
    }
}

/* False: nothing is known. */
static bool block_of(const struct asked *a, LLVMValueRef v, unsigned depth, struct block *x) {
    uintptr_t ignored; /* a loop's value may be of several iterations after it */
    if (LLVMIsAConstantInt(v)) {
        *x = (struct block){zeros_of(LLVMConstIntGetZExtValue(v)), 0};
        return true;
    }
    bool is_known = depth && LLVMIsAInstruction(v) && width_of(v) <= ALL_BITS &&
                    !ptrmap_get(&a->u->joins, v, &ignored) && block_of_instruction(a, v, depth - 1, x);
    if (uniform_is(a->u, v) && !(a->as_group && is_known && x->most)) {
        *x = (struct block){is_known && !x->most ? x->zeros : 0, 0};
        return true;
    }
    x->zeros = is_known && x->zeros > ALL_BITS ? ALL_BITS : x->zeros;
    return is_known && x->most < MOST;
}

static bool decides(const struct asked *a, LLVMIntPredicate p, LLVMValueRef v, LLVMValueRef bound) {
    const struct asked of_bound = {a->k, a->u, false};
    struct block x, y;
    if (!block_of(a, v, DEPTH, &x) || !is_aligned(v, &x)) {
        return false;
    }
    switch (p) {
    case LLVMIntULT:
    case LLVMIntUGE:
    case LLVMIntSLT:
    case LLVMIntSGE:
        return block_of(&of_bound, bound, DEPTH, &y) && y.zeros >= bits_of(x.most);
    case LLVMIntUGT:
    case LLVMIntULE:
    case LLVMIntSGT:
    case LLVMIntSLE:
        return LLVMIsAConstantInt(bound) && zeros_of(LLVMConstIntGetZExtValue(bound) + 1) >= bits_of(x.most);
    default:
        return false;
    }
}

bool group_alignment_decides(const struct kernel *k, const struct uniform *u, LLVMValueRef compare) {
    LLVMIntPredicate p = LLVMGetICmpPredicate(compare);
    LLVMValueRef v = LLVMGetOperand(compare, 0), bound = LLVMGetOperand(compare, 1);
    const struct asked by_pack = {k, u, false}, by_group = {k, u, true};
    if (uniform_is(u, v)) {
        v = bound;
        bound = LLVMGetOperand(compare, 0);
        p = ir_swapped(p);
    }
    if (!uniform_is(u, bound) || LLVMGetTypeKind(LLVMTypeOf(v)) != LLVMIntegerTypeKind) {
        return false;
    }
    /* What a group decides, its packs do: also where a row's number is the pack's, and so any number. */
    return decides(&by_pack, p, v, bound) || (u->of_pack && decides(&by_group, p, v, bound));
}
