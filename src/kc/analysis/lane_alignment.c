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
 * Operations that mix the bits in which lanes differ give offsets instead of a stride: what to add to lane 0's value for each
 * lane's. The proof: let x be lane 0's value, its lowest k bits known, and all lanes equal in the bits above. Then lane i
 * has h + y(i), h a multiple of 2^k that all share and y(i) < 2^k a constant, and op(h + y(i)) = op(h) + op(y(i)) for
 * shifts to the right by at most k and bitwise operations with constants. Sums and products add and multiply offsets.
 *
 * In: a pack's uniformity as far as it is known; what is found uniform here rests on values that are taken to be
 * uniform there, as all of uniform.c does. What has a stride here has operands with strides in the sense of uniform.c.
 * Of a pack of 8:
 *     %y = lshr i32 %l, 5                         uniform: lanes differ in the low 3 bits alone
 *     %x = and i32 %l, 31                         stride 1
 *     %c = icmp ult i32 %l, 64                    uniform
 *     %z = xor i32 %l, 3                          offsets 0 -1 -2 -3 4 3 2 1 (from lane 0's, which ends in 011)
 *     %r = lshr i32 %l, 2                         offsets 0 0 0 0 1 1 1 1
 *     %n = icmp ult i32 %l, (xor i32 %l, 8)       uniform: %l and its partner agree in the low 3 bits
 *     %s = shl i32 %l, 29
 *     %d = icmp slt i32 %s, 0                     varies: lanes differ in the sign
 * Masks and divisors that all lanes share but only the run knows do as well where their low bits are known, as of multiples of W.
 * What it can't do: global ids, whose offset is any number; quotients by constants that are neither powers of two nor
 * multiples of W. */
#include "analysis.h"
#include <assert.h>
#include <string.h>

/* Lane i's value is lane 0's + at[i], in the type's arithmetic; lane 0's ends in `low` in its lowest `known` bits. */
struct run {
    int64_t at[MOST_LANES];
    uint64_t low;
    unsigned known;
};
struct search {
    const struct uniform *u;
    unsigned width, rows;
    bool any_offsets; /* lanes needn't be evenly apart */
    LLVMValueRef phi; /* on whose value the search depends, and what is assumed of it */
    const struct run *assumed;
};

enum { DEPTH = 8, ALL_BITS = 64 };

static unsigned zeros_of(uint64_t n) {
    return n ? (unsigned)__builtin_ctzll(n) : ALL_BITS;
}

static unsigned least(unsigned x, unsigned y) {
    return x < y ? x : y;
}

static uint64_t ones(unsigned bits) {
    return bits < 64 ? (UINT64_C(1) << bits) - 1 : UINT64_MAX;
}

static unsigned width_of(LLVMValueRef integer) {
    return LLVMGetIntTypeWidth(LLVMTypeOf(integer));
}

/* What all lanes share. */
static void set_shared(struct run *r, uint64_t low, unsigned known) {
    memset(r->at, 0, sizeof r->at);
    r->low = low & ones(known);
    r->known = known;
}

static bool is_shared(const struct search *s, const struct run *r) {
    for (unsigned i = 1; i < s->width; i++) {
        if (r->at[i]) {
            return false;
        }
    }
    return true;
}

static bool have_same_offsets(const struct search *s, const struct run *x, const struct run *y) {
    return !memcmp(x->at, y->at, s->width * sizeof *x->at);
}

static void set_ramp(const struct search *s, struct run *r, int64_t stride) {
    for (unsigned i = 0; i < s->width; i++) {
        r->at[i] = stride * i;
    }
}

/* How many low bits lanes of the integer `v` may differ in: all agree on the bits above, the sign among them. So no lane
 * wraps around, and signed or not they are in order. */
static bool are_low_bits(const struct search *s, LLVMValueRef v, const struct run *r, unsigned *bits) {
    __int128 first = 0, last = 0;
    for (unsigned i = 0; i < s->width; i++) {
        first = r->at[i] < first ? r->at[i] : first;
        last = r->at[i] > last ? r->at[i] : last;
    }
    for (*bits = 0; *bits <= r->known && *bits < width_of(v); ++*bits) {
        __int128 low = (__int128)(r->low & ones(*bits));
        if (low + first >= 0 && low + last <= (__int128)ones(*bits)) {
            return true;
        }
    }
    return false;
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
static bool takes_apart(const struct search *s, LLVMValueRef v) {
    switch (LLVMGetInstructionOpcode(v)) {
    case LLVMOr:
        return s->any_offsets && LLVMIsAConstantInt(LLVMGetOperand(v, 1));
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

/* The same with what all lanes share, whose low bits alone are known: a power of two less one, a multiple of one. */
static bool takes_apart_by_shared(const struct search *s, LLVMValueRef v) {
    if (!LLVMIsABinaryOperator(v) ||
        (!uniform_is(s->u, LLVMGetOperand(v, 0)) && !uniform_is(s->u, LLVMGetOperand(v, 1)))) {
        return false;
    }
    switch (LLVMGetInstructionOpcode(v)) {
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
        return s->any_offsets || LLVMGetInstructionOpcode(v) != LLVMOr;
    case LLVMUDiv:
    case LLVMURem:
        return uniform_is(s->u, LLVMGetOperand(v, 1));
    case LLVMLShr: /* LLVM's quotient by a power of two: x >> (zeros below its bit) */
        return uniform_is(s->u, LLVMGetOperand(v, 1)) && ir_is_intrinsic(LLVMGetOperand(v, 1), "llvm.cttz.");
    default:
        return false;
    }
}

/* An operation of each lane's low bits, which doesn't mix them with those above, and a constant. */
static uint64_t of_low_bits(LLVMOpcode op, uint64_t x, uint64_t c) {
    switch (op) {
    case LLVMAnd:
        return x & c;
    case LLVMOr:
        return x | c;
    case LLVMXor:
        return x ^ c;
    default:
        return x >> c;
    }
}

/* x & mask, x | mask, x ^ mask, x >> n. */
static bool run_of_bits(const struct search *s, LLVMValueRef v, const struct run *x, struct run *r) {
    LLVMOpcode op = LLVMGetInstructionOpcode(v);
    bool is_shift = op == LLVMLShr || op == LLVMAShr;
    unsigned known = least(x->known, width_of(v) - 1);
    uint64_t c = LLVMConstIntGetZExtValue(LLVMGetOperand(v, 1)), low = x->low & ones(known);
    if (is_shift && c >= width_of(v)) {
        return false;
    }
    c = is_shift ? c : c & ones(known);
    for (unsigned i = 0; i < s->width; i++) {
        uint64_t lane = of_low_bits(op, low + (uint64_t)x->at[i], c);
        r->at[i] = (int64_t)(lane - of_low_bits(op, low, c));
    }
    r->low = of_low_bits(op, low, c);
    r->known = is_shift ? (known > c ? known - (unsigned)c : 0) : known;
    c = LLVMConstIntGetZExtValue(LLVMGetOperand(v, 1));
    while (op == LLVMAnd && r->known < ALL_BITS && !(c >> r->known & 1)) { /* cleared */
        r->known++;
    }
    return s->any_offsets || is_shared(s, r) || (!is_shift && op != LLVMOr && have_same_offsets(s, r, x));
}

/* The same, x / d, x % d, x < d of a constant. */
static bool run_of_parts(const struct search *s, LLVMValueRef v, const struct run *x, struct run *r) {
    unsigned bits;
    if (!are_low_bits(s, LLVMGetOperand(v, 0), x, &bits)) {
        return false;
    }
    assert(bits < width_of(LLVMGetOperand(v, 0)) && bits <= x->known && "lanes differ in the sign");
    uint64_t c = LLVMConstIntGetZExtValue(LLVMGetOperand(v, 1));
    switch (LLVMGetInstructionOpcode(v)) {
    case LLVMICmp:
        set_shared(r, 0, 0);
        return is_decided(LLVMGetICmpPredicate(v), c, bits);
    case LLVMUDiv:
        set_shared(r, 0, 0);
        return c && zeros_of(c) >= bits;
    case LLVMURem:
        *r = *x;
        r->known = least(x->known, zeros_of(c));
        r->low &= ones(r->known);
        return c && zeros_of(c) >= bits;
    default:
        return run_of_bits(s, v, x, r);
    }
}

static bool run_of_sum(const struct search *s, LLVMValueRef v, const struct run *x, const struct run *y,
                       struct run *r) {
    bool subtracts = LLVMGetInstructionOpcode(v) == LLVMSub;
    for (unsigned i = 0; i < s->width; i++) {
        uint64_t other = (uint64_t)y->at[i];
        r->at[i] = (int64_t)((uint64_t)x->at[i] + (subtracts ? -other : other));
    }
    r->known = least(x->known, y->known);
    r->low = (x->low + (subtracts ? -y->low : y->low)) & ones(r->known);
    return LLVMGetInstructionOpcode(v) != LLVMOr || LLVMGetIsDisjoint(v);
}

static unsigned zeros_below(const struct run *r) {
    return least(zeros_of(r->low), r->known);
}

static bool run_of_product(const struct search *s, LLVMValueRef v, const struct run *x, const struct run *y,
                           struct run *r) {
    LLVMValueRef factor = LLVMGetOperand(v, 1);
    bool is_shift = LLVMGetInstructionOpcode(v) == LLVMShl;
    if (!LLVMIsAConstantInt(factor)) {
        unsigned zeros = zeros_below(x);
        set_shared(r, 0, is_shift ? zeros : least(zeros + zeros_below(y), ALL_BITS));
        return is_shared(s, x) && is_shared(s, y);
    }
    uint64_t n = LLVMConstIntGetZExtValue(factor), most = is_shift ? 30 : UINT64_C(1) << 30;
    if (n > most) {
        return false;
    }
    n = is_shift ? UINT64_C(1) << n : n;
    for (unsigned i = 0; i < s->width; i++) {
        if (x->at[i] > 1 << 30 || x->at[i] < -(1 << 30) || (!s->any_offsets && x->at[i] < 0)) {
            return false;
        }
        r->at[i] = x->at[i] * (int64_t)n;
    }
    r->known = least(x->known + zeros_of(n), ALL_BITS);
    r->low = x->low * n & ones(r->known);
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
        known = run_of(&s, LLVMGetIncomingValue(phi, i), depth, &in) && have_same_offsets(&s, &in, r);
        unsigned agree = known ? least(in.known, zeros_of(in.low ^ r->low)) : 0;
        if (known && agree < r->known) {
            r->known = agree;
            r->low &= ones(agree);
            i = UINT32_MAX; /* from the first one again */
        }
    }
    return known;
}

/* Whether all lanes agree on the bits from some bit on, the sign among them: then they are as far apart when they are
 * extended. */
static bool stay_apart(const struct search *s, LLVMValueRef narrow, const struct run *r) {
    unsigned bits;
    return is_shared(s, r) || (are_low_bits(s, narrow, r, &bits) && bits < width_of(narrow));
}

/* What the bits beyond the narrow type's width are is known to that type alone. */
static bool run_of_extension(const struct search *s, LLVMValueRef v, unsigned depth, struct run *r) {
    LLVMValueRef narrow = LLVMGetOperand(v, 0);
    bool is_signed;
    if (!run_of(s, narrow, depth - 1, r)) {
        return false;
    }
    bool stays = stay_apart(s, narrow, r);
    r->known = least(r->known, width_of(narrow));
    r->low &= ones(r->known);
    return stays || uniform_extends(s->u, v, &is_signed);
}

/* x & mask, x | mask, x ^ mask, x / d, x % d of a mask and a divisor that all lanes share. */
static bool run_of_shared(const struct search *s, LLVMValueRef v, LLVMValueRef lanes, const struct run *x,
                          const struct run *y, struct run *r) {
    LLVMOpcode op = LLVMGetInstructionOpcode(v);
    unsigned bits, zeros = zeros_below(y);
    if (!is_shared(s, y) || !are_low_bits(s, lanes, x, &bits) || bits > y->known) {
        return false;
    }
    if (op == LLVMURem) {
        *r = *x;
        r->known = least(x->known, zeros);
        r->low &= ones(r->known);
        return zeros >= bits;
    }
    if (op == LLVMUDiv || op == LLVMLShr) {
        set_shared(r, 0, 0);
        return zeros >= bits;
    }
    unsigned known = least(least(x->known, y->known), width_of(v) - 1);
    uint64_t low = x->low & ones(known), c = y->low & ones(known);
    for (unsigned i = 0; i < s->width; i++) {
        r->at[i] = (int64_t)(of_low_bits(op, low + (uint64_t)x->at[i], c) - of_low_bits(op, low, c));
    }
    r->low = of_low_bits(op, low, c);
    r->known = known;
    return s->any_offsets || is_shared(s, r) || have_same_offsets(s, r, x);
}

/* Numbers of which each lane's agree in the low bits that lanes differ in: those above, which all lanes share, decide. */
static bool run_of_comparison(const struct search *s, LLVMValueRef v, const struct run *x,
                              const struct run *y, struct run *r) {
    unsigned of_x, of_y;
    set_shared(r, 0, 0);
    if (!have_same_offsets(s, x, y) || !are_low_bits(s, LLVMGetOperand(v, 0), x, &of_x) ||
        !are_low_bits(s, LLVMGetOperand(v, 1), y, &of_y)) {
        return false;
    }
    unsigned bits = of_x > of_y ? of_x : of_y;
    return bits <= x->known && bits <= y->known && !((x->low ^ y->low) & ones(bits));
}

/* In a pack of several rows: lane 0's local ids are multiples of a row's lanes, and of the number of rows. */
static bool run_of_id(const struct search *s, LLVMValueRef v, struct run *r) {
    unsigned dim, lanes = s->width / s->rows;
    enum id id = intrinsic_id(v, &dim);
    if (id == ID_NONE || dim > 1) {
        return false;
    }
    for (unsigned i = 0; i < s->width; i++) {
        r->at[i] = dim ? i / lanes : i % lanes;
    }
    r->low = 0;
    r->known = id == ID_LOCAL ? zeros_of(dim ? s->rows : lanes) : 0;
    return true;
}

static bool run_of_instruction(const struct search *s, LLVMValueRef v, unsigned depth, struct run *r) {
    struct run x, y;
    unsigned dim;
    switch (LLVMGetInstructionOpcode(v)) {
    case LLVMCall:
        if (s->rows > 1) {
            return run_of_id(s, v, r);
        }
        set_ramp(s, r, 1);
        r->low = 0;
        r->known = subgroup_is_lane_id(v) ? ALL_BITS : zeros_of(s->width);
        return subgroup_is_lane_id(v) || (intrinsic_id(v, &dim) == ID_LOCAL && dim == 0);
    case LLVMPHI:
        return run_of_phi(s, v, depth - 1, r);
    case LLVMOr:
        if (!LLVMGetIsDisjoint(v)) {
            break;
        } /* fall through */
    case LLVMAdd:
    case LLVMSub:
        return run_of(s, LLVMGetOperand(v, 0), depth - 1, &x) &&
               run_of(s, LLVMGetOperand(v, 1), depth - 1, &y) && run_of_sum(s, v, &x, &y, r);
    case LLVMMul:
    case LLVMShl:
        return run_of(s, LLVMGetOperand(v, 0), depth - 1, &x) &&
               run_of(s, LLVMGetOperand(v, 1), depth - 1, &y) && run_of_product(s, v, &x, &y, r);
    case LLVMZExt:
    case LLVMSExt:
        return run_of_extension(s, v, depth, r);
    case LLVMTrunc:
        return (s->any_offsets || width_of(v) >= 32) && run_of(s, LLVMGetOperand(v, 0), depth - 1, r);
    case LLVMICmp:
        if (LLVMIsAConstantInt(LLVMGetOperand(v, 1))) {
            break;
        }
        return run_of(s, LLVMGetOperand(v, 0), depth - 1, &x) &&
               run_of(s, LLVMGetOperand(v, 1), depth - 1, &y) && run_of_comparison(s, v, &x, &y, r);
    default:
        break;
    }
    if (!takes_apart(s, v)) {
        if (!takes_apart_by_shared(s, v)) {
            return false;
        }
        unsigned shared = uniform_is(s->u, LLVMGetOperand(v, 1));
        LLVMValueRef by = LLVMGetOperand(v, shared);
        by = LLVMGetInstructionOpcode(v) == LLVMLShr ? LLVMGetOperand(by, 0) : by;
        return run_of(s, LLVMGetOperand(v, 1 - shared), depth - 1, &x) && run_of(s, by, depth - 1, &y) &&
               run_of_shared(s, v, LLVMGetOperand(v, 1 - shared), &x, &y, r);
    }
    return run_of(s, LLVMGetOperand(v, 0), depth - 1, &x) && run_of_parts(s, v, &x, r);
}

/* What uniform.c has found already, of a value whose low bits aren't known. */
static bool run_as_found(const struct search *s, LLVMValueRef v, struct run *r) {
    int64_t stride;
    set_shared(r, 0, 0);
    if (s->any_offsets && uniform_stride(s->u, v, &stride)) {
        set_ramp(s, r, stride);
        return true;
    }
    const int64_t *at = s->any_offsets ? uniform_offsets(s->u, v) : NULL;
    if (at) {
        memcpy(r->at, at, s->width * sizeof *at);
    }
    return at;
}

static bool run_of(const struct search *s, LLVMValueRef v, unsigned depth, struct run *r) {
    if (v == s->phi) {
        if (s->assumed) {
            *r = *s->assumed;
        }
        return s->assumed;
    }
    if (LLVMGetTypeKind(LLVMTypeOf(v)) != LLVMIntegerTypeKind || LLVMGetIntTypeWidth(LLVMTypeOf(v)) > 64) {
        return false;
    }
    if (LLVMIsAConstantInt(v)) {
        set_shared(r, LLVMConstIntGetZExtValue(v), ALL_BITS);
        return true;
    }
    uintptr_t ignored; /* a loop's value may be of several iterations after it */
    bool is_known = depth && LLVMIsAInstruction(v) && !ptrmap_get(&s->u->joins, v, &ignored) &&
                    run_of_instruction(s, v, depth, r);
    if (!uniform_is(s->u, v)) {
        return is_known || run_as_found(s, v, r);
    }
    bool is_one = is_known && is_shared(s, r);
    set_shared(r, is_one ? r->low : 0, is_one ? r->known : 0);
    return true;
}

bool lane_alignment_stride(const struct uniform *u, LLVMValueRef v, int64_t *stride) {
    struct search s = {.u = u, .width = u->width, .rows = u->rows, .any_offsets = u->rows > 1};
    struct run r, ramp;
    if (!(takes_apart(&s, v) || takes_apart_by_shared(&s, v) || LLVMIsAICmpInst(v)) ||
        !run_of_instruction(&s, v, DEPTH, &r)) {
        return false;
    }
    *stride = r.at[1];
    if (u->rows > 1) { /* lanes aren't evenly apart but where all agree */
        *stride = 0;
        return is_shared(&s, &r);
    }
    set_ramp(&s, &ramp, *stride);
    assert(have_same_offsets(&s, &r, &ramp) && "lanes aren't evenly apart");
    return true;
}

bool lane_alignment_offsets(const struct uniform *u, LLVMValueRef v, int64_t *at) {
    struct search s = {.u = u, .width = u->width, .rows = u->rows, .any_offsets = true};
    struct run r;
    if (LLVMIsAPHINode(v) || !run_of_instruction(&s, v, DEPTH, &r)) {
        return false;
    }
    memcpy(at, r.at, u->width * sizeof *at);
    return true;
}

bool lane_alignment_extends(const struct uniform *u, LLVMValueRef extension) {
    struct search s = {.u = u, .width = u->width, .rows = u->rows, .any_offsets = true};
    struct run r;
    LLVMValueRef narrow = LLVMGetOperand(extension, 0);
    return run_of(&s, narrow, DEPTH, &r) && stay_apart(&s, narrow, &r);
}

bool lane_alignment_stays(const struct uniform *u, LLVMValueRef v) {
    bool is_signed, is_extension = LLVMIsAZExtInst(v) || LLVMIsASExtInst(v);
    return !is_extension || uniform_extends(u, v, &is_signed) || lane_alignment_extends(u, v);
}
