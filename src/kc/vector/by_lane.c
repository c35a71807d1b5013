/* by_lane.c: accesses of a pack with an instruction or a few for each lane.
 *
 * In: an access whose lanes may lie anywhere, in `n` parts. Elements go one by one: faster than the gathers of processors with
 * short vectors, which have no scatters, and wherever a gather waits for stores. OpenCL vectors of 16 bytes and more
 * go in pieces of 16, which are transposed in registers: of as many lanes as a piece has elements, square by square.
 *     a[0] of lane 0:   x0 y0 z0 w0              x: x0 x1 x2 x3
 *             lane 1:   x1 y1 z1 w1              y: y0 y1 y2 y3
 *             lane 2:   x2 y2 z2 w2              z: z0 z1 z2 z3
 *             lane 3:   x3 y3 z3 w3              w: w0 w1 w2 w3     eight shuffles, for each 128 bits of a vector alike */
#include "vector.h"
#include <string.h>

/* The pointers, but for lanes that are off to a place that nobody reads. */
static LLVMValueRef off_lanes_elsewhere(struct vec *v, LLVMValueRef pointers, const struct access *a) {
    enum { LARGEST = 128 }; /* bytes of OpenCL's types; extended vectors may have more */
    uint64_t size = (uint64_t)a->size * a->n;
    LLVMTypeRef bytes = LLVMArrayType2(LLVMInt8TypeInContext(v->llvm), size > LARGEST ? size : LARGEST);
    LLVMTypeRef pointer = LLVMTypeOf(a->at);
    LLVMValueRef at = size > LARGEST ? vec_variable(v, bytes, "nowhere") : v->nowhere;
    if (!at) {
        at = v->nowhere = vec_variable(v, bytes, "nowhere");
    }
    LLVMSetAlignment(at, LARGEST);
    if (LLVMTypeOf(at) != pointer) {
        at = LLVMBuildAddrSpaceCast(v->b, at, pointer, "");
    }
    return LLVMBuildSelect(v->b, v->mask, pointers, wide_splat(v, at), "");
}

/* Whether lanes' addresses are constants away from a scalar. */
static bool are_constants_apart(const struct wide *p) {
    return p->form == FORM_AFFINE || (p->at && p->first);
}

/* Whether lanes that are off may read along, and write back what they have read: all lanes' elements lie, one beside the other,
 * in what is there around one that is on. */
static bool may_all_go(struct vec *v, const struct access *a, const struct wide *p) {
    int64_t size = a->size * a->n, least = 0, most = 0;
    if (a->kind != MEMORY_LOCAL || !are_constants_apart(p)) {
        return false;
    }
    for (unsigned i = 0; i < v->width; i++) {
        int64_t at = offsets_of_lane(p, i);
        least = at < least ? at : least;
        most = at > most ? at : most;
        for (unsigned k = 0; k < i; k++) {
            int64_t apart = at - offsets_of_lane(p, k);
            if (apart < size && -apart < size) {
                return false;
            }
        }
    }
    return most - least + size <= WEIR_ARENA_MARGIN;
}

/* Where a lane's element is: at one of the pointers; or at its number among an array's (half as long as pointers); or by how
 * far it is from the first lane's. */
struct lane_places {
    LLVMValueRef pointers, numbers, first;
    struct index x;
};

/* Whether the sum is that of its operands once they are extended as it is; says how they are. */
static bool is_sum_of_extended(struct index *x, LLVMValueRef sum) {
    bool is_wide = x->value == x->extended, stays = !is_wide && !x->is_signed && LLVMGetNNeg(x->extended);
    if (LLVMGetInstructionOpcode(sum) != LLVMAdd || is_wide) {
        return LLVMGetInstructionOpcode(sum) == LLVMAdd;
    }
    x->is_signed |= stays && LLVMGetNSW(sum);
    return x->is_signed ? LLVMGetNSW(sum) : LLVMGetNUW(sum);
}

/* Takes out of the number what all lanes add to it: for `a[i]`, `a[i + n]` and `a[i + 2 * n]` each lane's i leaves its vector
 * once. Gives that in bytes, or NULL. */
