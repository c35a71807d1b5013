/* offsets.c: accesses of a pack whose elements lie at known distances from each other, in any order: without a look at run
 * time, a gather or a scatter.
 *
 * In: an access and each lane's distance from lane 0's element (struct wide: `at`; analysis/lane_alignment.c has the proof of
 * them). Out: what takes the fewest instructions of
 *   pieces   lanes in groups of 4 or 8 that lie in a row each: one short vector per group; padded rows, rows of a tile that
 *            are shorter than a pack
 *   vectors  all that lies between the lowest element and the highest, and shuffles: xor, fields of bits, a few elements
 *            apart, several lanes for one element; a store writes those elements alone, or in memory that only this
 *            thread uses (access_is_own) those between as they were
 * or nothing: then the elements are too far apart. Lanes that are off may be any, the first among them.
 *     l / 8 * 9 + l % 8, W = 16:   0 to 7, 9 to 16          two pieces of 8
 *     l ^ 1, W = 4:                1 0 3 2                  one vector, <1, 0, 3, 2>
 *     2 * l + 1, W = 4:            1 3 5 7                  two vectors, <1, 3, 5, 7> */
#include "vector.h"

enum { MOST_VECTORS = 4, DEPTH = 6 };

struct places {
    unsigned at[64];    /* of each lane's element from the lowest one, in elements */
    unsigned span;      /* from the lowest to the highest, both included */
    unsigned piece;     /* lanes that lie in a row together */
    int64_t lowest;     /* from lane 0's to the lowest, in bytes */
    LLVMValueRef start; /* the lowest one's address */
};

int64_t offsets_of_lane(const struct wide *p, unsigned lane) {
    return p->form == FORM_AFFINE ? p->stride * lane : p->at[lane];
}

/* Whether what lies around the elements may be read and written back, too. Private arrays are variables to LLVM, which goes by
 * where they end. */
static bool has_margin(const struct access *a) {
    return a->kind == MEMORY_LOCAL;
}

/* What constants add to the number: 3 of 2 * l + 3, 2 of (2 * l + 1) << 1. */
static int64_t constant_in(LLVMValueRef x, unsigned depth) {
    while (LLVMIsAZExtInst(x) || LLVMIsASExtInst(x)) {
        x = LLVMGetOperand(x, 0);
    }
    if (LLVMIsAConstantInt(x)) {
        return LLVMConstIntGetSExtValue(x);
    }
    if (!LLVMIsABinaryOperator(x) || !depth) {
        return 0;
    }
    LLVMValueRef y = LLVMGetOperand(x, 1);
    int64_t c = LLVMIsAConstantInt(y) ? LLVMConstIntGetSExtValue(y) : 0, most = 1 << 20;
    switch (LLVMGetInstructionOpcode(x)) {
    case LLVMOr:
        if (!LLVMGetIsDisjoint(x)) {
            return 0;
        } /* fall through */
    case LLVMAdd:
        return constant_in(LLVMGetOperand(x, 0), depth - 1) + constant_in(y, depth - 1);
    case LLVMShl:
        return c < 20 ? constant_in(LLVMGetOperand(x, 0), depth - 1) * (INT64_C(1) << c) : 0;
    case LLVMMul:
        return c < most && c > -most ? constant_in(LLVMGetOperand(x, 0), depth - 1) * c : 0;
    default:
        return 0;
    }
}

/* The elements that constants in the index add. */
static int64_t constant_part(struct vec *v, const struct access *a, unsigned depth) {
    struct gep_step steps[GEP_STEPS];
    uint64_t bytes = 0;
    for (LLVMValueRef p = a->at; LLVMIsAGetElementPtrInst(p); p = LLVMGetOperand(p, 0)) {
        unsigned n = ir_gep_steps(LLVMGetModuleDataLayout(v->k->module), p, steps);
        for (unsigned i = 0; i < n; i++) {
            LLVMValueRef x = steps[i].index;
            bytes += steps[i].bytes * (x ? (uint64_t)constant_in(x, depth) : 1);
        }
    }
    return (int64_t)bytes / a->size;
}

