/* vector.c: a region for a pack: W consecutive work-items of a row as the lanes of vectors.
 *
 * Needs the region in the form of slots.c, the pack's uniformity, and packs' loop over rows in steps of W. Gives the
 * region's code: outside islands (linear.c) branches are real and all lanes of the pack run; inside, each node
 * runs under the mask of the lanes that wait for it, and is branched over when there are none. Values are widened by
 * widen.c; slots become variables of the width, so that no PHIs need repair.
 * Invariant: a lane that is off writes no memory, and changes no variable that it will read. */
#include "vector.h"
#include <string.h>

enum {
    SHORT_BLOCK = 8,  /* instructions without effects that are cheaper to run than to branch over */
    LONG_BLOCK = 150, /* instructions that are too many to have twice */
};

/* ---- small things ---- */

LLVMTypeRef vec_type(struct vec *v, LLVMTypeRef element) {
    return LLVMVectorType(element, v->width);
}

bool vec_fits(LLVMTypeRef type) {
    bool is_integer = LLVMGetTypeKind(type) == LLVMIntegerTypeKind;
    return is_integer ? LLVMGetIntTypeWidth(type) <= 64 : slots_is_element(type);
}

LLVMValueRef vec_intrinsic(struct vec *v, const char *name, LLVMTypeRef *overloads, unsigned noverloads,
                           LLVMValueRef *args, unsigned nargs) {
    unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
    LLVMValueRef f = LLVMGetIntrinsicDeclaration(v->k->module, id, overloads, noverloads);
    return LLVMBuildCall2(v->b, LLVMGlobalGetValueType(f), f, args, nargs, "");
}

static LLVMTypeRef mask_type(struct vec *v) {
    return vec_type(v, LLVMInt1TypeInContext(v->llvm));
}

LLVMValueRef vec_full(struct vec *v, LLVMValueRef mask) {
    return mask ? mask : LLVMConstAllOnes(mask_type(v));
}

LLVMValueRef vec_and(struct vec *v, LLVMValueRef mask, LLVMValueRef more) {
    return !mask ? more : !more ? mask : LLVMBuildAnd(v->b, mask, more, "");
}

static LLVMValueRef bits_of(struct vec *v, LLVMValueRef mask) {
    return LLVMBuildBitCast(v->b, mask, LLVMIntTypeInContext(v->llvm, v->width), "");
}

LLVMValueRef vec_any(struct vec *v, LLVMValueRef mask) {
    return LLVMBuildIsNotNull(v->b, bits_of(v, mask), "any");
}

static LLVMValueRef count_zeros(struct vec *v, LLVMValueRef mask, const char *name) {
    LLVMValueRef bits = bits_of(v, mask);
    LLVMTypeRef type = LLVMTypeOf(bits), i32 = LLVMInt32TypeInContext(v->llvm);
    LLVMValueRef args[] = {bits, LLVMConstInt(LLVMInt1TypeInContext(v->llvm), 0, 0)};
    LLVMValueRef n = vec_intrinsic(v, name, &type, 1, args, 2);
    return v->width > 32 ? LLVMBuildTrunc(v->b, n, i32, "") : LLVMBuildZExtOrBitCast(v->b, n, i32, "");
}

LLVMValueRef vec_first(struct vec *v, LLVMValueRef mask) {
    LLVMTypeRef i32 = LLVMInt32TypeInContext(v->llvm);
    return mask ? count_zeros(v, mask, "llvm.cttz") : LLVMConstInt(i32, 0, 0);
}

LLVMValueRef vec_last(struct vec *v, LLVMValueRef mask) {
    LLVMValueRef top = LLVMConstInt(LLVMInt32TypeInContext(v->llvm), v->width - 1, 0);
    return mask ? LLVMBuildSub(v->b, top, count_zeros(v, mask, "llvm.ctlz"), "") : top;
}

static LLVMBasicBlockRef new_block(struct vec *v, const char *name) {
    return LLVMAppendBasicBlockInContext(v->llvm, v->k->run, name);
}

LLVMValueRef vec_shuffle(struct vec *v, LLVMValueRef x, LLVMValueRef y, const unsigned *order, unsigned n) {
    LLVMTypeRef i32 = LLVMInt32TypeInContext(v->llvm);
    LLVMValueRef *mask = job_alloc(n * sizeof(LLVMValueRef));
    for (unsigned i = 0; i < n; i++) {
        mask[i] = LLVMConstInt(i32, order[i], 0);
    }
    y = y ? y : LLVMGetPoison(LLVMTypeOf(x));
    return LLVMBuildShuffleVector(v->b, x, y, LLVMConstVector(mask, n), "");
}

