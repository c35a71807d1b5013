/* lane_alignment.c: what the low bits of ids say of a pack.
 *
 * A pack begins at a multiple of its width W in its row. Where lane 0's value of x is a multiple of W, and lanes go up
 * by one, no lane but lane 0 is a multiple of W: for C a multiple of W, x / C is the same for all lanes, x % C goes up
 * by one as well, as x & (C - 1) does for powers of two, and all lanes are below C, or none. So the rows and columns of
 * a tile that a work-group in one dimension fills are scalars and rows of memory. The same with lanes further apart, as
 * long as the bits in which lanes differ end below the sign bit. It is an analysis of congruences (Granger, "Static
 * Analysis of Arithmetical Congruences", 1989); Karrenberg, Kosta and Sturm ("Presburger Arithmetic in Memory Access
 * Optimization for Data-Parallel Languages", 2013) ask a solver about the same expressions.
 *
 * In: a pack's uniformity as far as it is known; what is found uniform here rests on values that are taken to be
 * uniform there, as all of uniform.c does. What has a stride here has operands with strides in the sense of uniform.c.
 * Of a pack of 8:
 *     %y = lshr i32 %l, 5                         uniform: lanes differ in the low 3 bits alone
 *     %x = and i32 %l, 31                         stride 1
 *     %c = icmp ult i32 %l, 64                    uniform
 *     %s = shl i32 %l, 29
 *     %d = icmp slt i32 %s, 0                     varies: lanes differ in the sign
 * What it can't do: global ids, whose offset is any number; constants that are no multiples of W; divisors that only
 * the run knows. */
#include "analysis.h"
#include <assert.h>

/* Lane i's value is lane 0's + i * stride, and lane 0's is a multiple of 2^zeros. */
struct run {
    int64_t stride;
    unsigned zeros;
};
struct search {
    const struct uniform *u;
    unsigned log_width;
    LLVMValueRef phi; /* on whose value the search depends, and what is assumed of it */
    const struct run *assumed;
};

enum { DEPTH = 8, ALL_ZEROS = 64 };

static unsigned zeros_of(uint64_t n) {
    return n ? (unsigned)__builtin_ctzll(n) : ALL_ZEROS;
}

static unsigned least(unsigned x, unsigned y) {
    return x < y ? x : y;
}

static unsigned width_of(LLVMValueRef integer) {
    return LLVMGetIntTypeWidth(LLVMTypeOf(integer));
}

/* How many low bits lanes of the integer `v` may differ in; whether lane 0 has zeros there, and all agree on the bits
 * above, the sign among them: then no lane wraps around, and signed or not they are in order. */
static bool are_low_bits(const struct search *s, LLVMValueRef v, const struct run *r, unsigned *bits) {
    unsigned log_stride = 0;
    while (log_stride < 32 && (INT64_C(1) << log_stride) < r->stride) {
        log_stride++;
    }
    *bits = r->stride ? log_stride + s->log_width : 0;
    return r->stride >= 0 && log_stride < 32 && *bits <= r->zeros && *bits < width_of(v);
}

static bool run_of(const struct search *, LLVMValueRef, unsigned depth, struct run *);

/* Whether the comparison with the constant comes out the same for all values of an aligned block of 2^bits, which agree
 * on the sign. */
static bool is_decided(LLVMIntPredicate p, uint64_t c, unsigned bits) {
    switch (p) {
    case LLVMIntULT:
    case LLVMIntUGE:
    case LLVMIntSLT:
    case LLVMIntSGE:
        return zeros_of(c) >= bits;
    case LLVMIntUGT:
    case LLVMIntULE:
    case LLVMIntSGT:
    case LLVMIntSLE:
        return zeros_of(c + 1) >= bits;
    default:
        return false;
    }
}