/* Lanes in each of the vectors, the most that the elements between the lowest and the highest fill. */
static unsigned length_of(struct vec *v, const struct places *s) {
    unsigned n = v->width;
    while (n > s->span) {
        n /= 2;
    }
    return n;
}

static unsigned count_of(struct vec *v, const struct places *s) {
    return (s->span + length_of(v, s) - 1) / length_of(v, s);
}

/* Whether vectors that begin so many elements before the lowest, and end so many behind the highest, are no more. */
static bool has_room(struct vec *v, const struct places *s, int64_t before, int64_t behind) {
    struct places longer = *s;
    if (before > v->width || behind > v->width || s->span <= v->width) {
        return false;
    }
    longer.span += (unsigned)(before + behind);
    return count_of(v, &longer) <= count_of(v, s);
}

/* Elements before the lowest one at which vectors begin that the access shares with others: as of a[2 * l] and a[2 * l + 1],
 * which are evenly apart, or where vectors have room, as of a[x] and a[x + 4], or a[x - 4], with x = 2 * l - (l & 3). */
static int64_t shared_before(struct vec *v, const struct access *a, const struct places *s) {
    unsigned apart = s->at[1] > s->at[0] ? s->at[1] - s->at[0] : s->at[0] - s->at[1];
    for (unsigned i = 1; i < v->width; i++) {
        apart = s->at[i] - s->at[i - 1] == apart ? apart : 1;
    }
    bool is_even = apart >= 2 && apart <= MOST_VECTORS;
    int64_t every = is_even ? apart : v->width;
    const struct near *near = (const struct near *)ptrmap_at(&v->wg->near, a->instruction, 0);
    if (near && !is_even && near->least % a->size == 0 && near->most % a->size == 0 &&
        has_room(v, s, -near->least / a->size, near->most / a->size)) {
        return -near->least / a->size;
    }
    int64_t before = apart < 2 || is_even ? constant_part(v, a, is_even ? DEPTH : 1) % every : 0;
    before = before < 0 ? before + every : before;
    return is_even || has_room(v, s, before, 0) ? before : 0;
}

/* What is read and written in the same vectors LLVM then keeps in registers, or at least gets from the stores before. *lowest
 * becomes the place where those begin. */
static void begin_together(struct vec *v, const struct access *a, struct places *s, int64_t *lowest) {
    int64_t before = shared_before(v, a, s);
    for (unsigned i = 0; i < v->width; i++) {
        s->at[i] += (unsigned)before;
    }
    s->span += (unsigned)before;
    *lowest -= before * a->size;
}

/* False: they are too far apart, or not by whole elements. */
static bool find_places(struct vec *v, const struct access *a, const struct wide *p, struct places *s) {
    int64_t highest = 0;
    s->lowest = 0;
    for (unsigned i = 0; i < v->width; i++) {
        s->lowest = offsets_of_lane(p, i) < s->lowest ? offsets_of_lane(p, i) : s->lowest;
        highest = offsets_of_lane(p, i) > highest ? offsets_of_lane(p, i) : highest;
    }
    if (s->lowest < -(1 << 30) || highest > 1 << 30) {
        return false;
    }
    for (unsigned i = 0; i < v->width; i++) {
        if ((offsets_of_lane(p, i) - s->lowest) % a->size) {
            return false;
        }
        s->at[i] = (unsigned)((offsets_of_lane(p, i) - s->lowest) / a->size);
    }
    s->span = (unsigned)((highest - s->lowest) / a->size) + 1;
    for (s->piece = v->width; s->piece > 1; s->piece /= 2) {
        unsigned i = 0;
        while (i < v->width && s->at[i] == s->at[i - i % s->piece] + i % s->piece) {
            i++;
        }
        if (i == v->width) {
            break;
        }
    }
    if (has_margin(a)) {
        begin_together(v, a, s, &s->lowest);
    }
    return true;
}