LLVMValueRef vec_variable(struct vec *v, LLVMTypeRef type, const char *name) {
    LLVMBuilderRef b = ir_at_entry(v->k->run);
    LLVMValueRef var = LLVMBuildAlloca(b, type, name);
    LLVMDisposeBuilder(b);
    return var;
}

/* ---- variables of a pack ---- */

static bool is_bit(LLVMTypeRef type) {
    return LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) == 1;
}

/* How a variable keeps vectors of `element`: bits as whole lanes where the processor's masks are vectors, too. */
static LLVMTypeRef kept_type(struct vec *v, LLVMTypeRef element) {
    bool widens = is_bit(element) && v->k->vector_bits < 512;
    return vec_type(v, widens ? LLVMInt32TypeInContext(v->llvm) : element);
}

static LLVMValueRef from_kept(struct vec *v, LLVMValueRef kept, LLVMTypeRef element) {
    LLVMTypeRef type = LLVMTypeOf(kept);
    return type == vec_type(v, element) ? kept
                                        : LLVMBuildICmp(v->b, LLVMIntSLT, kept, LLVMConstNull(type), "");
}

static LLVMValueRef to_kept(struct vec *v, LLVMValueRef value) {
    LLVMTypeRef kept = kept_type(v, LLVMGetElementType(LLVMTypeOf(value)));
    return kept == LLVMTypeOf(value) ? value : LLVMBuildSExt(v->b, value, kept, "");
}

static LLVMValueRef take(struct vec *v, LLVMTypeRef element, LLVMValueRef var) {
    return from_kept(v, LLVMBuildLoad2(v->b, kept_type(v, element), var, ""), element);
}

static void keep(struct vec *v, LLVMValueRef value, LLVMValueRef var) {
    LLVMBuildStore(v->b, to_kept(v, value), var);
}

/* Masks of waiting lanes are computed as they are kept. */
static LLVMTypeRef kept_mask_type(struct vec *v) {
    return kept_type(v, LLVMInt1TypeInContext(v->llvm));
}

static LLVMValueRef kept_full(struct vec *v, LLVMValueRef kept) {
    return kept ? kept : LLVMConstAllOnes(kept_mask_type(v));
}

static LLVMValueRef pending(struct vec *v, unsigned node) {
    return LLVMBuildLoad2(v->b, kept_mask_type(v), v->pending[node], "pending");
}

/* ---- slots ---- */

static bool is_scalar(const struct slot *s) {
    return s->is_affine;
}

/* The variable that holds the slot's value for a pack: scalar, a vector, or an array of lanes. */
static LLVMValueRef variable(struct vec *v, struct slot *s) {
    if (!s->wide) {
        LLVMTypeRef wide = vec_fits(s->type) ? kept_type(v, s->type) : LLVMArrayType2(s->type, v->width);
        s->wide = is_scalar(s) ? s->var : vec_variable(v, wide, "wide");
    }
    return s->wide;
}

static LLVMValueRef lane_variable(struct vec *v, struct slot *s, unsigned lane) {
    LLVMValueRef at = ir_const64(v->llvm, lane);
    return LLVMBuildInBoundsGEP2(v->b, s->type, variable(v, s), &at, 1, "");
}

