/* vector_slots.c: the variables of a pack, and its rows of the context.
 *
 * In: a region in the form of slots.c. Each slot has a variable for the pack: a scalar for what lanes share or count up,
 * a vector, or an array of lanes. After a barrier, or where a sub-group yields, the context has them meanwhile. */
#include "vector.h"

static bool is_bit(LLVMTypeRef type) {
    return LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) == 1;
}

/* How a variable keeps vectors of `element`: bits as whole lanes where the processor's masks are vectors, too. */
static LLVMTypeRef vslot_type(struct vec *v, LLVMTypeRef element) {
    bool widens = is_bit(element) && !v->k->target->has_mask_registers;
    return vec_type(v, widens ? LLVMInt32TypeInContext(v->llvm) : element);
}

static LLVMValueRef from_kept(struct vec *v, LLVMValueRef kept, LLVMTypeRef element) {
    LLVMTypeRef type = LLVMTypeOf(kept);
    return type == vec_type(v, element) ? kept
                                        : LLVMBuildICmp(v->b, LLVMIntSLT, kept, LLVMConstNull(type), "");
}

static LLVMValueRef to_kept(struct vec *v, LLVMValueRef value) {
    LLVMTypeRef kept = vslot_type(v, LLVMGetElementType(LLVMTypeOf(value)));
    return kept == LLVMTypeOf(value) ? value : LLVMBuildSExt(v->b, value, kept, "");
}

static LLVMValueRef take(struct vec *v, LLVMTypeRef element, LLVMValueRef var) {
    return from_kept(v, LLVMBuildLoad2(v->b, vslot_type(v, element), var, ""), element);
}

static void keep(struct vec *v, LLVMValueRef value, LLVMValueRef var) {
    LLVMBuildStore(v->b, to_kept(v, value), var);
}

/* Masks of waiting lanes are computed as they are kept. */
LLVMTypeRef vslot_mask_type(struct vec *v) {
    return vslot_type(v, LLVMInt1TypeInContext(v->llvm));
}

LLVMValueRef vslot_of_mask(struct vec *v, LLVMValueRef mask) {
    return to_kept(v, mask);
}

LLVMValueRef vslot_to_mask(struct vec *v, LLVMValueRef kept) {
    return from_kept(v, kept, LLVMInt1TypeInContext(v->llvm));
}

LLVMValueRef vslot_full(struct vec *v, LLVMValueRef kept) {
    return kept ? kept : LLVMConstAllOnes(vslot_mask_type(v));
}

LLVMValueRef vslot_pending(struct vec *v, unsigned node) {
    return LLVMBuildLoad2(v->b, vslot_mask_type(v), v->pending[node], "pending");
}

/* ---- slots ---- */

bool vslot_is_scalar(const struct slot *s) {
    return s->is_affine;
}

/* The variable that holds the slot's value for a pack: scalar, a vector, or an array of lanes. */
LLVMValueRef vslot_variable(struct vec *v, struct slot *s) {
    if (!s->wide) {
        LLVMTypeRef wide = vec_fits(s->type) ? vslot_type(v, s->type) : LLVMArrayType2(s->type, v->width);
        s->wide = vslot_is_scalar(s) ? s->var : vec_variable(v, wide, "wide");
    }
    return s->wide;
}

static LLVMValueRef lane_variable(struct vec *v, struct slot *s, unsigned lane) {
    LLVMValueRef at = ir_const64(v->llvm, lane);
    return LLVMBuildInBoundsGEP2(v->b, s->type, vslot_variable(v, s), &at, 1, "");
}

struct wide *vslot_read(struct vec *v, struct slot *s) {
    if (s->of_rows) {
        return rows_read(v, s);
    }
    LLVMValueRef var = vslot_variable(v, s);
    if (vslot_is_scalar(s)) {
        return wide_new(FORM_AFFINE, LLVMBuildLoad2(v->b, s->type, var, ""), s->stride);
    }
    if (vec_fits(s->type)) {
        return wide_new(FORM_VECTOR, take(v, s->type, var), 0);
    }
    struct wide *w = wide_new(FORM_LANES, NULL, 0);
    w->lanes = job_alloc(v->width * sizeof *w->lanes);
    for (unsigned i = 0; i < v->width; i++) {
        w->lanes[i] = LLVMBuildLoad2(v->b, s->type, lane_variable(v, s, i), "");
    }
    return w;
}