static LLVMValueRef shared_part(struct vec *v, struct index *x) {
    LLVMTypeRef i64 = LLVMInt64TypeInContext(v->llvm);
    LLVMValueRef ahead = NULL;
    while (LLVMIsAInstruction(x->value) && LLVMIsABinaryOperator(x->value)) {
        struct index split = *x;
        const struct wide *side[] = {wide_of(v, LLVMGetOperand(x->value, 0)),
                                     wide_of(v, LLVMGetOperand(x->value, 1))};
        unsigned shared = side[1]->form == FORM_UNIFORM;
        if (side[shared]->form != FORM_UNIFORM || side[!shared]->form != FORM_VECTOR ||
            !is_sum_of_extended(&split, x->value)) {
            break;
        }
        LLVMValueRef number = LLVMBuildIntCast2(v->b, side[shared]->value, i64, split.is_signed, "");
        LLVMValueRef bytes = LLVMBuildMul(v->b, number, ir_const64(v->llvm, x->bytes), "");
        ahead = ahead ? LLVMBuildAdd(v->b, ahead, bytes, "") : bytes;
        split.value = LLVMGetOperand(x->value, !shared);
        *x = split;
    }
    if (ahead && (LLVMIsASExtInst(x->value) || LLVMIsAZExtInst(x->value))) {
        x->is_signed = LLVMIsASExtInst(x->value);
        x->value = LLVMGetOperand(x->value, 0);
    }
    return ahead;
}

static struct lane_places find_lane_places(struct vec *v, const struct access *a, const struct wide *p) {
    struct lane_places at = {.first = p->form == FORM_AFFINE ? p->value : p->first};
    LLVMTypeRef pointer = LLVMTypeOf(a->at);
    if (v->mask) {
        at.pointers = off_lanes_elsewhere(v, wide_vector(v, p, pointer), a);
    } else if (!are_constants_apart(p) && contiguity_single_index(v, a, &at.x)) {
        at.x.ahead = shared_part(v, &at.x);
        at.numbers = wide_vector(v, wide_of(v, at.x.value), LLVMTypeOf(at.x.value));
    } else if (!are_constants_apart(p)) {
        at.pointers = wide_vector(v, p, pointer);
    }
    return at;
}

static LLVMValueRef lane_address(struct vec *v, const struct access *a, const struct wide *p,
                                 const struct lane_places *at, unsigned lane) {
    LLVMValueRef number = ir_const64(v->llvm, lane);
    if (at->pointers) {
        return LLVMBuildExtractElement(v->b, at->pointers, number, "");
    }
    if (at->numbers) {
        LLVMValueRef one = LLVMBuildExtractElement(v->b, at->numbers, number, "");
        return contiguity_address(v, a, &at->x, one);
    }
    return ir_offset(v->b, at->first, ir_const64(v->llvm, (uint64_t)offsets_of_lane(p, lane)), "");
}

/* One instruction for each element: faster than the gathers of processors with short vectors, which have no scatters. */
void by_lane_elements(struct vec *v, const struct access *a, const struct wide *p, LLVMValueRef *parts,
                      bool writes) {
    LLVMValueRef mask = v->mask;
    if (mask && may_all_go(v, a, p)) {
        LLVMValueRef *old = job_alloc(a->n * sizeof *old);
        v->mask = NULL;
        by_lane_elements(v, a, p, writes ? old : parts, false);
        for (unsigned i = 0; writes && i < a->n; i++) {
            old[i] = LLVMBuildSelect(v->b, mask, parts[i], old[i], "");
        }
        if (writes) {
            by_lane_elements(v, a, p, old, true);
        }
        v->mask = mask;
        return;
    }
    struct lane_places at = find_lane_places(v, a, p);
    for (unsigned i = 0; i < a->n; i++) {
        parts[i] = writes ? parts[i] : LLVMGetPoison(vec_type(v, a->type));
        for (unsigned lane = 0; lane < v->width; lane++) {
            LLVMValueRef number = ir_const64(v->llvm, lane), access;
            LLVMValueRef part = ir_const64(v->llvm, (uint64_t)a->size * i);
            LLVMValueRef address = ir_offset(v->b, lane_address(v, a, p, &at, lane), part, "");
            if (writes) {
                access = LLVMBuildStore(v->b, LLVMBuildExtractElement(v->b, parts[i], number, ""), address);
            } else {
                access = LLVMBuildLoad2(v->b, a->type, address, "");
                parts[i] = LLVMBuildInsertElement(v->b, parts[i], access, number, "");
            }
            LLVMSetAlignment(access, access_part_align(a, i));
            access_annotate(v, access, a->kind);
        }
    }
}