static struct wide *read_slot(struct vec *v, struct slot *s) {
    LLVMValueRef var = variable(v, s);
    if (is_scalar(s)) {
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

/* Where else in the region the slot is written and read, by node. */
struct traffic {
    unsigned writes, reads_outside; /* reads in nodes beyond the loop that holds the writing node */
    unsigned reader;                /* the only reading node, or UINT32_MAX */
    bool several_readers;
};

static void note_traffic(struct vec *v, struct slot *s, unsigned node, struct traffic *t) {
    LLVMBasicBlockRef block = v->c->blocks[(uintptr_t)v->r->blocks.at[node]];
    unsigned span = v->l->innermost[v->node];
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
        if (slots_of_access(&v->c->slots, i) != s) {
            continue;
        }
        if (LLVMIsAStoreInst(i)) {
            t->writes++;
        } else {
            t->several_readers |= t->reader != UINT32_MAX && t->reader != node;
            t->reader = node;
            t->reads_outside += span != UINT32_MAX && !linear_holds(v->l, span, node);
        }
    }
}

static bool is_live_at_exit(const struct vec *v, const struct slot *s) {
    for (unsigned to = 1; to < v->c->nregions; to++) {
        if (v->r->is_exit[to] && s->crosses &&
            bit_at(v->c->slots.live_in[v->c->regions[to].start], (unsigned)(s - v->c->slots.at))) {
            return true;
        }
    }
    return false;
}

/* Whether a store in the current divergent node must leave other lanes' values as they are: when they wait to read
 * what another node stored, or have left the loop that stores again. Not at the header of a natural loop, where
 * the lanes that come around are all there are. */
static bool must_blend(struct vec *v, struct slot *s) {
    struct traffic t = {.reader = UINT32_MAX};
    t.writes += v->r->barrier && s->crosses && /* what the lanes came with */
                bit_at(v->c->slots.live_in[v->r->start], (unsigned)(s - v->c->slots.at));
    for (unsigned n = 0; n < v->l->nblocks; n++) {
        note_traffic(v, s, n, &t);
    }
    unsigned span = v->l->innermost[v->node];
    if (t.reads_outside || (span != UINT32_MAX && is_live_at_exit(v, s))) {
        return true;
    }
    if (t.writes < 2 || t.several_readers || t.reader == UINT32_MAX) {
        return t.writes > 1;
    }
    unsigned loop = v->l->innermost[t.reader], inside = 0, outside = 0;
    if (loop == UINT32_MAX || v->l->spans[loop].first != v->l->place[t.reader]) {
        return true;
    }
    for (unsigned p = 0; p < v->l->g->npred[t.reader]; p++) {
        bool in = linear_holds(v->l, loop, v->l->g->pred[t.reader][p]);
        inside += in;
        outside += !in;
    }
    return inside > 1 || outside > 1;
}

static void write_slot(struct vec *v, struct slot *s, const struct wide *w) {
    LLVMValueRef var = variable(v, s);
    bool divergent = v->l->island[v->node] != UINT32_MAX;
    if (is_scalar(s)) {
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

static void save_slot(struct vec *v, struct slot *s) {
    struct wide *w = read_slot(v, s);
    LLVMValueRef at = cut_slot_address(v->c, s);
    if (!vec_fits(s->type) && !(is_scalar(s) && !v->c->any_guard)) {
        for (unsigned i = 0; i < v->width; i++) {
            LLVMValueRef lane = ir_offset(v->b, at, ir_const64(v->llvm, i * s->bytes), "");
            LLVMValueRef value = wide_lane(v, w, i);
            if (v->mask) { /* a lane that is off has no room of its own beyond the row's end */
                LLVMValueRef bit = LLVMBuildExtractElement(
                    v->b, v->mask, LLVMConstInt(LLVMInt32TypeInContext(v->llvm), i, 0), "");
                LLVMValueRef old = LLVMBuildLoad2(v->b, s->type, lane, "");
                value = LLVMBuildSelect(v->b, bit, value, old, "");
            }
            LLVMSetAlignment(LLVMBuildStore(v->b, value, lane), cut_alignment(s->bytes));
        }
        return;
    }
    if (is_scalar(s) && !v->c->any_guard) { /* lane 0 is on in every pack that will read it back */
        LLVMValueRef scalar = w->value;
        scalar = is_bit(s->type) ? LLVMBuildZExt(v->b, scalar, LLVMInt8TypeInContext(v->llvm), "") : scalar;
        LLVMSetAlignment(LLVMBuildStore(v->b, scalar, at), cut_alignment(s->bytes));
        return;
    }
    LLVMValueRef value = wide_vector(v, w, s->type);
    if (is_bit(s->type)) {
        value = LLVMBuildZExt(v->b, value, vec_type(v, LLVMInt8TypeInContext(v->llvm)), "");
    }
    access_write(v, value, at, cut_alignment(s->bytes), v->mask, MEMORY_CONTEXT);
}

static void restore_slot(struct vec *v, struct slot *s) {
    LLVMValueRef at = cut_slot_address(v->c, s), var = variable(v, s);
    LLVMTypeRef stored = is_bit(s->type) ? LLVMInt8TypeInContext(v->llvm) : s->type;
    if (is_scalar(s)) { /* the first active lane's, taken back to lane 0 */
        LLVMValueRef lane = LLVMBuildZExt(v->b, vec_first(v, v->base), LLVMInt64TypeInContext(v->llvm), "");
        LLVMValueRef offset = LLVMBuildMul(v->b, lane, ir_const64(v->llvm, s->bytes), "");
        LLVMValueRef value = LLVMBuildLoad2(v->b, stored, ir_offset(v->b, at, offset, ""), "");
        LLVMValueRef back = LLVMBuildMul(v->b, lane, ir_const64(v->llvm, (uint64_t)-s->stride), "");
        LLVMSetAlignment(value, cut_alignment(s->bytes));
        if (LLVMGetTypeKind(s->type) == LLVMPointerTypeKind) {
            value = LLVMBuildGEP2(v->b, LLVMInt8TypeInContext(v->llvm), value, &back, 1, "");
        } else if (is_bit(s->type)) {
            value = LLVMBuildTrunc(v->b, value, s->type, "");
        } else if (s->stride) {
            value = LLVMBuildAdd(v->b, value, LLVMBuildTruncOrBitCast(v->b, back, s->type, ""), "");
        }
        LLVMBuildStore(v->b, value, var);
        return;
    }
    if (vec_fits(s->type)) {
        LLVMValueRef value = access_read(v, stored, at, cut_alignment(s->bytes), NULL, MEMORY_CONTEXT);
        keep(v, is_bit(s->type) ? LLVMBuildTrunc(v->b, value, mask_type(v), "") : value, var);
        return;
    }
    for (unsigned i = 0; i < v->width; i++) {
        LLVMValueRef lane = ir_offset(v->b, at, ir_const64(v->llvm, i * s->bytes), "");
        LLVMValueRef value = LLVMBuildLoad2(v->b, s->type, lane, "");
        LLVMSetAlignment(value, cut_alignment(s->bytes));
        LLVMBuildStore(v->b, value, lane_variable(v, s, i));
    }
}

static void place_array(struct vec *v, struct slot *s) {
    LLVMValueRef base;
    LLVMTypeRef bytes = LLVMArrayType2(LLVMInt8TypeInContext(v->llvm), s->bytes * v->width);
    if (s->crosses) {
        base = cut_slot_address(v->c, s);
    } else if (s->fixed) {
        base = ir_offset(v->b, v->c->context, ir_const64(v->llvm, s->offset), "");
    } else {
        if (!s->wide) {
            s->wide = vec_variable(v, bytes, "private");
            LLVMSetAlignment(s->wide, cut_alignment(s->bytes) > 64 ? cut_alignment(s->bytes) : 64);
        }
        base = s->wide;
    }
    wide_set(v, s->var, wide_new(FORM_AFFINE, base, (int64_t)(s->grain ? s->grain : s->bytes)));
}

/* ---- the beginning and the ends of a region ---- */

static void begin(struct vec *v, LLVMValueRef *snapshots) {
    struct cut *c = v->c;
    for (unsigned n = 0; n < c->slots.n; n++) {
        struct slot *s = &c->slots.at[n];
        if (s->is_array) {
            place_array(v, s);
        } else if (snapshots[n]) {
            LLVMBuildStore(v->b, snapshots[n], variable(v, s));
        } else if (s->crosses && v->r->barrier && bit_at(c->slots.live_in[v->r->start], n)) {
            restore_slot(v, s);
        } else if (bit_at(v->r->stored, n)) { /* what earlier packs left would seem to be of use to blends */
            LLVMValueRef var = variable(v, s);
            LLVMBuildStore(v->b, LLVMGetPoison(LLVMGetAllocatedType(var)), var);
        }
    }
}

/* The same number in every lane. */
static LLVMValueRef in_all_lanes(struct vec *v, uint32_t number) {
    LLVMValueRef parts[64];
    for (unsigned i = 0; i < v->width; i++) {
        parts[i] = LLVMConstInt(LLVMInt32TypeInContext(v->llvm), number, 0);
    }
    return LLVMConstVector(parts, v->width);
}

static LLVMValueRef reduce(struct vec *v, const char *how, LLVMValueRef mask, LLVMValueRef states,
                           uint32_t otherwise) {
    LLVMTypeRef type = LLVMTypeOf(states);
    LLVMValueRef votes = LLVMBuildSelect(v->b, mask, states, in_all_lanes(v, otherwise), "");
    return vec_intrinsic(v, how, &type, 1, &votes, 1);
}

/* Only lanes that wait for this region run; where all wait elsewhere, the pack is done. */
static void guard(struct vec *v) {
    struct cut *c = v->c;
    LLVMValueRef at = cut_context_address(c, c->state_offset, 4, "state");
    LLVMValueRef states = access_read(v, LLVMInt32TypeInContext(v->llvm), at, 4, NULL, MEMORY_CONTEXT);
    LLVMValueRef region = in_all_lanes(v, (uint32_t)(v->r - c->regions));
    LLVMValueRef ours = LLVMBuildICmp(v->b, LLVMIntEQ, states, region, "");
    LLVMValueRef theirs = vec_and(v, v->base, LLVMBuildNot(v->b, ours, ""));
    cut_vote(c, reduce(v, "llvm.vector.reduce.umin", theirs, states, DONE),
             reduce(v, "llvm.vector.reduce.umax", theirs, states, 0));
    v->mask = v->base = vec_and(v, v->base, ours);
    LLVMBasicBlockRef run = new_block(v, "ours");
    LLVMBuildCondBr(v->b, vec_any(v, v->base), run, c->packs.latch);
    LLVMPositionBuilderAtEnd(v->b, run);
}

static void leave(struct vec *v, unsigned to) {
    struct cut *c = v->c;
    for (unsigned n = 0; to < c->nregions && n < c->slots.n; n++) {
        struct slot *s = &c->slots.at[n];
        if (s->is_array || !s->crosses || !bit_at(v->r->stored, n) ||
            !bit_at(c->slots.live_in[c->regions[to].start], n)) {
            continue;
        }
        if (s->uniform) {
            LLVMBuildStore(v->b, LLVMBuildLoad2(v->b, s->type, variable(v, s), ""), s->shared);
        } else {
            save_slot(v, s);
        }
    }
    uint32_t number = to < c->nregions ? to : DONE;
    LLVMValueRef state = LLVMConstInt(LLVMInt32TypeInContext(v->llvm), number, 0);
    if (cut_keeps_state(c, v->r, to)) {
        LLVMValueRef at = cut_context_address(c, c->state_offset, 4, "state");
        access_write(v, in_all_lanes(v, number), at, 4, v->mask, MEMORY_CONTEXT);
        cut_vote(c, state, state);
    } else if (v->r->nexits > 1) {
        LLVMBuildStore(v->b, state, c->next);
    }
}

/* ---- control flow ---- */

static bool is_divergent(const struct vec *v, unsigned node) {
    return v->l->island[node] != UINT32_MAX;
}

/* Where an island's code begins. */
static LLVMBasicBlockRef head(struct vec *v, unsigned island) {
    return v->label[v->l->order[island][0]];
}

static void wait_at(struct vec *v, unsigned node, LLVMValueRef lanes) {
    LLVMBuildStore(v->b, LLVMBuildOr(v->b, pending(v, node), kept_full(v, lanes), ""), v->pending[node]);
}

/* Goes on at a node with all lanes of the pack. */
static void go(struct vec *v, unsigned node) {
    if (is_divergent(v, node)) {
        wait_at(v, node, v->base ? to_kept(v, v->base) : NULL);
        LLVMBuildBr(v->b, head(v, v->l->island[node]));
    } else {
        LLVMBuildBr(v->b, v->label[node]);
    }
}

/* The current island is done: all lanes go on together. */
static void leave_island(struct vec *v, unsigned island) {
    if (v->l->after[island] == UINT32_MAX) {
        LLVMBuildBr(v->b, v->c->packs.latch);
    } else {
        go(v, v->l->after[island]);
    }
}

/* Lanes that wait at nodes of the span: they came around. *only: the node where all do, or UINT32_MAX. */
static LLVMValueRef waiting_in(struct vec *v, const struct span *s, unsigned *only) {
    unsigned nodes = 0;
    LLVMValueRef waiting = LLVMConstNull(kept_mask_type(v));
    for (unsigned p = s->first; p <= s->last; p++) {
        unsigned node = v->l->order[s->island][p];
        bool retreats = false;
        for (unsigned i = 0; i < v->l->g->npred[node]; i++) {
            unsigned from = v->l->g->pred[node][i];
            retreats |=
                v->l->island[from] == s->island && v->l->place[from] >= p && v->l->place[from] <= s->last;
        }
        if (retreats) {
            waiting = LLVMBuildOr(v->b, waiting, pending(v, node), "");
            *only = nodes++ ? UINT32_MAX : node;
        }
    }
    return waiting;
}

/* Behind a divergent node: around its loops, then to the next node of its island. */
static void go_behind(struct vec *v, unsigned node) {
    unsigned island = v->l->island[node], place = v->l->place[node];
    for (unsigned s = v->l->innermost[node]; s != UINT32_MAX && v->l->spans[s].last == place;
         s = v->l->spans[s].parent) {
        LLVMBasicBlockRef out = new_block(v, "left");
        unsigned first = v->l->order[island][v->l->spans[s].first], only = UINT32_MAX;
        LLVMValueRef waiting = waiting_in(v, &v->l->spans[s], &only);
        bool runs = only == first && v->run[first];
        LLVMValueRef any = vec_any(v, from_kept(v, waiting, LLVMInt1TypeInContext(v->llvm)));
        LLVMBuildCondBr(v->b, any, runs ? v->run[first] : v->label[first], out);
        LLVMPositionBuilderAtEnd(v->b, out);
    }
    if (place + 1 < v->l->length[island]) {
        LLVMBuildBr(v->b, v->label[v->l->order[island][place + 1]]);
    } else {
        leave_island(v, island);
    }
}

/* The condition in each lane. In lanes that are off it may be poison, which an `and` would hand on. */
static LLVMValueRef condition_of(struct vec *v, LLVMValueRef condition, LLVMValueRef mask) {
    LLVMValueRef c = wide_vector(v, wide_of(v, condition), LLVMTypeOf(condition));
    return mask ? LLVMBuildFreeze(v->b, c, "") : c;
}

static void end_divergent(struct vec *v, LLVMValueRef end, unsigned node) {
    unsigned n = v->l->g->nsucc[node];
    LLVMValueRef lanes[2] = {v->kept, v->kept};
    if (n == 2) {
        LLVMValueRef condition = LLVMGetCondition(end);
        LLVMValueRef c = to_kept(v, condition_of(v, condition, v->mask));
        lanes[0] = vec_and(v, v->kept, c);
        lanes[1] = vec_and(v, v->kept, LLVMBuildNot(v->b, c, ""));
    }
    for (unsigned s = 0; s < n; s++) {
        unsigned to = v->l->g->succ[node][s];
        if (v->l->island[to] == v->l->island[node]) {
            wait_at(v, to, lanes[s]);
        }
    }
    go_behind(v, node);
}

/* Whether lanes come to the island from this node alone: then it dominates the island's code. */
static bool is_only_entry(const struct vec *v, unsigned node, unsigned island) {
    const struct linear *l = v->l;
    for (unsigned place = 0; place < l->length[island]; place++) {
        unsigned to = l->order[island][place];
        if (to == 0) { /* where the pack begins */
            return false;
        }
        for (unsigned p = 0; p < l->g->npred[to]; p++) {
            unsigned from = l->g->pred[to][p];
            if (l->island[from] != island && from != node) {
                return false;
            }
        }
    }
    return true;
}

/* Whether successor s is where the lanes of a branch meet, and not in the island that it opens. Lanes of other
 * branches may wait there: then it lies in an island of its own. */
static bool meets_at(const struct vec *v, const unsigned *succ, unsigned s) {
    return !is_divergent(v, succ[s]) ||
           (is_divergent(v, succ[!s]) && v->l->after[v->l->island[succ[!s]]] == succ[s]);
}

static void end_uniform(struct vec *v, LLVMValueRef end, unsigned node) {
    unsigned n = v->l->g->nsucc[node], *succ = v->l->g->succ[node];
    if (n == 0) {
        LLVMBuildUnreachable(v->b);
        return;
    }
    if (n == 1) {
        go(v, succ[0]);
        return;
    }
    LLVMValueRef condition = LLVMGetCondition(end);
    const struct wide *w = wide_of(v, condition);
    if (!is_divergent(v, succ[0]) && !is_divergent(v, succ[1]) && w->form == FORM_UNIFORM) {
        LLVMBuildCondBr(v->b, w->value, v->label[succ[0]], v->label[succ[1]]);
        return;
    }
    if (w->form == FORM_UNIFORM) {
        LLVMBasicBlockRef arms[] = {new_block(v, "then"), new_block(v, "else")};
        LLVMBuildCondBr(v->b, w->value, arms[0], arms[1]);
        for (unsigned s = 0; s < 2; s++) {
            LLVMPositionBuilderAtEnd(v->b, arms[s]);
            go(v, succ[s]);
        }
        return;
    }
    LLVMValueRef c = condition_of(v, condition, v->base);
    unsigned island = UINT32_MAX, meet = succ[0];
    for (unsigned s = 0; s < 2; s++) {
        if (meets_at(v, succ, s)) {
            meet = succ[s];
            continue;
        }
        island = v->l->island[succ[s]];
        wait_at(v, succ[s], to_kept(v, vec_and(v, v->base, s ? LLVMBuildNot(v->b, c, "") : c)));
        if (v->l->g->npred[succ[s]] == 1 && is_only_entry(v, node, island)) {
            LLVMValueRef any = s ? w->all : w->any, all = s ? w->any : w->all;
            v->any[succ[s]] = any && s ? LLVMBuildNot(v->b, any, "") : any;
            if (!v->base) { /* else there are lanes beyond the row's end */
                v->all[succ[s]] = all && s ? LLVMBuildNot(v->b, all, "") : all;
            }
        }
    }
    LLVMBuildBr(v->b, island == UINT32_MAX ? v->label[meet] : head(v, island));
}

/* ---- nodes ---- */

/* Whether running the divergent block for no lane at all is wrong or a waste. */
static bool needs_branch(struct vec *v, LLVMBasicBlockRef block, unsigned node) {
    unsigned span = v->l->innermost[node], count = 0;
    if (span != UINT32_MAX && v->l->spans[span].first == v->l->place[node]) {
        return true;
    }
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
        struct slot *slot = slots_of_access(&v->c->slots, i);
        if (slot && !slot->is_array) {
            if (LLVMIsAStoreInst(i) && is_scalar(slot)) {
                return true;
            }
            continue;
        }
        switch (LLVMGetInstructionOpcode(i)) {
        case LLVMLoad:
        case LLVMStore:
        case LLVMAtomicRMW:
        case LLVMAtomicCmpXchg:
        case LLVMFence:
        case LLVMUDiv:
        case LLVMSDiv:
        case LLVMURem:
        case LLVMSRem:
        case LLVMFDiv:
            return true;
        case LLVMCall:
            if ((lanes_is(i) && !lanes_is_place(i)) ||
                (!ir_is_intrinsic(i, "__weir_") && !ir_is_intrinsic(i, "llvm."))) {
                return true;
            }
            break;
        default:
            break;
        }
        count++;
    }
    return count > SHORT_BLOCK;
}

static void emit_block(struct vec *v, LLVMBasicBlockRef block) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i != end; i = LLVMGetNextInstruction(i)) {
        struct slot *slot = slots_of_access(&v->c->slots, i);
        LLVMMetadataRef location = LLVMInstructionGetDebugLoc(i);
        LLVMSetCurrentDebugLocation2(v->b, location);
        if (cut_is_dropped(i)) {
            continue;
        }
        if (slot && !slot->is_array && LLVMIsALoadInst(i)) {
            wide_set(v, i, read_slot(v, slot));
        } else if (slot && !slot->is_array) {
            write_slot(v, slot, wide_of(v, LLVMGetOperand(i, 0)));
        } else {
            widen_instruction(v, i);
        }
    }
    LLVMSetCurrentDebugLocation2(v->b, NULL);
}