/* Lane 0 of a value that the analysis says is affine. */
static LLVMValueRef scalar_of(struct vec *v, const struct wide *w) {
    return w->form == FORM_UNIFORM || w->form == FORM_AFFINE ? w->value : wide_lane(v, w, 0);
}

/* The innermost loop around the node that lanes may leave at different times, or NONE. */
static unsigned parting_loop(const struct linear *l, unsigned node) {
    unsigned span = l->innermost[node];
    while (span != NONE && l->spans[span].together) {
        span = l->spans[span].parent;
    }
    return span;
}

/* Where else in the region the slot is written and read, by node. */
struct traffic {
    unsigned writes, reads_outside; /* reads in nodes beyond the parting loop that holds the writing node */
    bool leaves_loop;               /* reads beyond the loop that lanes go around together */
    unsigned reader;                /* the only reading node, or NONE */
    bool several_readers;
};

/* The region's accesses to each slot, in the order of their nodes: twice the node, and one more for a store. */
static struct ptrmap accesses_by_slot(struct vec *v) {
    struct ptrmap all = {0};
    for (unsigned n = 0; n < v->l->nblocks; n++) {
        LLVMBasicBlockRef block = v->wg->blocks[(uintptr_t)v->r->blocks.at[n]];
        for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
            struct slot *s = slots_of_access(&v->wg->slots, i);
            struct list *accesses = s ? (struct list *)ptrmap_at(&all, s, 0) : NULL;
            if (s && !accesses) {
                accesses = job_alloc(sizeof *accesses);
                ptrmap_set(&all, s, (uintptr_t)accesses);
            }
            if (s) {
                list_add(accesses, (void *)(2 * (uintptr_t)n + (LLVMIsAStoreInst(i) != NULL)));
            }
        }
    }
    return all;
}

static void note_traffic(struct vec *v, struct slot *s, struct traffic *t) {
    unsigned span = parting_loop(v->l, v->node), loop = v->l->loop[v->node];
    if (!v->knows_accesses) {
        v->accesses = accesses_by_slot(v);
        v->knows_accesses = true;
    }
    const struct list *accesses = (struct list *)ptrmap_at(&v->accesses, s, 0);
    for (size_t i = 0; accesses && i < accesses->n; i++) {
        unsigned node = (unsigned)((uintptr_t)accesses->at[i] / 2);
        if ((uintptr_t)accesses->at[i] % 2) {
            t->writes++;
        } else {
            t->several_readers |= t->reader != NONE && t->reader != node;
            t->reader = node;
            t->leaves_loop |= loop == NONE || !linearize_holds(v->l, loop, node);
            t->reads_outside += span != NONE && !linearize_holds(v->l, span, node);
        }
    }
}

static bool is_live_at_exit(const struct vec *v, const struct slot *s) {
    for (unsigned to = 1; to < v->wg->nregions; to++) {
        if (v->r->is_exit[to] && s->crosses &&
            bit_at(v->wg->slots.live_in[v->wg->regions[to].start], (unsigned)(s - v->wg->slots.at))) {
            return true;
        }
    }
    return false;
}

/* Whether a store in the current divergent node must leave other lanes' values as they are: when they wait to read
 * what another node stored, or have left the loop that stores again. Not at the header of a natural loop, where
 * the lanes that come around are all there are. Nor where all lanes of a loop that they go around together store what is
 * read in that loop alone. */
static bool must_blend(struct vec *v, struct slot *s) {
    struct traffic t = {.reader = NONE};
    if (s->joined) {
        return true;
    }
    t.writes += v->r->barrier && s->crosses && /* what the lanes came with */
                bit_at(v->wg->slots.live_in[v->r->start], (unsigned)(s - v->wg->slots.at));
    note_traffic(v, s, &t);
    if (v->l->island[v->node] == NONE && !t.leaves_loop && !is_live_at_exit(v, s)) {
        return false;
    }
    unsigned span = parting_loop(v->l, v->node);
    if (t.reads_outside || (span != NONE && is_live_at_exit(v, s))) {
        return true;
    }
    if (t.writes < 2 || t.several_readers || t.reader == NONE) {
        return t.writes > 1;
    }
    unsigned loop = v->l->innermost[t.reader], inside = 0, outside = 0;
    if (loop == NONE || v->l->spans[loop].first != v->l->place[t.reader]) {
        return true;
    }
    for (unsigned p = 0; p < v->l->g->npred[t.reader]; p++) {
        bool in = linearize_holds(v->l, loop, v->l->g->pred[t.reader][p]);
        inside += in;
        outside += !in;
    }
    return inside > 1 || outside > 1;
}

