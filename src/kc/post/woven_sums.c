/* woven_sums.c: sums of products that follow each other are computed side by side.
 *
 * Needs the optimized module. Each product of a sum waits for the one before, about four cycles; a processor looks ahead as far as
 * its schedulers have room, which is one or two sums of 32 products. Gives blocks in which up to four sums, none of which is an
 * operand of another one, take turns, as unroll-and-jam of the loop around them would do (Callahan, Carr and Kennedy, 1990):
 *     %a1 = fma %x1, %y1, %a0                             %a1 = fma %x1, %y1, %a0
 *     %a2 = fma %x2, %y2, %a1                             %b1 = fma %x1, %z1, %b0
 *     ...                                    becomes      %a2 = fma %x2, %y2, %a1
 *     %b1 = fma %x1, %z1, %b0                             %b2 = fma %x2, %z2, %b1
 *     %b2 = fma %x2, %z2, %b1                             ...
 * What moves up are the sums' products and what they are computed from: reads of memory, too, as nothing writes between. */
#include "post.h"

enum { LEAST = 8, TOGETHER = 4, MOST_MOVED = 1024 };

struct sum {
    LLVMValueRef first, last;
    unsigned n;
};

struct weave {
    struct ptrmap place;  /* instruction -> its number in the block, from 1 on, as it is now */
    struct ptrmap links;  /* products of the sums that are woven */
    struct ptrmap moves;  /* what else moves up with them, or was found not to have to */
    struct ptrmap placed; /* what has moved */
    uintptr_t begin;      /* the number of the first sum's first product */
    unsigned moved;
    LLVMValueRef cursor; /* behind which the next one comes */
};

static bool is_product(LLVMValueRef i) {
    return LLVMIsACallInst(i) && (ir_is_intrinsic(i, "llvm.fma.") || ir_is_intrinsic(i, "llvm.fmuladd.")) &&
           LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMVectorTypeKind;
}

/* The product that the sum goes on with, which alone takes this one; else NULL. */
static LLVMValueRef next_of(LLVMValueRef i) {
    LLVMUseRef u = LLVMGetFirstUse(i);
    LLVMValueRef user = u && !LLVMGetNextUse(u) ? LLVMGetUser(u) : NULL;
    bool is_next = user && is_product(user) && LLVMGetOperand(user, 2) == i &&
                   LLVMGetInstructionParent(user) == LLVMGetInstructionParent(i);
    return is_next ? user : NULL;
}

static bool is_first(LLVMValueRef i) {
    LLVMValueRef before = LLVMGetOperand(i, 2);
    return !(LLVMIsAInstruction(before) && is_product(before) && next_of(before) == i);
}

/* Whether the value may be computed where the first sum begins, or is there already. */
static bool may_move(struct weave *w, LLVMValueRef v) {
    uintptr_t place = LLVMIsAInstruction(v) ? ptrmap_at(&w->place, v, 0) : 0;
    if (place < w->begin || ptrmap_at(&w->moves, v, 0)) {
        return true;
    }
    bool may = !ptrmap_at(&w->links, v, 0) && !LLVMIsAPHINode(v) && ++w->moved <= MOST_MOVED &&
               !LLVMIsAAllocaInst(v) && !ir_may_write(v);
    int n = LLVMGetNumOperands(v) - (LLVMIsACallInst(v) != NULL);
    for (int o = 0; may && o < n; o++) {
        may = may_move(w, LLVMGetOperand(v, (unsigned)o));
    }
    if (may) {
        ptrmap_set(&w->moves, v, 1);
    }
    return may;
}

/* Whether nothing writes from one instruction to the other. */
static bool is_quiet(LLVMValueRef from, LLVMValueRef to) {
    for (LLVMValueRef i = from; i != to; i = LLVMGetNextInstruction(i)) {
        if (ir_may_write(i)) {
            return false;
        }
    }
    return true;
}