static LLVMValueRef all_on(struct vec *v, LLVMValueRef mask) {
    LLVMValueRef bits = bits_of(v, mask);
    return LLVMBuildICmp(v->b, LLVMIntEQ, bits, LLVMConstAllOnes(LLVMTypeOf(bits)), "all");
}

/* Whether the block is worth a second version for when all lanes are on: masks make its accesses dear. */
static bool gains_from_full(struct vec *v, LLVMBasicBlockRef block) {
    unsigned accesses = 0, count = 0;
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
        struct slot *slot = slots_of_access(&v->c->slots, i);
        accesses += (LLVMIsALoadInst(i) || LLVMIsAStoreInst(i)) && (!slot || slot->is_array);
        count++;
    }
    return accesses && count <= LONG_BLOCK;
}

/* The block's instructions and where they lead, under v->mask. */
static void emit_body(struct vec *v, LLVMBasicBlockRef block, unsigned node) {
    emit_block(v, block);
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    if (is_divergent(v, node)) {
        end_divergent(v, end, node);
    } else {
        end_uniform(v, end, node);
    }
}

static void emit_exit_node(struct vec *v, unsigned node) {
    leave(v, node - v->l->nblocks);
    if (is_divergent(v, node)) {
        go_behind(v, node);
    } else {
        LLVMBuildBr(v->b, v->c->packs.latch);
    }
}

