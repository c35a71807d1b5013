/* shape.c: how a pack's elements lie in memory, as far as that can be told before there is code for it.
 *
 * In: a load or store and what is known of the pack. Out: a guess of what the access becomes, by which cycles.c estimates. Where
 * an index is extended after it may have wrapped around, and only the run tells, it is taken not to have.
 *     a[get_global_id(0)]          a row                     a[3 * get_global_id(0)]      near
 *     a[get_global_id(0) * n]      remote                    a[b[get_global_id(0)]]       by data: lanes
 *     s[l ^ 1], local              near: shuffles            a[(l + 1) % n], a[l / n]     looked at
 *     s[l / 8 * 9 + l % 8]         W = 16: two pieces       s[(5 * l + 3) & 63]          apart: no row */
#include "vector.h"

/* Whether lanes' numbers go up evenly by a constant, perhaps before they are extended. */
static bool is_known_apart(const struct wg *wg, LLVMValueRef v) {
    int64_t stride;
    return uniform_stride(wg->pack, ir_unextended(v), &stride) && stride;
}

/* Whether what lanes have is apart by a number that the pack shares, but which only the run tells: an id times a row's
 * length, perhaps in a sum. */
static bool is_far_apart(const struct wg *wg, LLVMValueRef v, unsigned depth) {
    int64_t stride;
    if (!LLVMIsAInstruction(v) || !depth || uniform_stride(wg->pack, v, &stride)) {
        return false;
    }
    LLVMValueRef x = LLVMGetOperand(v, 0), y = LLVMGetNumOperands(v) > 1 ? LLVMGetOperand(v, 1) : NULL;
    switch (LLVMGetInstructionOpcode(v)) {
    case LLVMZExt:
    case LLVMSExt:
    case LLVMTrunc:
        return is_far_apart(wg, x, depth - 1);
    case LLVMAdd:
    case LLVMSub:
    case LLVMOr:
        return is_far_apart(wg, x, depth - 1) || is_far_apart(wg, y, depth - 1);
    case LLVMMul:
    case LLVMShl:
        return (uniform_is(wg->pack, y) && is_known_apart(wg, x)) ||
               (uniform_is(wg->pack, x) && is_known_apart(wg, y));
    default:
        return false;
    }
}

enum distance { KNOWN, FAR, UNKNOWN };

/* How far an access' elements are apart in bytes, where no index wraps around. */
static enum distance find_distance(const struct wg *wg, LLVMValueRef at, int64_t *bytes) {
    enum { DEPTH = 8 };
    struct gep_step steps[GEP_STEPS];
    LLVMTargetDataRef layout = LLVMGetModuleDataLayout(wg->k->module);
    int64_t step;
    for (*bytes = 0; !uniform_stride(wg->pack, at, &step); at = LLVMGetOperand(at, 0)) {
        if (!LLVMIsAGetElementPtrInst(at)) {
            return UNKNOWN;
        }
        unsigned n = ir_gep_steps(layout, at, steps);
        for (unsigned i = 0; i < n; i++) {
            LLVMValueRef x = steps[i].index ? ir_unextended(steps[i].index) : NULL;
            if (x && !uniform_stride(wg->pack, x, &step)) {
                return is_far_apart(wg, x, DEPTH) ? FAR : UNKNOWN;
            }
            *bytes += x ? step * (int64_t)steps[i].bytes : 0;
        }
    }
    *bytes += step;
    return KNOWN;
}

bool shape_is_of_data(const struct wg *wg, LLVMValueRef v, unsigned depth) {
    int64_t stride;
    if (!LLVMIsAInstruction(v) || uniform_stride(wg->pack, v, &stride)) {
        return false;
    }
    bool found = !depth || LLVMIsALoadInst(v) || LLVMIsAPHINode(v) || LLVMIsACallInst(v);
    for (int n = 0; !found && n < LLVMGetNumOperands(v); n++) {
        found = shape_is_of_data(wg, LLVMGetOperand(v, (unsigned)n), depth - 1);
    }
    return found && !(LLVMIsACallInst(v) && intrinsic_id(v, NULL));
}

/* Whether the address is computed, and with operations that put ids in another order: then window.c may find elements
 * in two vectors. */
static bool is_reordered(const struct wg *wg, LLVMValueRef v, unsigned depth, bool *loads) {
    bool found = LLVMIsAInstruction(v) &&
                 (ir_is_division(v) || LLVMGetInstructionOpcode(v) == LLVMAnd ||
                  LLVMGetInstructionOpcode(v) == LLVMXor || LLVMGetInstructionOpcode(v) == LLVMLShr);
    *loads |= LLVMIsALoadInst(v) || LLVMIsAPHINode(v) || (LLVMIsAInstruction(v) && !depth);
    for (int n = 0; depth && LLVMIsAInstruction(v) && !LLVMIsAPHINode(v) && n < LLVMGetNumOperands(v); n++) {
        LLVMValueRef operand = LLVMGetOperand(v, (unsigned)n);
        found |= !uniform_is(wg->pack, operand) && is_reordered(wg, operand, depth - 1, loads);
    }
    return found;
}