void vslot_write(struct vec *v, struct slot *s, const struct wide *w) {
    bool divergent = v->l->island[v->node] != NONE || v->l->loop[v->node] != NONE;
    if (s->of_rows) {
        rows_write(v, s, w, divergent && v->mask && must_blend(v, s));
        return;
    }
    LLVMValueRef var = vslot_variable(v, s);
    if (vslot_is_scalar(s)) {
        LLVMBuildStore(v->b, scalar_of(v, w), var);
        return;
    }
    bool blend = divergent && v->mask && must_blend(v, s);
    if (vec_fits(s->type)) {
        LLVMValueRef value = wide_vector(v, w, s->type);
        if (blend) {
            value = LLVMBuildSelect(v->b, v->mask, value, take(v, s->type, var), "");
        }
        keep(v, value, var);
        return;
    }
    for (unsigned i = 0; i < v->width; i++) {
        LLVMValueRef at = lane_variable(v, s, i), value = wide_lane(v, w, i);
        if (blend) {
            LLVMValueRef bit = LLVMBuildExtractElement(
                v->b, v->mask, LLVMConstInt(LLVMInt32TypeInContext(v->llvm), i, 0), "");
            value = LLVMBuildSelect(v->b, bit, value, LLVMBuildLoad2(v->b, s->type, at, ""), "");
        }
        LLVMBuildStore(v->b, value, at);
    }
}

/* ---- the context ---- */

/* Whether not all lanes of a pack may come from, or go, the same way. */
static bool keeps_lanes(const struct wg *wg) {
    return wg->any_guard || wg->nyields;
}

/* What an element of the context holds: integers of odd widths would lie in a vector without gaps. */
static LLVMTypeRef stored_type(struct vec *v, const struct slot *s) {
    bool is_odd =
        LLVMGetTypeKind(s->type) == LLVMIntegerTypeKind && vec_fits(s->type) && !private_is_element(s->type);
    return is_odd ? LLVMIntTypeInContext(v->llvm, (unsigned)s->bytes * 8) : s->type;
}

void vslot_save(struct vec *v, struct slot *s) {
    LLVMTypeRef stored = stored_type(v, s);
    struct wide *w = vslot_read(v, s);
    LLVMValueRef at = context_slot(v->wg, s);
    if (!vec_fits(s->type) && !(vslot_is_scalar(s) && !keeps_lanes(v->wg))) {
        for (unsigned i = 0; i < v->width; i++) {
            LLVMValueRef lane = ir_offset(v->b, at, ir_const64(v->llvm, i * s->bytes), "");
            LLVMValueRef value = wide_lane(v, w, i);
            if (v->mask) { /* a lane that is off keeps what it has there */
                LLVMValueRef bit = LLVMBuildExtractElement(
                    v->b, v->mask, LLVMConstInt(LLVMInt32TypeInContext(v->llvm), i, 0), "");
                LLVMValueRef old = LLVMBuildLoad2(v->b, s->type, lane, "");
                value = LLVMBuildSelect(v->b, bit, value, old, "");
            }
            LLVMSetAlignment(LLVMBuildStore(v->b, value, lane), wg_alignment(s->bytes));
        }
        return;
    }
    if (vslot_is_scalar(s) && !keeps_lanes(v->wg)) { /* lane 0 is on in every pack that will read it back */
        LLVMValueRef scalar = w->value;
        scalar = stored != s->type ? LLVMBuildZExt(v->b, scalar, stored, "") : scalar;
        LLVMSetAlignment(LLVMBuildStore(v->b, scalar, at), wg_alignment(s->bytes));
        return;
    }
    LLVMValueRef value = wide_vector(v, w, s->type);
    if (stored != s->type) {
        value = LLVMBuildZExt(v->b, value, vec_type(v, stored), "");
    }
    access_write(v, value, at, wg_alignment(s->bytes), v->mask, MEMORY_CONTEXT);
}

