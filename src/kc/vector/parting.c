/* parting.c: what lanes part on, as far as their conditions tell; frequency.c estimates by it how many rounds packs go around loops.
 *
 * In: a condition, the uniformity of packs, the loops of all blocks. Out: whether it is
 * - a range: lanes part in one pack of a row, or a few.
 *     if (get_global_id(0) < n) ...     for (size_t i = get_global_id(0); i < n; i += get_global_size(0)) ...
 * - a search's end: lanes leave the loop after about as many rounds.
 *     while (lo < hi) { int m = (lo + hi) / 2; if (a[m] < x) lo = m + 1; else hi = m; }
 *     while (n) { int h = n / 2; if (a[at + h] < x) at += h + 1, n -= h + 1; else n = h; } */
#include "vector.h"

static bool is_strided(const struct wg *wg, LLVMValueRef v) {
    int64_t stride;
    return uniform_stride(wg->pack, v, &stride) ||
           (wg->pack->row && uniform_stride(wg->pack->row, v, &stride));
}

/* Whether the value is the PHI plus what the pack shares, or strided, or one of two such by a condition. */
static bool is_next(const struct wg *wg, LLVMValueRef v, LLVMValueRef phi) {
    if (LLVMIsASelectInst(v)) {
        LLVMValueRef x = LLVMGetOperand(v, 1), y = LLVMGetOperand(v, 2);
        return !LLVMIsASelectInst(x) && !LLVMIsASelectInst(y) && is_next(wg, x, phi) && is_next(wg, y, phi);
    }
    bool adds = LLVMIsABinaryOperator(v) && LLVMGetInstructionOpcode(v) == LLVMAdd;
    unsigned which = adds && LLVMGetOperand(v, 0) == phi;
    return (adds && LLVMGetOperand(v, !which) == phi && uniform_is(wg->pack, LLVMGetOperand(v, which))) ||
           is_strided(wg, v);
}

/* Whether the value goes up evenly from lane to lane, among those that are on in a loop which takes strides of the whole range:
 *     for (size_t i = get_global_id(0); i < n; i += get_global_size(0)) */
static bool is_even(const struct wg *wg, LLVMValueRef v) {
    LLVMValueRef phi = v;
    for (unsigned i = 0; i < 2 && LLVMIsABinaryOperator(v); i++) {
        phi = LLVMIsAPHINode(phi) ? phi : LLVMGetOperand(v, i);
    }
    bool is = LLVMIsAPHINode(phi) && (phi == v || is_next(wg, v, phi));
    for (unsigned i = 0; is && i < LLVMCountIncoming(phi); i++) {
        is = is_next(wg, LLVMGetIncomingValue(phi, i), phi);
    }
    return is || is_strided(wg, v);
}

/* Whether lanes part on the condition in one pack of a row, or a few: it compares what goes up evenly with what the pack
 * shares. */
static bool is_range(const struct wg *wg, LLVMValueRef v, unsigned depth) {
    if (uniform_is(wg->pack, v)) {
        return true;
    }
    if (!depth) { /* of values that are used twice at each step there are too many paths */
        return false;
    }
    bool combines = LLVMIsASelectInst(v) || LLVMIsABinaryOperator(v), compares = LLVMIsAICmpInst(v) != NULL;
    for (int i = 0; (combines || compares) && i < LLVMGetNumOperands(v); i++) {
        LLVMValueRef x = LLVMGetOperand(v, (unsigned)i);
        bool is = combines ? is_range(wg, x, depth - 1) : is_even(wg, x);
        combines &= is;
        compares &= is;
    }
    return combines || compares;
}

bool parting_is_range(const struct wg *wg, LLVMValueRef condition) {
    enum { DEPTH = 8 };
    return is_range(wg, condition, DEPTH);
}

static bool is_inside(const struct wg *wg, const struct linear *whole, unsigned span, LLVMValueRef i) {
    return linearize_is_within(whole, span, (unsigned)ptrmap_at(&wg->index, LLVMGetInstructionParent(i), 0));
}

/* Whether the value is no more than half of what the loop's PHI `of` was, by a shift or by what a shift leaves of it. */
static bool is_half(const struct wg *wg, const struct linear *whole, unsigned span, LLVMValueRef v,
                    LLVMValueRef of, unsigned depth) {
    if (!depth || !LLVMIsAInstruction(v) || !is_inside(wg, whole, span, v)) {
        return false;
    }
    LLVMOpcode op = LLVMGetInstructionOpcode(v);
    bool is = op == LLVMPHI || op == LLVMSelect;
    unsigned n = op == LLVMPHI ? LLVMCountIncoming(v) : (unsigned)LLVMGetNumOperands(v);
    for (unsigned i = op == LLVMSelect; is && i < n; i++) {
        is = is_half(wg, whole, span, op == LLVMPHI ? LLVMGetIncomingValue(v, i) : LLVMGetOperand(v, i), of,
                     depth - 1);
    }
    if (op == LLVMAdd || op == LLVMSub || op == LLVMXor) { /* n - n / 2, n - n / 2 - 1 */
        bool of_it = LLVMGetOperand(v, 0) == of || LLVMIsConstant(LLVMGetOperand(v, 1));
        return (of_it &&
                is_half(wg, whole, span, LLVMGetOperand(v, op != LLVMXor && LLVMGetOperand(v, 0) == of), of,
                        depth - 1)) ||
               (op == LLVMAdd && LLVMGetOperand(v, 1) == of &&
                is_half(wg, whole, span, LLVMGetOperand(v, 0), of, depth - 1));
    }
    return is || ((op == LLVMLShr || op == LLVMAShr || op == LLVMUDiv || op == LLVMSDiv) &&
                  LLVMGetOperand(v, 0) == of && LLVMIsAConstantInt(LLVMGetOperand(v, 1)));
}

/* Whether the value is halved in each round of the loop. */
static bool is_halved(const struct wg *wg, const struct linear *whole, unsigned span, LLVMValueRef v) {
    enum { DEPTH = 6 };
    LLVMBasicBlockRef first = wg->blocks[whole->order[whole->spans[span].first]];
    bool found = false;
    for (LLVMValueRef phi = LLVMGetFirstInstruction(first); phi && LLVMIsAPHINode(phi) && !found;
         phi = LLVMGetNextInstruction(phi)) {
        for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
            found |= (v == phi || v == LLVMGetIncomingValue(phi, i)) &&
                     is_half(wg, whole, span, LLVMGetIncomingValue(phi, i), phi, DEPTH);
        }
    }
    return found;
}

/* Whether the loop goes on until two of its values meet, or until what it halves is 0, as a binary search does: that takes all
 * about as long. */
bool parting_is_search(const struct wg *wg, const struct linear *whole, unsigned span,
                       LLVMValueRef condition) {
    bool is = LLVMIsAICmpInst(condition);
    if (is && LLVMIsAConstantInt(LLVMGetOperand(condition, 1))) {
        return is_halved(wg, whole, span, LLVMGetOperand(condition, 0));
    }
    for (unsigned i = 0; is && i < 2; i++) {
        LLVMValueRef v = LLVMGetOperand(condition, i);
        is = (LLVMIsAPHINode(v) || LLVMIsASelectInst(v)) && is_inside(wg, whole, span, v) &&
             !uniform_is(wg->pack, v);
    }
    return is;
}
