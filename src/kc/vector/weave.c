/* weave.c: OpenCL vectors of a pack as one vector, as memory has them, and as one vector for each part.
 *
 * In: n vectors of W elements, the parts. Out: one of n * W, the parts of each lane side by side. And back, and from one
 * type to another of the same size, which looks at lanes' bits (as_char4(x)). Also squares of elements, transposed. */
#include "vector.h"
#include <string.h>

enum { BLOCK = WEAVE_BLOCK };

static unsigned size_of(struct vec *v, LLVMTypeRef element) {
    return (unsigned)LLVMABISizeOfType(LLVMGetModuleDataLayout(v->k->module), element);
}

/* Whether four parts, each a register, are taken apart and put together by halves first: with two shuffles of two registers
 * each, where one by one takes three. */
static bool is_by_halves(struct vec *v, LLVMTypeRef element, unsigned n) {
    return n == 4 && size_of(v, element) * v->width * 8 == v->k->target->vector_bits;
}

/* ---- rows of blocks ---- */

/* How parts become blocks of 16 bytes, the most that processors without mask registers shuffle two registers to in one instruction,
 * and back. Blocks are rows; in registers of two blocks the second ones are a column of their own, for the upper half of
 * the lanes. Element i of the upper half of the rows next to element i of the lower half, over and over, brings the bits of an
 * element's number round: from [lane][part] to [part][lane] by as many rounds as the lanes' number has bits, back by those of the parts'. */
struct blocks {
    unsigned size, each;     /* of an element in bytes; elements in a block */
    unsigned lanes, columns; /* that go together; blocks in a register */
    unsigned rows;
};

static struct blocks blocks_of(struct vec *v, LLVMTypeRef element, unsigned n) {
    unsigned size = size_of(v, element), most = v->k->target->vector_bits / 8 / size;
    struct blocks b = {.size = size, .each = BLOCK / size};
    b.lanes = v->width < most ? v->width : most;
    b.columns = b.lanes * size > BLOCK ? 2 : 1;
    b.rows = b.lanes * n * size / BLOCK / b.columns;
    return b;
}

bool weave_has_blocks(struct vec *v, LLVMTypeRef element, unsigned n) {
    enum { LEAST_ROWS = 4, LEAST_BYTES = 8 }; /* of less, LLVM's shuffles are as good */
    return !v->k->target->has_mask_registers && n >= 4 && !(n & (n - 1)) &&
           n * size_of(v, element) >= LEAST_BYTES && blocks_of(v, element, n).rows >= LEAST_ROWS;
}

/* Elements of two rows in turns, the first half of each block or the second. */
static LLVMValueRef in_turns(struct vec *v, const struct blocks *b, LLVMValueRef x, LLVMValueRef y,
                             bool second) {
    unsigned order[64], length = b->each * b->columns;
    for (unsigned i = 0; i < length; i++) {
        order[i] = i % 2 * length + i / b->each * b->each + second * b->each / 2 + i % b->each / 2;
    }
    return vec_shuffle(v, x, y, order, length);
}

/* So many rounds of that for n rows. */
static void take_turns(struct vec *v, const struct blocks *b, LLVMValueRef *rows, unsigned n,
                       unsigned rounds) {
    LLVMValueRef *next = job_alloc(n * sizeof *next);
    for (unsigned round = 1; round < rounds; round *= 2) {
        for (unsigned i = 0; i < n; i++) {
            next[i] = in_turns(v, b, rows[i / 2], rows[n / 2 + i / 2], i % 2);
        }
        memcpy(rows, next, n * sizeof *rows);
    }
}

/* Blocks and what was made of them: who wants them again, as a copy does, takes them. */
struct woven {
    LLVMValueRef *blocks, *parts;
    unsigned n;
};