/* Whether `v` is an operation with a constant that may tell the low bits of the other operand from the high ones. */
static bool takes_apart(LLVMValueRef v) {
    switch (LLVMGetInstructionOpcode(v)) {
    case LLVMAnd:
    case LLVMXor:
    case LLVMLShr:
    case LLVMAShr:
    case LLVMUDiv:
    case LLVMURem:
    case LLVMICmp:
        return LLVMIsAConstantInt(LLVMGetOperand(v, 1));
    default:
        return false;
    }
}

/* x & mask, x >> n, x / d, x % d, x ^ mask, x < d of a constant. */
static bool run_of_parts(const struct search *s, LLVMValueRef v, const struct run *x, struct run *r) {
    unsigned bits;
    if (!are_low_bits(s, LLVMGetOperand(v, 0), x, &bits)) {
        return false;
    }
    assert(bits < width_of(LLVMGetOperand(v, 0)) && bits <= x->zeros && "lanes differ in the sign");
    uint64_t c = LLVMConstIntGetZExtValue(LLVMGetOperand(v, 1)), low = (UINT64_C(1) << least(bits, 63)) - 1;
    switch (LLVMGetInstructionOpcode(v)) {
    case LLVMAnd:
        if (c & low) {
            *r = *x;
            return (c & low) == low;
        }
        *r = (struct run){0, x->zeros > zeros_of(c) ? x->zeros : zeros_of(c)};
        return true;
    case LLVMXor:
        *r = (struct run){x->stride, least(x->zeros, zeros_of(c))};
        return !(c & low);
    case LLVMLShr:
    case LLVMAShr:
        *r = (struct run){0, x->zeros > c ? x->zeros - (unsigned)c : 0};
        return c >= bits;
    case LLVMICmp:
        *r = (struct run){0, 0};
        return is_decided(LLVMGetICmpPredicate(v), c, bits);
    case LLVMUDiv:
        *r = (struct run){0, 0};
        return c && zeros_of(c) >= bits;
    case LLVMURem:
        *r = (struct run){x->stride, least(x->zeros, zeros_of(c))};
        return c && zeros_of(c) >= bits;
    default:
        return false;
    }
}

static bool run_of_product(LLVMValueRef v, const struct run *x, const struct run *y, struct run *r) {
    LLVMValueRef factor = LLVMGetOperand(v, 1);
    bool is_shift = LLVMGetInstructionOpcode(v) == LLVMShl;
    if (!LLVMIsAConstantInt(factor)) {
        *r = (struct run){0, is_shift ? x->zeros : least(x->zeros + y->zeros, ALL_ZEROS)};
        return !x->stride && !y->stride;
    }
    uint64_t n = LLVMConstIntGetZExtValue(factor), most = is_shift ? 30 : UINT64_C(1) << 30;
    if (n > most || x->stride > 1 << 30 || x->stride < 0) {
        return false;
    }
    *r = (struct run){x->stride * (int64_t)(is_shift ? UINT64_C(1) << n : n),
                      least(x->zeros + (is_shift ? (unsigned)n : zeros_of(n)), ALL_ZEROS)};
    return true;
}

/* Begins with what comes from outside the loop, and takes less for granted until that holds in all iterations. */
static bool run_of_phi(const struct search *outer, LLVMValueRef phi, unsigned depth, struct run *r) {
    struct search s = *outer;
    unsigned n = LLVMCountIncoming(phi);
    bool known = false;
    if (s.phi) {
        return false;
    }
    s.phi = phi;
    for (unsigned i = 0; i < n && !known; i++) {
        known = run_of(&s, LLVMGetIncomingValue(phi, i), depth, r);
    }
    s.assumed = r;
    for (unsigned i = 0; i < n && known; i++) {
        struct run in;
        known = run_of(&s, LLVMGetIncomingValue(phi, i), depth, &in) && in.stride == r->stride;
        if (known && in.zeros < r->zeros) {
            r->zeros = in.zeros;
            i = UINT32_MAX; /* from the first one again */
        }
    }
    return known;
}