static void emit_node(struct vec *v, unsigned node) {
    bool is_exit = node >= v->l->nblocks, branches = false;
    LLVMBasicBlockRef block = is_exit ? NULL : v->c->blocks[(uintptr_t)v->r->blocks.at[node]];
    v->node = node;
    v->mask = v->base;
    LLVMPositionBuilderAtEnd(v->b, v->label[node]);
    if (is_divergent(v, node)) {
        v->kept = pending(v, node);
        v->mask = from_kept(v, v->kept, LLVMInt1TypeInContext(v->llvm));
        branches = is_exit || needs_branch(v, block, node);
        if (branches) {
            LLVMBasicBlockRef run = new_block(v, "run"), over = new_block(v, "over");
            LLVMValueRef any = v->any[node] ? v->any[node] : vec_any(v, v->mask);
            LLVMBuildCondBr(v->b, any, run, over);
            LLVMPositionBuilderAtEnd(v->b, over);
            go_behind(v, node);
            LLVMPositionBuilderAtEnd(v->b, run);
            v->run[node] = run;
            v->kept = pending(v, node); /* also from the end of its loop */
            v->mask = from_kept(v, v->kept, LLVMInt1TypeInContext(v->llvm));
        }
        LLVMBuildStore(v->b, LLVMConstNull(kept_mask_type(v)), v->pending[node]);
    }
    if (is_exit) {
        emit_exit_node(v, node);
        return;
    }
    if (branches && gains_from_full(v, block)) {
        LLVMBasicBlockRef full = new_block(v, "full"), part = new_block(v, "part");
        LLVMValueRef mask = v->mask, kept = v->kept;
        LLVMBuildCondBr(v->b, v->all[node] ? v->all[node] : all_on(v, mask), full, part);
        LLVMPositionBuilderAtEnd(v->b, full);
        v->mask = v->kept = NULL;
        emit_body(v, block, node);
        v->mask = mask;
        v->kept = kept;
        LLVMPositionBuilderAtEnd(v->b, part);
    }
    emit_body(v, block, node);
}