static void keep(struct vec *v, LLVMValueRef *blocks, LLVMValueRef *parts, unsigned n) {
    unsigned count = v->width * n * size_of(v, LLVMGetElementType(LLVMTypeOf(parts[0]))) / BLOCK;
    struct woven *w = job_alloc(sizeof *w);
    *w = (struct woven){job_alloc(count * sizeof *blocks), job_alloc(n * sizeof *parts), n};
    memcpy(w->blocks, blocks, count * sizeof *blocks);
    memcpy(w->parts, parts, n * sizeof *parts);
    ptrmap_set(&v->woven, parts[0], (uintptr_t)w);
}

static bool were_woven(struct vec *v, LLVMValueRef *parts, unsigned n, LLVMValueRef *blocks, unsigned count) {
    const struct woven *w = (const struct woven *)ptrmap_at(&v->woven, parts[0], 0);
    bool are = w && w->n == n && !memcmp(w->parts, parts, n * sizeof *parts);
    if (are) {
        memcpy(blocks, w->blocks, count * sizeof *blocks);
    }
    return are;
}

void weave_blocks_apart(struct vec *v, LLVMValueRef *blocks, LLVMTypeRef element, LLVMValueRef *parts,
                        unsigned n) {
    const struct blocks b = blocks_of(v, element, n);
    unsigned groups = v->width / b.lanes, in_column = b.lanes / b.columns, order[64];
    LLVMValueRef *rows = job_alloc(b.rows * sizeof *rows), *all = job_alloc(n * groups * sizeof *all);
    for (unsigned g = 0; g < groups; g++) {
        LLVMValueRef *first = blocks + g * b.rows * b.columns, pair[2];
        for (unsigned i = 0; i < b.rows; i++) {
            memcpy(pair, (LLVMValueRef[]){first[i], first[b.rows * (b.columns - 1) + i]}, sizeof pair);
            rows[i] = weave_joined(v, pair, b.columns, b.each);
        }
        take_turns(v, &b, rows, b.rows, in_column);
        for (unsigned part = 0; part < n; part++) { /* a row, or what is left of one */
            for (unsigned i = 0; i < b.lanes; i++) {
                order[i] = part * in_column % b.each + i % in_column + i / in_column * b.each;
            }
            LLVMValueRef row = rows[part * in_column / b.each];
            all[part * groups + g] = in_column == b.each ? row : vec_shuffle(v, row, NULL, order, b.lanes);
        }
    }
    for (unsigned part = 0; part < n; part++) {
        parts[part] = weave_joined(v, all + part * groups, groups, b.lanes);
    }
    keep(v, blocks, parts, n);
}

/* Of as many parts as a block has elements, or more, each block's parts go by themselves. */
void weave_to_blocks(struct vec *v, LLVMValueRef *parts, LLVMTypeRef element, unsigned n,
                     LLVMValueRef *blocks) {
    const struct blocks b = blocks_of(v, element, n);
    unsigned groups = v->width / b.lanes, in_column = b.lanes / b.columns, per_row = b.each / in_column,
             together = per_row == 1 && n > b.each ? b.each : n, order[64];
    LLVMValueRef *rows = job_alloc(n * sizeof *rows);
    if (were_woven(v, parts, n, blocks, groups * b.rows * b.columns)) {
        return;
    }
    for (unsigned g = 0; g < groups; g++) {
        for (unsigned part = 0; part < n; part++) {
            rows[part] = groups > 1 ? vec_some(v, parts[part], g * b.lanes, b.lanes) : parts[part];
        }
        for (unsigned i = 0; i < b.rows && per_row > 1; i++) {
            rows[i] = weave_joined(v, rows + i * per_row, per_row, b.lanes);
        }
        for (unsigned first = 0; first < n && first < b.rows; first += together / per_row) {
            take_turns(v, &b, rows + first, together / per_row, together);
        }
        for (unsigned i = 0; i < b.rows * b.columns; i++) {
            unsigned column = i / b.rows, at = i % b.rows, per_lane = n / together;
            for (unsigned e = 0; e < b.each; e++) {
                order[e] = column * b.each + e;
            }
            unsigned row = at % per_lane * together + at / per_lane;
            blocks[g * b.rows * b.columns + i] =
                b.columns > 1 ? vec_shuffle(v, rows[row], NULL, order, b.each) : rows[row];
        }
    }
}

