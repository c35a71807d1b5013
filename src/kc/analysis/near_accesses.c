/* near_accesses.c: accesses of a block to local memory that are a constant distance from each other.
 *
 * In: k->run, whose equal values are one. Out: for each such access how far others are before and behind it, in bytes, that
 * have the same pointer and index but for constants, as s[x] and s[x - 4]. It chooses among forms of code (vector/offsets.c)
 * and proves nothing: an index that wraps around before it is extended counts as one that doesn't. */
#include "analysis.h"

enum { DEPTH = 8, MOST_USES = 64 };

struct search {
    LLVMTargetDataRef layout;
    LLVMBasicBlockRef block;
    LLVMValueRef base; /* the pointer to which the index is added */
    uint64_t scale;    /* bytes for each of the index */
    int64_t own;       /* what constants add to the access's own address */
    struct near near;
    unsigned uses;
};

/* x in x + c, and c; else NULL. */
static LLVMValueRef counted_from(LLVMValueRef v, int64_t *by) {
    LLVMValueRef x = LLVMIsABinaryOperator(v) ? LLVMGetOperand(v, 0) : NULL;
    LLVMValueRef c = x ? ir_counts_by(v, x) : NULL;
    bool is_disjoint = x && LLVMGetInstructionOpcode(v) == LLVMOr && LLVMGetIsDisjoint(v) &&
                       LLVMIsAConstantInt(LLVMGetOperand(v, 1));
    c = is_disjoint ? LLVMGetOperand(v, 1) : c;
    *by = c ? LLVMConstIntGetSExtValue(c) : 0;
    return c ? x : NULL;
}

/* The index that the address adds to a pointer, NULL if it adds none; false: it isn't one that is known here. */
static bool index_of(LLVMTargetDataRef layout, LLVMValueRef gep, LLVMValueRef *index, uint64_t *scale,
                     int64_t *bytes) {
    struct gep_step steps[GEP_STEPS];
    unsigned n = ir_gep_steps(layout, gep, steps);
    *index = NULL;
    for (unsigned i = 0; i < n; i++) {
        LLVMValueRef own = steps[i].index;
        if (!own || LLVMIsAConstantInt(own)) {
            *bytes += (own ? LLVMConstIntGetSExtValue(own) : 1) * (int64_t)steps[i].bytes;
            continue;
        }
        if (*index) {
            return false;
        }
        *index = own;
        *scale = steps[i].bytes;
    }
    return n;
}

static bool is_extension(LLVMValueRef v) {
    return LLVMIsAZExtInst(v) || LLVMIsASExtInst(v);
}

/* What the access's index counts from; NULL: it has none. */
static LLVMValueRef root_of(struct search *s, LLVMValueRef at) {
    LLVMValueRef x = NULL;
    for (; LLVMIsAGetElementPtrInst(at) && !x; at = LLVMGetOperand(at, 0)) {
        if (!index_of(s->layout, at, &x, &s->scale, &s->own)) {
            return NULL;
        }
        s->base = LLVMGetOperand(at, 0);
    }
    for (LLVMValueRef next = x; next;) {
        int64_t by = 0;
        x = next;
        next = is_extension(x) ? LLVMGetOperand(x, 0) : counted_from(x, &by);
        s->own += by * (int64_t)s->scale;
    }
    return x;
}

static void see(struct search *s, int64_t bytes) {
    int64_t distance = bytes - s->own;
    s->near.least = distance < s->near.least ? distance : s->near.least;
    s->near.most = distance > s->near.most ? distance : s->near.most;
}

/* All accesses of the block that `v`, the root with so many bytes added to it, leads to. */
static void follow(struct search *s, LLVMValueRef v, int64_t bytes, unsigned depth) {
    for (LLVMUseRef u = LLVMGetFirstUse(v); u && depth && s->uses++ < MOST_USES; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u), index;
        uint64_t scale = 0;
        int64_t by = 0;
        if (ir_address(user) == v) {
            if (LLVMGetInstructionParent(user) == s->block) {
                see(s, bytes);
            }
        } else if (LLVMIsAGetElementPtrInst(user)) {
            bool known = index_of(s->layout, user, &index, &scale, &by);
            bool is_root = index == v && LLVMGetOperand(user, 0) == s->base && scale == s->scale;
            if (known && (is_root || (!index && LLVMGetOperand(user, 0) == v))) {
                follow(s, user, bytes + by, depth - 1);
            }
        } else if (is_extension(user)) {
            follow(s, user, bytes, depth - 1);
        } else if (counted_from(user, &by) == v) {
            follow(s, user, bytes + by * (int64_t)s->scale, depth - 1);
        }
    }
}

static void look_at(struct kernel *k, LLVMValueRef access, struct ptrmap *near) {
    LLVMValueRef at = ir_address(access);
    struct search s = {.layout = LLVMGetModuleDataLayout(k->module),
                       .block = LLVMGetInstructionParent(access)};
    LLVMValueRef root = at && LLVMGetPointerAddressSpace(LLVMTypeOf(at)) == AS_LOCAL ? root_of(&s, at) : NULL;
    if (root) {
        follow(&s, root, 0, DEPTH);
    }
    if (s.near.least || s.near.most) {
        struct near *known = job_alloc(sizeof *known);
        *known = s.near;
        ptrmap_set(near, access, (uintptr_t)known);
    }
}

void near_find(struct kernel *k, struct ptrmap *near) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(k->run); b; b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            look_at(k, i, near);
        }
    }
}

bool near_is_stored(struct kernel *k, LLVMValueRef load, int64_t bytes) {
    enum { BEFORE = 64 }; /* instructions */
    struct search to = {.layout = LLVMGetModuleDataLayout(k->module)};
    LLVMValueRef root = root_of(&to, ir_address(load)), i = LLVMGetPreviousInstruction(load);
    for (unsigned n = 0; root && i && n < BEFORE; n++, i = LLVMGetPreviousInstruction(i)) {
        struct search from = {.layout = to.layout};
        bool is_there = LLVMIsAStoreInst(i) && root_of(&from, ir_address(i)) == root &&
                        from.base == to.base && from.scale == to.scale;
        int64_t distance = from.own - to.own;
        if (is_there && distance && distance < bytes && -distance < bytes) {
            return true;
        }
    }
    return false;
}