static bool are_distinct(struct vec *v, const struct places *s) {
    for (unsigned i = 0; i < v->width; i++) {
        for (unsigned k = 0; k < i; k++) {
            if (s->at[i] == s->at[k]) {
                return false;
            }
        }
    }
    return true;
}

static LLVMValueRef address_at(struct vec *v, const struct access *a, const struct places *s,
                               unsigned place) {
    return ir_offset(v->b, s->start, ir_const64(v->llvm, (uint64_t)a->size * place), "");
}

/* The alignment of an element that far from another one. */
static unsigned align_at(const struct access *a) {
    return a->align < (unsigned)a->size ? a->align : (unsigned)a->size;
}

/* ---- pieces ---- */

static LLVMValueRef read_pieces(struct vec *v, const struct access *a, const struct places *s) {
    LLVMValueRef pieces[64];
    for (unsigned i = 0; i < v->width; i += s->piece) {
        pieces[i / s->piece] =
            access_read_some(v, LLVMVectorType(a->type, s->piece), address_at(v, a, s, s->at[i]), align_at(a),
                             vec_some(v, v->mask, i, s->piece), a->kind);
    }
    return weave_joined(v, pieces, v->width / s->piece, s->piece);
}

static void write_pieces(struct vec *v, const struct access *a, const struct places *s, LLVMValueRef value) {
    for (unsigned i = 0; i < v->width; i += s->piece) {
        access_write(v, vec_some(v, value, i, s->piece), address_at(v, a, s, s->at[i]), align_at(a),
                     vec_some(v, v->mask, i, s->piece), a->kind);
    }
}

/* ---- vectors ---- */

/* Where nothing may be read but what lies between elements, the last vector ends with the highest. */
static LLVMValueRef read_vectors(struct vec *v, const struct access *a, const struct places *s) {
    unsigned n = length_of(v, s), count = count_of(v, s), order[64];
    unsigned last = has_margin(a) ? (count - 1) * n : s->span - n;
    LLVMValueRef vectors[64];
    for (unsigned i = 0; i < count; i++) {
        unsigned from = i + 1 < count ? i * n : last;
        vectors[i] = access_read_some(v, LLVMVectorType(a->type, n), address_at(v, a, s, from), align_at(a),
                                      NULL, a->kind);
    }
    for (unsigned i = 0; i < v->width; i++) {
        unsigned which = s->at[i] / n;
        order[i] = which + 1 < count ? s->at[i] : (count - 1) * n + s->at[i] - last;
    }
    return vec_shuffle(v, weave_joined(v, vectors, count, n), NULL, order, v->width);
}

/* Of the vector that begins with element `from`: the lane for each of its elements, and a mask of those that have one. */
static bool find_stored(struct vec *v, const struct places *s, unsigned from, unsigned *order,
                        LLVMValueRef *mask) {
    LLVMTypeRef bit = LLVMInt1TypeInContext(v->llvm);
    LLVMValueRef bits[64];
    unsigned stored = 0;
    for (unsigned i = 0; i < v->width; i++) {
        order[i] = i;
        bits[i] = LLVMConstInt(bit, 0, 0);
    }
    for (unsigned i = 0; i < v->width; i++) {
        if (s->at[i] >= from && s->at[i] < from + v->width) {
            order[s->at[i] - from] = i;
            bits[s->at[i] - from] = LLVMConstInt(bit, 1, 0);
            stored++;
        }
    }
    *mask = v->mask ? vec_shuffle(v, v->mask, NULL, order, v->width) : NULL;
    *mask = stored == v->width ? *mask : vec_and(v, *mask, LLVMConstVector(bits, v->width));
    return stored;
}

