/* vectorizer_off.c: functions that LLVM's loop vectorizer would get wrong, or that it and its other one look at for long and in vain,
 * do without them.
 *
 * vectorizer_off: in: the module before `optimize`. Out: the functions marked that are none of the vectorizer's, as those
 * are that may not use vectors: PassBuilder's option for it has no effect. vectorizer_on takes the marks back: the code
 * generator reads them too. Loops that are long, and those that only fill elements far apart, have a mark of their own: the loop
 * vectorizer reads the function's only after it has compared a loop's accesses.
 * LLVM 22's loop vectorizer computes a division that is the same in all rounds under the condition of the first lane alone.
 * Where it assumes that neither an index nor a part of it of fewer bits wraps around, nor some bits of another, it looks at
 * the index alone. */
#include "post.h"

#define MARK "noimplicitfloat"

/* Whether what the number is computed from has fewer bits than itself: by a mask, or extended from a type of at most `most` bits.
 * LLVM sees through whatever its own passes simplify until then: (2 * l - (l & 7)) % 512 may lose its remainder. */
static bool has_narrow_part(LLVMValueRef v, unsigned most, unsigned depth) {
    if (!LLVMIsAInstruction(v) || LLVMGetTypeKind(LLVMTypeOf(v)) != LLVMIntegerTypeKind || !depth) {
        return false;
    }
    bool is_extension = LLVMIsAZExtInst(v) || LLVMIsASExtInst(v);
    LLVMOpcode op = LLVMGetInstructionOpcode(v);
    if (is_extension && LLVMGetIntTypeWidth(LLVMTypeOf(LLVMGetOperand(v, 0))) <= most) {
        return true;
    }
    if ((op == LLVMAnd || op == LLVMURem) && LLVMIsAConstantInt(LLVMGetOperand(v, 1))) {
        uint64_t bits = LLVMConstIntGetZExtValue(LLVMGetOperand(v, 1)) - (op == LLVMURem), low = bits & -bits;
        return !(bits & (bits + low));
    }
    bool goes_on = is_extension || LLVMIsABinaryOperator(v) || LLVMIsASelectInst(v) || LLVMIsAFreezeInst(v);
    bool found = false;
    for (unsigned n = 0; goes_on && !found && n < (unsigned)LLVMGetNumOperands(v); n++) {
        found = has_narrow_part(LLVMGetOperand(v, n), most, depth - 1);
    }
    return found;
}

/* Whether it is the lower 32 bits of a number. */
static bool is_word(LLVMValueRef v) {
    return LLVMIsAInstruction(v) && LLVMGetInstructionOpcode(v) == LLVMAnd &&
           LLVMIsAConstantInt(LLVMGetOperand(v, 1)) &&
           LLVMConstIntGetZExtValue(LLVMGetOperand(v, 1)) == UINT32_MAX;
}

static bool is_sum(LLVMValueRef v) {
    return LLVMIsABinaryOperator(v) && LLVMGetInstructionOpcode(v) != LLVMAnd;
}

static bool is_indexed(LLVMValueRef address) {
    return LLVMIsAGetElementPtrInst(address) && !LLVMIsAConstantInt(LLVMGetOperand(address, 1));
}

/* Whether an index is a few bits of a number, as in a[l & 3], and another one may wrap around, as in b[(uint)(l + n)]. What LLVM
 * assumes of the one is lost where it assumes it of the other. */
static bool has_narrow_beside_wide(LLVMValueRef f) {
    enum { DEPTH = 8, SHORT = 16, WORD = 32 };
    bool narrow = false, wide = false;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i && !(narrow && wide);
             i = LLVMGetNextInstruction(i)) {
            for (unsigned n = 1; LLVMIsAGetElementPtrInst(i) && n < (unsigned)LLVMGetNumOperands(i); n++) {
                LLVMValueRef index = LLVMGetOperand(i, n);
                bool few = has_narrow_part(index, SHORT, DEPTH) && !is_word(index);
                narrow |= few;
                wide |= !few && has_narrow_part(index, WORD, DEPTH);
            }
        }
    }
    return narrow && wide;
}