/* Whether the sum's products may be computed where the first sum begins, but for those before in it; they become links. */
static bool may_join(struct weave *w, const struct sum *first, const struct sum *s) {
    bool follows = s == first || ptrmap_at(&w->place, s->first, 0) > ptrmap_at(&w->place, s[-1].last, 0);
    bool may = s->n == first->n && follows && is_quiet(first->first, s->last);
    for (LLVMValueRef i = s->first; may && i; i = next_of(i)) {
        for (unsigned o = 0; may && o < 3; o++) {
            may = (o == 2 && i != s->first) || may_move(w, LLVMGetOperand(i, o));
        }
    }
    for (LLVMValueRef i = s->first; may && i; i = next_of(i)) {
        ptrmap_set(&w->links, i, 1);
    }
    return may;
}

static void place(struct weave *w, LLVMBuilderRef b, LLVMValueRef v) {
    bool has_place = ptrmap_at(&w->links, v, 0) || ptrmap_at(&w->moves, v, 0);
    if (!has_place || ptrmap_at(&w->placed, v, 0) || ptrmap_at(&w->place, v, 0) < w->begin) {
        return;
    }
    ptrmap_set(&w->placed, v, 1);
    int n = LLVMGetNumOperands(v) - (LLVMIsACallInst(v) != NULL);
    for (int o = 0; o < n; o++) {
        place(w, b, LLVMGetOperand(v, (unsigned)o));
    }
    LLVMValueRef behind = LLVMGetNextInstruction(w->cursor);
    if (behind != v) {
        LLVMInstructionRemoveFromParent(v);
        LLVMPositionBuilderBefore(b, behind);
        LLVMInsertIntoBuilder(b, v);
    }
    w->cursor = v;
}

static void weave(struct weave *w, const struct sum *sums, size_t n) {
    LLVMBuilderRef b = ir_before(sums[0].first);
    LLVMValueRef now[TOGETHER];
    for (size_t s = 0; s < n; s++) {
        now[s] = sums[s].first;
    }
    w->cursor = LLVMGetPreviousInstruction(sums[0].first);
    while (now[0]) {
        for (size_t s = 0; s < n; s++) {
            LLVMValueRef i = now[s];
            now[s] = next_of(i);
            place(w, b, i);
        }
    }
    LLVMDisposeBuilder(b);
}

static void number(struct weave *w, LLVMBasicBlockRef block) {
    size_t n = 0;
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
        ptrmap_set(&w->place, i, ++n);
    }
}

/* How many of the sums from the first one on take turns from now on. */
static size_t weave_from(struct weave *w, const struct sum *sums, size_t n) {
    size_t joined = 0;
    w->begin = ptrmap_at(&w->place, sums[0].first, 0);
    w->moved = 0;
    w->links = w->moves = w->placed = (struct ptrmap){0};
    if (LLVMGetPreviousInstruction(sums[0].first)) {
        while (joined < n && joined < TOGETHER && may_join(w, sums, &sums[joined])) {
            joined++;
        }
    }
    if (joined > 1) {
        weave(w, sums, joined);
        number(w, LLVMGetInstructionParent(sums[0].first));
    }
    return joined > 1 ? joined : 1;
}

static void look_at(LLVMBasicBlockRef block) {
    struct weave w = {0};
    size_t n = 0, products = 0;
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
        products += is_product(i);
    }
    if (products < 2 * LEAST) {
        return;
    }
    struct sum *sums = job_alloc((products / LEAST + 1) * sizeof *sums);
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
        if (is_product(i) && is_first(i)) {
            struct sum s = {.first = i};
            for (LLVMValueRef next = i; next; next = next_of(next)) {
                s.last = next;
                s.n++;
            }
            if (s.n >= LEAST) {
                sums[n++] = s;
            }
        }
    }
    number(&w, block);
    for (size_t s = 0; s + 1 < n;) {
        s += weave_from(&w, sums + s, n - s);
    }
}

void woven_sums_pass(struct kernel *k) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(k->run); k->optimize && b;
         b = LLVMGetNextBasicBlock(b)) {
        look_at(b);
    }
}