void vslot_restore(struct vec *v, struct slot *s) {
    LLVMValueRef at = context_slot(v->wg, s);
    if (s->of_rows) {
        rows_restore(v, s, at);
        return;
    }
    LLVMValueRef var = vslot_variable(v, s);
    LLVMTypeRef stored = stored_type(v, s);
    if (vslot_is_scalar(s)) { /* the first active lane's, taken back to lane 0 */
        LLVMValueRef lane = LLVMBuildZExt(v->b, vec_first(v, v->base), LLVMInt64TypeInContext(v->llvm), "");
        LLVMValueRef offset = LLVMBuildMul(v->b, lane, ir_const64(v->llvm, s->bytes), "");
        LLVMValueRef value = LLVMBuildLoad2(v->b, stored, ir_offset(v->b, at, offset, ""), "");
        LLVMValueRef back = LLVMBuildMul(v->b, lane, ir_const64(v->llvm, (uint64_t)-s->stride), "");
        LLVMSetAlignment(value, wg_alignment(s->bytes));
        value = stored != s->type ? LLVMBuildTrunc(v->b, value, s->type, "") : value;
        if (LLVMGetTypeKind(s->type) == LLVMPointerTypeKind) {
            value = LLVMBuildGEP2(v->b, LLVMInt8TypeInContext(v->llvm), value, &back, 1, "");
        } else if (s->stride) {
            value = LLVMBuildAdd(v->b, value, LLVMBuildTruncOrBitCast(v->b, back, s->type, ""), "");
        }
        LLVMBuildStore(v->b, value, var);
        return;
    }
    if (vec_fits(s->type)) {
        LLVMValueRef value = access_read(v, stored, at, wg_alignment(s->bytes), NULL, MEMORY_CONTEXT);
        keep(v, stored != s->type ? LLVMBuildTrunc(v->b, value, vec_type(v, s->type), "") : value, var);
        return;
    }
    for (unsigned i = 0; i < v->width; i++) {
        LLVMValueRef lane = ir_offset(v->b, at, ir_const64(v->llvm, i * s->bytes), "");
        LLVMValueRef value = LLVMBuildLoad2(v->b, s->type, lane, "");
        LLVMSetAlignment(value, wg_alignment(s->bytes));
        LLVMBuildStore(v->b, value, lane_variable(v, s, i));
    }
}

/* Of the lanes of `mask`, of which there is one, those for which the scalar slot's value is the same as for the first. */
static LLVMValueRef agree_on(struct vec *v, struct slot *s, LLVMValueRef mask) {
    unsigned bits = (unsigned)s->bytes * 8; /* stride and value fit, whatever the width */
    LLVMTypeRef type = LLVMIntTypeInContext(v->llvm, bits);
    LLVMValueRef first = vec_first(v, mask);
    LLVMValueRef values =
        access_read(v, type, context_slot(v->wg, s), wg_alignment(s->bytes), NULL, MEMORY_CONTEXT);
    values = LLVMBuildSub(v->b, values, wide_ramp(v, type, s->stride), "");
    LLVMValueRef same =
        wide_vector(v, wide_new(FORM_UNIFORM, LLVMBuildExtractElement(v->b, values, first, ""), 0), type);
    return LLVMBuildAnd(v->b, mask, LLVMBuildICmp(v->b, LLVMIntEQ, values, same, ""), "");
}

LLVMValueRef vslot_agree(struct vec *v, LLVMValueRef mask) {
    LLVMTypeRef i32 = LLVMInt32TypeInContext(v->llvm);
    LLVMValueRef agree = mask;
    LLVMValueRef first = wide_vector(v, wide_new(FORM_UNIFORM, vec_first(v, mask), 0), i32);
    LLVMValueRef alone = LLVMBuildICmp(v->b, LLVMIntEQ, wide_ramp(v, i32, 1), first, "");
    for (unsigned n = 0; n < v->wg->slots.n; n++) {
        struct slot *s = &v->wg->slots.at[n];
        if (s->is_array || !s->crosses || !vslot_is_scalar(s) ||
            !bit_at(v->wg->slots.live_in[v->r->start], n)) {
            continue;
        }
        bool fits = vec_fits(s->type);
        agree = fits ? LLVMBuildAnd(v->b, agree, agree_on(v, s, mask), "") : alone;
        if (!fits) {
            break;
        }
    }
    return v->r->yields ? LLVMBuildSelect(v->b, yield_resuming(v->wg), alone, agree, "") : agree;
}

void vslot_place(struct vec *v, struct slot *s) {
    LLVMValueRef base = context_array(v->wg, s);
    wide_set(v, s->var, wide_new(FORM_AFFINE, base, (int64_t)(s->grain ? s->grain : s->bytes)));
}