/* Whether an address, or an index that is extended, is the sum of parts of different lengths, as in a[(i + l & 63) + 64 * l]. */
static bool has_sums_of_narrow_parts(LLVMValueRef f) {
    enum { DEPTH = 8, SHORT = 16 };
    bool found = false;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i && !found; i = LLVMGetNextInstruction(i)) {
            LLVMValueRef sum = LLVMIsAZExtInst(i) || LLVMIsASExtInst(i) ? LLVMGetOperand(i, 0) : NULL;
            found = sum && is_sum(sum) && has_narrow_part(sum, 64, DEPTH);
            for (unsigned n = 1; LLVMIsAGetElementPtrInst(i) && n < (unsigned)LLVMGetNumOperands(i); n++) {
                LLVMValueRef index = LLVMGetOperand(i, n);
                bool adds = n > 1 || is_sum(index) || is_indexed(LLVMGetOperand(i, 0));
                found |= adds && has_narrow_part(index, SHORT, DEPTH);
            }
        }
    }
    return found;
}

static unsigned longest_block(LLVMValueRef f) {
    unsigned most = 0;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
        most = ir_length(b) > most ? ir_length(b) : most;
    }
    return most;
}

/* Whether the vectorizers would take longer for it than all else together: their time grows with the square of a block's length
 * where they try to join what packs read lane by lane. What packs there are has been made of vectors already. */
static bool is_long(LLVMValueRef f, bool has_packs) {
    enum { LONG = 16000, LONG_BLOCK = 4000 }; /* instructions: half a second */
    return ir_function_length(f) > LONG || (has_packs && longest_block(f) > LONG_BLOCK);
}

/* The vector of which a number is a lane's element, perhaps extended; or NULL. */
static LLVMValueRef vector_of_lane(LLVMValueRef number) {
    if (LLVMIsASExtInst(number) || LLVMIsAZExtInst(number)) {
        number = LLVMGetOperand(number, 0);
    }
    return LLVMIsAExtractElementInst(number) ? LLVMGetOperand(number, 0) : NULL;
}

/* How many addresses lanes have of their own, each for itself; 0 where a lane has several by one number: what is read there may lie
 * side by side. */
static unsigned lone_lane_addresses(LLVMValueRef f) {
    unsigned found = 0;
    struct ptrmap taken = {0}; /* of each vector, how many */
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            bool is_address = LLVMIsAGetElementPtrInst(i) && LLVMGetNumOperands(i) == 2;
            LLVMValueRef vector = is_address ? vector_of_lane(LLVMGetOperand(i, 1)) : NULL;
            if (vector) {
                uintptr_t n = ptrmap_at(&taken, vector, 0) + 1;
                if (n > LLVMGetVectorSize(LLVMTypeOf(vector))) {
                    return 0;
                }
                ptrmap_set(&taken, vector, n);
                found++;
            }
        }
    }
    return found;
}

static bool has_vectors(LLVMBasicBlockRef block) {
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
        if (LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMVectorTypeKind) {
            return true;
        }
    }
    return false;
}

/* Whether each loop has vectors already, so that the loop vectorizer takes none. */
static bool loops_have_vectors(LLVMValueRef f) {
    struct ptrmap index = {0};
    LLVMBasicBlockRef *blocks;
    struct list loops = graph_loops(cfg_of(f, &index, &blocks));
    bool all = true;
    for (size_t i = 0; i < loops.n && all; i++) {
        const struct graph_loop *loop = loops.at[i];
        bool has = false;
        for (size_t b = 0; b < loop->nodes.n && !has; b++) {
            has = has_vectors(blocks[(uintptr_t)loop->nodes.at[b]]);
        }
        all = has;
    }
    return all;
}

/* Whether the vectorizers would look long for nothing: the other one tries to make vectors of the numbers that lanes go to memory
 * with, as texels are read, which have just been taken out of one. That is up to a third of LLVM's passes for such a kernel. */
static bool is_looked_at_in_vain(LLVMValueRef f) {
    enum { MANY = 16 };
    return lone_lane_addresses(f) >= MANY && loops_have_vectors(f);
}

/* Whether the value is the counter, perhaps extended, or a sum with it. */
static bool is_sum_with(LLVMValueRef v, LLVMValueRef counter, unsigned depth) {
    bool may = depth && (LLVMIsACastInst(v) || ir_is_op(v, LLVMAdd)), is = v == counter;
    for (unsigned n = 0; may && !is && n < (unsigned)LLVMGetNumOperands(v); n++) {
        is = is_sum_with(LLVMGetOperand(v, n), counter, depth - 1);
    }
    return is;
}