/* What is a multiple of 2^n for n beyond the narrow type's width was 0 there, and is known for these bits alone. */
static bool run_of_extension(const struct search *s, LLVMValueRef v, unsigned depth, struct run *r) {
    LLVMValueRef narrow = LLVMGetOperand(v, 0);
    bool is_signed;
    if (!run_of(s, narrow, depth - 1, r)) {
        return false;
    }
    r->zeros = least(r->zeros, width_of(narrow));
    return !r->stride || uniform_extends(s->u, v, &is_signed);
}

static bool run_of_instruction(const struct search *s, LLVMValueRef v, unsigned depth, struct run *r) {
    struct run x, y = {0, 0};
    unsigned dim;
    switch (LLVMGetInstructionOpcode(v)) {
    case LLVMCall:
        *r = (struct run){1, subgroup_is_lane_id(v) ? ALL_ZEROS : s->log_width};
        return subgroup_is_lane_id(v) || (intrinsic_id(v, &dim) == ID_LOCAL && dim == 0);
    case LLVMPHI:
        return run_of_phi(s, v, depth - 1, r);
    case LLVMAdd:
    case LLVMSub:
    case LLVMOr:
        if (!run_of(s, LLVMGetOperand(v, 0), depth - 1, &x) ||
            !run_of(s, LLVMGetOperand(v, 1), depth - 1, &y)) {
            return false;
        }
        y.stride = LLVMGetInstructionOpcode(v) == LLVMSub ? -y.stride : y.stride;
        *r = (struct run){(int64_t)((uint64_t)x.stride + (uint64_t)y.stride), least(x.zeros, y.zeros)};
        return LLVMGetInstructionOpcode(v) != LLVMOr || LLVMGetIsDisjoint(v);
    case LLVMMul:
    case LLVMShl:
        return run_of(s, LLVMGetOperand(v, 0), depth - 1, &x) &&
               run_of(s, LLVMGetOperand(v, 1), depth - 1, &y) && run_of_product(v, &x, &y, r);
    case LLVMZExt:
    case LLVMSExt:
        return run_of_extension(s, v, depth, r);
    case LLVMTrunc:
        return LLVMGetIntTypeWidth(LLVMTypeOf(v)) >= 32 && run_of(s, LLVMGetOperand(v, 0), depth - 1, r);
    default:
        return takes_apart(v) && run_of(s, LLVMGetOperand(v, 0), depth - 1, &x) && run_of_parts(s, v, &x, r);
    }
}

static bool run_of(const struct search *s, LLVMValueRef v, unsigned depth, struct run *r) {
    if (v == s->phi) {
        *r = s->assumed ? *s->assumed : (struct run){0};
        return s->assumed;
    }
    if (LLVMGetTypeKind(LLVMTypeOf(v)) != LLVMIntegerTypeKind || LLVMGetIntTypeWidth(LLVMTypeOf(v)) > 64) {
        return false;
    }
    if (LLVMIsAConstantInt(v)) {
        *r = (struct run){0, zeros_of(LLVMConstIntGetZExtValue(v))};
        return true;
    }
    uintptr_t ignored; /* a loop's value may be of several iterations after it */
    bool is_known = depth && LLVMIsAInstruction(v) && !ptrmap_get(&s->u->joins, v, &ignored) &&
                    run_of_instruction(s, v, depth, r);
    if (!uniform_is(s->u, v)) {
        return is_known;
    }
    *r = (struct run){0, is_known && !r->stride ? r->zeros : 0};
    return true;
}

bool lane_alignment_stride(const struct uniform *u, unsigned width, LLVMValueRef v, int64_t *stride) {
    struct search s = {.u = u, .log_width = (unsigned)__builtin_ctz(width)};
    struct run r;
    if (!takes_apart(v) || !run_of_instruction(&s, v, DEPTH, &r)) {
        return false;
    }
    *stride = r.stride;
    return true;
}