enum { PIECE = 16 }; /* bytes */

/* Whether lanes' OpenCL vectors consist of pieces, and the pack of squares of them. */
bool by_lane_has_pieces(struct vec *v, const struct access *a) {
    return a->n > 1 && a->size * a->n % PIECE == 0 && v->width % (PIECE / a->size) == 0;
}

/* The address of each lane's vector. */
static void find_addresses(struct vec *v, const struct access *a, const struct wide *p,
                           LLVMValueRef *address) {
    struct lane_places at = find_lane_places(v, a, p);
    for (unsigned lane = 0; lane < v->width; lane++) {
        address[lane] = lane_address(v, a, p, &at, lane);
    }
}

/* Where part number `first` lies, with which a piece begins. */
static LLVMValueRef piece_address(struct vec *v, const struct access *a, LLVMValueRef address,
                                  unsigned first) {
    return ir_offset(v->b, address, ir_const64(v->llvm, (uint64_t)a->size * first), "");
}

static void finish(struct vec *v, const struct access *a, LLVMValueRef instruction, unsigned first) {
    LLVMSetAlignment(instruction, access_part_align(a, first));
    access_annotate(v, instruction, a->kind);
}

static void read_pieces(struct vec *v, const struct access *a, LLVMValueRef *address, LLVMValueRef *parts) {
    const unsigned m = PIECE / (unsigned)a->size;
    LLVMValueRef pieces[64];
    for (unsigned first = 0; first < a->n; first += m) {
        for (unsigned i = 0; i < m; i++) { /* of each square, lane i */
            for (unsigned lane = i; lane < v->width; lane += m) {
                LLVMValueRef at = piece_address(v, a, address[lane], first);
                pieces[lane / m] = LLVMBuildLoad2(v->b, LLVMVectorType(a->type, m), at, "");
                finish(v, a, pieces[lane / m], first);
            }
            parts[first + i] = weave_joined(v, pieces, v->width / m, m);
        }
        weave_squares(v, parts + first, m);
    }
}

/* Lane by lane, as each has a line of the cache or two. */
static void write_pieces(struct vec *v, const struct access *a, LLVMValueRef *address, LLVMValueRef *parts) {
    const unsigned m = PIECE / (unsigned)a->size;
    LLVMValueRef *squares = job_alloc(a->n * sizeof *squares);
    unsigned order[PIECE];
    memcpy(squares, parts, a->n * sizeof *squares);
    for (unsigned first = 0; first < a->n; first += m) {
        weave_squares(v, squares + first, m);
    }
    for (unsigned lane = 0; lane < v->width; lane++) {
        for (unsigned i = 0; i < m; i++) {
            order[i] = lane / m * m + i;
        }
        for (unsigned first = 0; first < a->n; first += m) {
            LLVMValueRef piece = vec_shuffle(v, squares[first + lane % m], NULL, order, m);
            finish(v, a, LLVMBuildStore(v->b, piece, piece_address(v, a, address[lane], first)), first);
        }
    }
}

/* The OpenCL vectors of all lanes in pieces: less than a gather or scatter for each part. */
void by_lane_pieces(struct vec *v, const struct access *a, const struct wide *p, LLVMValueRef *parts,
                    bool writes) {
    LLVMValueRef address[64];
    find_addresses(v, a, p, address);
    writes ? write_pieces(v, a, address, parts) : read_pieces(v, a, address, parts);
}

/* Whether a load or store for each lane is better than a gather or scatter: for addresses that are constants away from a
 * scalar, and loads of what may have been stored a moment ago. */
bool by_lane_is_better(struct vec *v, const struct access *a, const struct wide *p, bool writes) {
    return v->k->target->has_slow_gather &&
           ((access_is_own(a->kind) && !writes) || (are_constants_apart(p) && !v->mask) ||
            (v->mask && may_all_go(v, a, p)));
}