/* The blocks of a vector. */
static LLVMValueRef *cut(struct vec *v, LLVMValueRef all) {
    unsigned each = BLOCK / size_of(v, LLVMGetElementType(LLVMTypeOf(all))),
             n = LLVMGetVectorSize(LLVMTypeOf(all)) / each;
    LLVMValueRef *blocks = job_alloc(n * sizeof *blocks);
    for (unsigned i = 0; i < n; i++) {
        blocks[i] = vec_some(v, all, i * each, each);
    }
    return blocks;
}

/* ---- vectors ---- */

/* The vectors that `all` holds, lane by lane n parts. */
void weave_apart(struct vec *v, LLVMValueRef all, LLVMValueRef *parts, unsigned n) {
    const unsigned w = v->width, half = w / 2;
    LLVMTypeRef element = LLVMGetElementType(LLVMTypeOf(all));
    unsigned order[64];
    if (weave_has_blocks(v, element, n)) {
        weave_blocks_apart(v, cut(v, all), element, parts, n);
        return;
    }
    if (!is_by_halves(v, element, n)) {
        for (unsigned i = 0; i < n; i++) {
            parts[i] = vec_every(v, all, i, n);
        }
        return;
    }
    for (unsigned pair = 0; pair < 2; pair++) {
        LLVMValueRef sides[2]; /* half of the lanes: of one part, then of the next */
        for (unsigned side = 0; side < 2; side++) {
            for (unsigned i = 0; i < w; i++) {
                order[i] = (side * half + i % half) * n + 2 * pair + i / half;
            }
            sides[side] = vec_shuffle(v, all, NULL, order, w);
        }
        for (unsigned part = 0; part < 2; part++) {
            for (unsigned i = 0; i < w; i++) {
                order[i] = i / half * w + part * half + i % half;
            }
            parts[2 * pair + part] = vec_shuffle(v, sides[0], sides[1], order, w);
        }
    }
}

/* By halves: [x y] and [z w] of the lower lanes and of the upper ones, then two lanes' quarters of each: of 4 lanes or more. */
static void pair_halves(struct vec *v, LLVMValueRef *parts) {
    const unsigned w = v->width, half = w / 2;
    LLVMValueRef paired[4];
    unsigned order[64];
    for (unsigned side = 0; side < 2; side++) {
        for (unsigned pair = 0; pair < 2; pair++) {
            for (unsigned i = 0; i < w; i++) {
                order[i] = i / half * w + side * half + i % half;
            }
            paired[2 * side + pair] = vec_shuffle(v, parts[2 * pair], parts[2 * pair + 1], order, w);
        }
    }
    for (unsigned quarter = 0; quarter < 4; quarter++) {
        for (unsigned i = 0; i < w; i++) {
            order[i] = i % 4 / 2 * w + i % 2 * half + quarter % 2 * (w / 4) + i / 4;
        }
        parts[quarter] = vec_shuffle(v, paired[quarter / 2 * 2], paired[quarter / 2 * 2 + 1], order, w);
    }
}

/* n vectors to one, the parts of each lane side by side. */
LLVMValueRef weave(struct vec *v, LLVMValueRef *parts, unsigned n) {
    const unsigned length = v->width * n;
    LLVMValueRef *vectors = job_alloc(n * sizeof *vectors);
    unsigned *order = job_alloc(length * sizeof *order);
    LLVMTypeRef element = LLVMGetElementType(LLVMTypeOf(parts[0]));
    if (weave_has_blocks(v, element, n)) {
        unsigned count = length * size_of(v, element) / BLOCK;
        LLVMValueRef *blocks = job_alloc(count * sizeof *blocks);
        weave_to_blocks(v, parts, element, n, blocks);
        return weave_joined(v, blocks, count, BLOCK / size_of(v, element));
    }
    memcpy(vectors, parts, n * sizeof *vectors);
    bool by_halves = v->width >= 4 && is_by_halves(v, element, n);
    if (by_halves) {
        pair_halves(v, vectors);
    }
    LLVMValueRef all = weave_joined(v, vectors, n, v->width); /* one after the other */
    for (unsigned i = 0; i < length; i++) {
        order[i] = i % n * v->width + i / n;
    }
    return by_halves ? all : vec_shuffle(v, all, NULL, order, length);
}

