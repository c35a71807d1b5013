/* congruence.c: how far apart lanes' indices are but for multiples of a power of two (Granger, "Static analysis of arithmetical
 * congruences", 1989).
 *
 * In: an index and the uniformity of packs. Out: whether its lanes, all of them on, can't have a row, or places near each other:
 * what looks for that at run time would look in vain. The proof: lane i's value is lane 0's + i * s modulo 2^k. It holds for what is
 * affine with the stride s, modulo all its bits; sums, products and shifts by numbers that lanes share, extensions and the
 * low bits of a value, but for those that lanes have alike, keep it, for the least k of their operands. In a row neighbours' values
 * differ by one, so s is 1 modulo 2^k. And on a circle of 2^k places all lanes lie within what the largest gap between two of
 * them leaves.
 *     (5 * l + 3) & 63, W = 16:   multiples of 5, and 1, 6, 11: the largest gap is 5, so they lie 59 places apart
 *     (2 * l + 2) & 127:          no row, but perhaps within 30 places */
#include "vector.h"

struct congruence {
    uint64_t stride;
    unsigned bits; /* k */
};

enum { DEPTH = 8 };

static struct congruence find(const struct wg *wg, LLVMValueRef v, unsigned depth);

/* Of the value's product with a constant. */
static struct congruence times(struct congruence c, LLVMValueRef by, bool shifts) {
    uint64_t factor = LLVMIsAConstantInt(by) ? LLVMConstIntGetZExtValue(by) : 0;
    c.stride = shifts ? c.stride << (factor & 63) : c.stride * factor;
    c.bits = LLVMIsAConstantInt(by) ? c.bits : 0;
    return c;
}

static struct congruence of_operation(const struct wg *wg, LLVMValueRef v, unsigned depth) {
    const struct congruence none = {0, 0};
    struct congruence x = find(wg, LLVMGetOperand(v, 0), depth), y;
    LLVMValueRef by = LLVMGetNumOperands(v) > 1 ? LLVMGetOperand(v, 1) : NULL;
    LLVMOpcode op = LLVMGetInstructionOpcode(v);
    uint64_t mask;
    unsigned low = 0;
    switch (op) {
    case LLVMZExt:
    case LLVMSExt:
    case LLVMFreeze:
        return x;
    case LLVMTrunc:
        low = LLVMGetIntTypeWidth(LLVMTypeOf(v));
        return (struct congruence){x.stride, x.bits < low ? x.bits : low};
    case LLVMMul:
    case LLVMShl:
        return times(x, by, op == LLVMShl);
    case LLVMAnd:
        mask = LLVMIsAConstantInt(by) ? LLVMConstIntGetZExtValue(by) : 0;
        while (low < x.bits && !((mask | x.stride) >> low & 1)) { /* which lanes have alike */
            low++;
        }
        while (low < x.bits && mask >> low & 1) {
            low++;
        }
        low = mask ? low : 0;
        return (struct congruence){x.stride, low};
    case LLVMOr: /* a sum */
    case LLVMAdd:
    case LLVMSub:
        if (op == LLVMOr && !LLVMGetIsDisjoint(v)) {
            return none;
        }
        y = find(wg, by, depth);
        return (struct congruence){op == LLVMSub ? x.stride - y.stride : x.stride + y.stride,
                                   x.bits < y.bits ? x.bits : y.bits};
    default:
        return none;
    }
}

static struct congruence find(const struct wg *wg, LLVMValueRef v, unsigned depth) {
    int64_t stride;
    if (LLVMGetTypeKind(LLVMTypeOf(v)) != LLVMIntegerTypeKind || LLVMGetIntTypeWidth(LLVMTypeOf(v)) > 64) {
        return (struct congruence){0, 0};
    }
    if (uniform_stride(wg->pack, v, &stride)) {
        return (struct congruence){(uint64_t)stride, LLVMGetIntTypeWidth(LLVMTypeOf(v))};
    }
    return depth && LLVMIsAInstruction(v) ? of_operation(wg, v, depth - 1) : (struct congruence){0, 0};
}

bool congruence_is_no_row(const struct wg *wg, LLVMValueRef index) {
    struct congruence c = find(wg, index, DEPTH);
    return c.bits && ((c.stride - 1) << (64 - c.bits)) != 0;
}

bool congruence_may_be_within(const struct wg *wg, LLVMValueRef index, uint64_t places) {
    enum { MOST = 16 };
    struct congruence c = find(wg, index, DEPTH);
    uint64_t circle = c.bits < MOST ? UINT64_C(1) << c.bits : 0, gap = 0;
    for (unsigned i = 0; circle && i < wg->pack->width;
         i++) { /* the place after lane i that another one has */
        uint64_t next = circle;
        for (unsigned n = 0; n < wg->pack->width; n++) {
            uint64_t ahead = (c.stride * (n - (uint64_t)i)) & (circle - 1);
            next = ahead && ahead < next ? ahead : next;
        }
        gap = next > gap ? next : gap;
    }
    return !circle || circle - gap < places;
}