static void write_vectors(struct vec *v, const struct access *a, const struct places *s, LLVMValueRef value) {
    unsigned order[64];
    LLVMValueRef mask, lanes_on = v->mask;
    if (lanes_on && has_margin(a)) { /* what lanes have read before is at hand; a mask is costly to shuffle */
        value = LLVMBuildSelect(v->b, lanes_on, value, read_vectors(v, a, s), "");
        v->mask = NULL;
    }
    for (unsigned from = 0; from < s->span; from += v->width) {
        if (find_stored(v, s, from, order, &mask)) {
            LLVMValueRef ordered = vec_shuffle(v, value, NULL, order, v->width);
            access_write(v, ordered, address_at(v, a, s, from), align_at(a), mask, a->kind);
        }
    }
    v->mask = lanes_on;
}

/* ---- the choice ---- */

enum { NEVER = 1000 };

/* About how many instructions. */
static unsigned cost_of_pieces(struct vec *v, const struct access *a, const struct places *s) {
    bool own = access_is_own(a->kind), masks = v->k->target->has_mask_registers;
    bool is_masked_well = !v->mask || (own ? s->span * a->size <= WEIR_ARENA_MARGIN : masks);
    unsigned n = v->width / s->piece;
    return s->piece * a->size < 8 || !is_masked_well ? NEVER : 2 * n - 1 + (v->mask ? n : 0);
}

static unsigned cost_of_vectors(struct vec *v, const struct access *a, const struct places *s, bool writes) {
    const struct target *t = v->k->target;
    bool own = access_is_own(a->kind), is_full = s->span == v->width;
    unsigned registers = (v->width * (unsigned)a->size * 8 + t->vector_bits - 1) / t->vector_bits;
    if (registers > 2 || s->span > MOST_VECTORS * v->width) {
        return NEVER;
    }
    unsigned n = count_of(v, s) * registers, shuffle = (a->size >= 4 ? 1 : 2) * registers;
    if (!writes) {
        unsigned joins = t->has_mask_registers ? n - 1 : 3 * (n - 1);
        return v->mask && !own ? NEVER : n + (n > 1 ? joins : shuffle);
    }
    if (own && !has_margin(a) && s->span % v->width) {
        return NEVER;
    }
    if (!are_distinct(v, s) || (!own && !t->has_mask_registers && (v->mask || !is_full))) {
        return NEVER;
    }
    return n * (shuffle + (own && !is_full ? 3 : 1) + (v->mask ? 1 : 0));
}

static bool are_pieces_best(struct vec *v, const struct access *a, const struct places *s, bool writes) {
    return cost_of_pieces(v, a, s) <= cost_of_vectors(v, a, s, writes);
}

/* The same of an element at a time: without scatters a lane's element is taken out of its vector before the store, or put into it
 * after the load, and a mask chooses its address. */
static unsigned cost_of_lanes(struct vec *v, bool writes) {
    bool is_one = v->k->target->has_scatter, is_plain = !v->mask && !writes;
    return is_one ? v->width : is_plain ? v->width + v->width / 2 : v->mask ? 3 * v->width : 2 * v->width;
}

static bool find(struct vec *v, const struct access *a, const struct wide *p, bool writes, struct places *s) {
    bool may = a->n == 1 && (p->form == FORM_AFFINE || p->at) && find_places(v, a, p, s);
    unsigned most = cost_of_lanes(v, writes);
    return may && (cost_of_pieces(v, a, s) <= most || cost_of_vectors(v, a, s, writes) <= most);
}

bool offsets_may(struct vec *v, const struct access *a, const struct wide *p, bool writes) {
    struct places s;
    return find(v, a, p, writes, &s);
}

bool offsets_access(struct vec *v, const struct access *a, const struct wide *p, LLVMValueRef *part,
                    bool writes) {
    struct places s;
    if (!find(v, a, p, writes, &s)) {
        return false;
    }
    s.start = ir_offset(v->b, p->form == FORM_AFFINE ? p->value : p->first,
                        ir_const64(v->llvm, (uint64_t)s.lowest), "");
    bool is_best = are_pieces_best(v, a, &s, writes);
    if (writes) {
        is_best ? write_pieces(v, a, &s, *part) : write_vectors(v, a, &s, *part);
    } else {
        *part = is_best ? read_pieces(v, a, &s) : read_vectors(v, a, &s);
    }
    return true;
}