/* Lanes beyond the row's end are off. */
static LLVMValueRef row_mask(struct vec *v) {
    LLVMValueRef size = v->c->packs.size[0], parts[64];
    if (LLVMIsAConstantInt(size) && LLVMConstIntGetZExtValue(size) % v->width == 0) {
        return NULL;
    }
    LLVMTypeRef i32 = LLVMInt32TypeInContext(v->llvm);
    for (unsigned i = 0; i < v->width; i++) {
        parts[i] = LLVMConstInt(i32, i, 0);
    }
    LLVMValueRef left = LLVMBuildSub(v->b, size, v->c->packs.local_id[0], "");
    LLVMValueRef lanes = wide_vector(v, wide_new(FORM_UNIFORM, LLVMBuildTrunc(v->b, left, i32, ""), 0), i32);
    return LLVMBuildICmp(v->b, LLVMIntULT, LLVMConstVector(parts, v->width), lanes, "row");
}

void vector_region(struct cut *c, struct region *r, LLVMValueRef *snapshots, bool apart) {
    struct vec *v = job_alloc(sizeof *v);
    *v = (struct vec){
        .c = c, .r = r, .k = c->k, .llvm = c->k->llvm, .b = c->b, .width = c->k->width, .apart = apart};
    v->l = linear_of(c, r, c->pack);
    v->base = v->mask = row_mask(v);
    if (apart) {
        guard(v);
    }
    begin(v, snapshots);
    unsigned n = v->l->g->n;
    v->pending = job_alloc(n * sizeof *v->pending);
    v->label = job_alloc(n * sizeof *v->label);
    v->run = job_alloc(n * sizeof *v->run);
    v->any = job_alloc(n * sizeof *v->any);
    v->all = job_alloc(n * sizeof *v->all);
    for (unsigned node = 0; node < n; node++) {
        bool is_exit = node >= v->l->nblocks;
        if (is_exit && !r->is_exit[node - v->l->nblocks]) {
            continue;
        }
        v->label[node] = new_block(v, is_exit ? "exit" : "node");
        if (is_divergent(v, node)) {
            v->pending[node] = vec_variable(v, kept_mask_type(v), "pending");
            LLVMBuildStore(v->b, LLVMConstNull(kept_mask_type(v)), v->pending[node]);
        }
    }
    go(v, 0);
    for (unsigned node = 0; node < n; node++) {
        if (v->label[node]) {
            emit_node(v, node);
        }
    }
}