static bool stores_at(const struct graph_loop *loop, LLVMBasicBlockRef *blocks, LLVMValueRef counter) {
    enum { DEPTH = 3 };
    bool found = false;
    for (size_t b = 0; b < loop->nodes.n && !found; b++) {
        LLVMValueRef i = LLVMGetFirstInstruction(blocks[(uintptr_t)loop->nodes.at[b]]);
        for (; i && !found; i = LLVMGetNextInstruction(i)) {
            LLVMValueRef at = LLVMIsAStoreInst(i) ? LLVMGetOperand(i, 1) : NULL;
            bool is_element = at && LLVMIsAGetElementPtrInst(at);
            found = is_element &&
                    is_sum_with(LLVMGetOperand(at, (unsigned)LLVMGetNumOperands(at) - 1), counter, DEPTH);
        }
    }
    return found;
}

/* Whether the loop counts in long steps, stores to elements that far apart, and does little else, as a work-item alone does that fills
 * its part of a table: `for (i = l; i < 1024; i += 128) t[i] = 0`. Vectors of its rounds are taken apart for the stores, and LLVM, which
 * doesn't know that all go around equally often, makes a branch for each of them. */
static bool fills_apart(const struct graph_loop *loop, LLVMBasicBlockRef *blocks, unsigned length) {
    enum { LONG_STEP = 4, LITTLE = 24 };
    bool found = false;
    LLVMValueRef phi = length <= LITTLE ? LLVMGetFirstInstruction(blocks[loop->header]) : NULL;
    for (; phi && LLVMIsAPHINode(phi) && !found; phi = LLVMGetNextInstruction(phi)) {
        for (unsigned n = 0; n < LLVMCountIncoming(phi); n++) {
            LLVMValueRef step = ir_counts_by(LLVMGetIncomingValue(phi, n), phi);
            long long by = step ? LLVMConstIntGetSExtValue(step) : 0;
            found |= (by > LONG_STEP || by < -LONG_STEP) && stores_at(loop, blocks, phi);
        }
    }
    return found;
}

/* The time that the loop vectorizer takes grows with the square of a loop's length, to minutes. */
static void leave_loops(struct kernel *k, LLVMValueRef f) {
    enum { LONG = 4000 };                                /* instructions: half a second */
    static const char name[] = "llvm.loop.isvectorized"; /* already */
    struct ptrmap index = {0};
    LLVMBasicBlockRef *blocks;
    struct graph *cfg = cfg_of(f, &index, &blocks);
    struct list loops = graph_loops(cfg);
    for (size_t i = 0; i < loops.n; i++) {
        const struct graph_loop *loop = loops.at[i];
        unsigned n = 0;
        for (size_t b = 0; b < loop->nodes.n; b++) {
            n += ir_length(blocks[(uintptr_t)loop->nodes.at[b]]);
        }
        bool leave = n > LONG || fills_apart(loop, blocks, n);
        for (unsigned p = 0; leave && p < cfg->npred[loop->header]; p++) {
            unsigned from = cfg->pred[loop->header][p];
            LLVMValueRef end = LLVMGetBasicBlockTerminator(blocks[from]);
            if (graph_loop_has(loop, from) && !ir_has_loop_property(k->llvm, end, name)) {
                ir_add_loop_property(k->llvm, end, ir_loop_property(k->llvm, name, 1));
            }
        }
    }
}

void vectorizer_off_pass(struct kernel *k) {
    for (LLVMValueRef f = LLVMGetFirstFunction(k->module); f; f = LLVMGetNextFunction(f)) {
        leave_loops(k, f);
        if (ir_divides(f) || has_narrow_beside_wide(f) || has_sums_of_narrow_parts(f) ||
            is_long(f, k->width > 1) || (k->width > 1 && is_looked_at_in_vain(f))) {
            ir_attribute(k->llvm, f, MARK, 0);
        }
    }
}

void vectorizer_on_pass(struct kernel *k) {
    for (LLVMValueRef f = LLVMGetFirstFunction(k->module); f; f = LLVMGetNextFunction(f)) {
        ir_remove_attribute(f, (unsigned)LLVMAttributeFunctionIndex, MARK);
    }
}