/* 1 for a scalar, 0: not of elements that are put side by side. */
static unsigned parts_of(LLVMTypeRef type, LLVMTypeRef *element) {
    bool is_tuple = LLVMGetTypeKind(type) == LLVMVectorTypeKind;
    unsigned n = is_tuple ? LLVMGetVectorSize(type) : 1;
    *element = is_tuple ? LLVMGetElementType(type) : type;
    return n & (n - 1) || !private_is_element(*element) || LLVMGetTypeKind(*element) == LLVMPointerTypeKind
               ? 0
               : n;
}

bool weave_bitcast(struct vec *v, LLVMValueRef bitcast) {
    LLVMValueRef operand = LLVMGetOperand(bitcast, 0);
    LLVMTypeRef from, to;
    unsigned n = parts_of(LLVMTypeOf(operand), &from), m = parts_of(LLVMTypeOf(bitcast), &to);
    if (!LLVMIsABitCastInst(bitcast) || !n || !m || (n == 1 && m == 1)) {
        return false;
    }
    const struct wide *w = wide_of(v, operand);
    LLVMValueRef all =
        n == 1 ? wide_vector(v, w, from) : weave(v, wide_to_parts(v, w, LLVMTypeOf(operand)), n);
    all = LLVMBuildBitCast(v->b, all, LLVMVectorType(to, v->width * m), "");
    if (m == 1) {
        wide_set(v, bitcast, wide_new(FORM_VECTOR, all, 0));
        return true;
    }
    LLVMValueRef *parts = job_alloc(m * sizeof *parts);
    weave_apart(v, all, parts, m);
    wide_set(v, bitcast, wide_parts(parts, m));
    return true;
}

/* Vectors of the same length one after the other, by pairs. */
LLVMValueRef weave_joined(struct vec *v, LLVMValueRef *vectors, unsigned n, unsigned length) {
    unsigned *order = job_alloc(2 * n * length * sizeof *order), most = 2 * n * length;
    for (unsigned i = 0; i < most; i++) {
        order[i] = i;
    }
    for (; n > 1; n = (n + 1) / 2, length *= 2) {
        for (unsigned i = 0; i < n; i += 2) {
            LLVMValueRef other = i + 1 < n ? vectors[i + 1] : NULL;
            vectors[i / 2] = vec_shuffle(v, vectors[i], other, order, 2 * length);
        }
    }
    return vectors[0];
}

/* The first or the second half of each square's row of both, in turns, `unit` elements at a time. */
static LLVMValueRef interleaved_halves(struct vec *v, LLVMValueRef x, LLVMValueRef y, unsigned square,
                                       unsigned unit, bool second) {
    unsigned order[64];
    for (unsigned i = 0; i < v->width; i++) {
        unsigned at = i % square / unit, in_row = second * square / 2 + at / 2 * unit + i % unit;
        order[i] = i / square * square + in_row + at % 2 * v->width;
    }
    return vec_shuffle(v, x, y, order, v->width);
}

static void transpose(struct vec *v, LLVMValueRef *rows, unsigned n, unsigned square) {
    LLVMValueRef halves[64];
    if (n == 1) {
        return;
    }
    for (unsigned i = 0; i < n; i++) {
        LLVMValueRef *pair = rows + i % (n / 2) * 2;
        halves[i] = interleaved_halves(v, pair[0], pair[1], square, square / n, i >= n / 2);
    }
    memcpy(rows, halves, n * sizeof *rows);
    transpose(v, rows, n / 2, square);
    transpose(v, rows + n / 2, n / 2, square);
}

/* n vectors as squares of n x n elements beside each other, each of which is transposed. */
void weave_squares(struct vec *v, LLVMValueRef *rows, unsigned n) {
    transpose(v, rows, n, n);
}
