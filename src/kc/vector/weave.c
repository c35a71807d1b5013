/* weave.c: OpenCL vectors of a pack as one vector, as memory has them, and as one vector for each part.
 *
 * In: n vectors of W elements, the parts. Out: one of n * W, the parts of each lane side by side. And back, and from one
 * type to another of the same size, which looks at lanes' bits (as_char4(x)). Also squares of elements, transposed. */
#include "vector.h"
#include <string.h>

/* Whether four parts, each a register, are taken apart and put together by halves first: with two shuffles of two registers
 * each, where one by one takes three. */
static bool is_by_halves(struct vec *v, LLVMTypeRef element, unsigned n) {
    unsigned bits = (unsigned)LLVMSizeOfTypeInBits(LLVMGetModuleDataLayout(v->k->module), element) * v->width;
    return n == 4 && bits == v->k->target->vector_bits;
}

/* The vectors that `all` holds, lane by lane n parts. */
void weave_apart(struct vec *v, LLVMValueRef all, LLVMValueRef *parts, unsigned n) {
    const unsigned w = v->width, half = w / 2;
    unsigned order[64];
    if (!is_by_halves(v, LLVMGetElementType(LLVMTypeOf(all)), n)) {
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
    memcpy(vectors, parts, n * sizeof *vectors);
    bool by_halves = v->width >= 4 && is_by_halves(v, LLVMGetElementType(LLVMTypeOf(parts[0])), n);
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