/* Of elements that lie a number of bytes apart, or so much in the mean. */
static enum shape shape_apart(int64_t stride, int64_t bytes) {
    enum { NEARBY = 4, LINE = 64 };
    return stride <= NEARBY * bytes && stride >= -NEARBY * bytes ? SHAPE_NEAR
           : stride < LINE && stride > -LINE                     ? SHAPE_APART
                                                                 : SHAPE_REMOTE;
}

static bool are_rows(const struct wg *wg, const int64_t *at, uint32_t length, int64_t bytes) {
    for (uint32_t i = 0; i < wg->pack->width; i++) {
        if (at[i] != at[i - i % length] + bytes * (i % length)) {
            return false;
        }
    }
    return true;
}

unsigned shape_pieces(const struct wg *wg, LLVMValueRef at, int64_t bytes) {
    uint32_t length = wg->pack->width;
    while (!are_rows(wg, uniform_offsets(wg->pack, at), length, bytes)) {
        length /= 2;
    }
    return wg->pack->width / length;
}

/* Of lanes' elements at known distances from lane 0's. */
static enum shape shape_by_offsets(const struct wg *wg, LLVMValueRef address, int64_t bytes) {
    enum { NEAR_PIECES = 2, PIECES = 4 }; /* as many as are better than shuffles, or than elements */
    const int64_t *at = uniform_offsets(wg->pack, address);
    int64_t lowest = 0, highest = 0;
    for (uint32_t i = 0; i < wg->pack->width; i++) {
        lowest = at[i] < lowest ? at[i] : lowest;
        highest = at[i] > highest ? at[i] : highest;
    }
    enum shape shape = shape_apart((highest - lowest) / wg->pack->width, bytes);
    unsigned pieces = shape_pieces(wg, address, bytes);
    return pieces <= (shape == SHAPE_NEAR ? NEAR_PIECES : PIECES) ? SHAPE_PIECES : shape;
}

/* The one index that differs between lanes, before it is extended, and counts elements; else NULL. */
static LLVMValueRef single_index(const struct wg *wg, LLVMValueRef at, int64_t bytes) {
    LLVMTargetDataRef layout = LLVMGetModuleDataLayout(wg->k->module);
    struct gep_step steps[GEP_STEPS];
    LLVMValueRef index = NULL;
    for (; LLVMIsAGetElementPtrInst(at); at = LLVMGetOperand(at, 0)) {
        unsigned n = ir_gep_steps(layout, at, steps);
        for (unsigned i = 0; i < n; i++) {
            if (steps[i].index && !uniform_is(wg->pack, steps[i].index)) {
                if (index || steps[i].bytes != (uint64_t)bytes) {
                    return NULL;
                }
                index = steps[i].index;
            }
        }
    }
    return index && uniform_is(wg->pack, at) ? index : NULL;
}

enum shape shape_of(const struct wg *wg, LLVMValueRef access, int64_t bytes) {
    enum { DEPTH = 8 };
    int64_t stride;
    LLVMValueRef at = ir_address(access), base = at;
    bool is_shared = true;
    for (; LLVMIsAGetElementPtrInst(base); base = LLVMGetOperand(base, 0)) {
        for (int i = 1; i < LLVMGetNumOperands(base); i++) {
            is_shared &= uniform_is(wg->pack, LLVMGetOperand(base, (unsigned)i));
        }
    }
    if (LLVMIsAAllocaInst(base)) { /* interleaved */
        return is_shared ? SHAPE_ROW : SHAPE_LANES;
    }
    if (uniform_is(wg->pack, at)) {
        return SHAPE_ONE;
    }
    enum distance distance = find_distance(wg, at, &stride);
    if (distance != KNOWN && !uniform_offsets(wg->pack, at) && LLVMIsALoadInst(access) &&
        table_is(wg, access, bytes)) {
        return SHAPE_NEAR;
    }
    if (distance == FAR) {
        return SHAPE_REMOTE;
    }
    if (distance == KNOWN) {
        bool is_row = !stride || stride == bytes || stride == -bytes;
        return is_row ? SHAPE_ROW : shape_apart(stride, bytes);
    }
    if (uniform_offsets(wg->pack, at)) {
        return shape_by_offsets(wg, at, bytes);
    }
    LLVMValueRef index = single_index(wg, at, bytes);
    if (index && congruence_is_no_row(wg, index)) {
        bool is_near = wg_kind(access) == MEMORY_LOCAL && bytes == 4 &&
                       congruence_may_be_within(wg, index, 2 * wg->pack->width);
        return is_near ? SHAPE_NEAR : SHAPE_APART;
    }
    bool loads = false,
         is_reordering = wg_kind(access) == MEMORY_LOCAL && is_reordered(wg, at, DEPTH, &loads) && !loads;
    return is_reordering ? SHAPE_NEAR : shape_is_of_data(wg, at, DEPTH) ? SHAPE_LANES : SHAPE_LOOKED;
}
