/* part_copies.c: copies of a part of the kernel, in which some values are others.
 *
 * A part is the blocks from a first one, to which one block leads, to where all their ways meet, the join, which no other way
 * leads to. Passes that make versions of code (step_versions.c, row_versions.c) find it, let what is used after it come from
 * PHIs at the join (part_export), and copy it for each version; then they make the branch that chooses. A copy has its own of
 * the part's instructions, and of those before the part that are computed from a value that is another one in it. */
#include "lower.h"

enum { DEPTH = 8 };

static bool may_copy(LLVMValueRef i, bool barriers) {
    bool is_call = LLVMIsACallInst(i) && !ir_is_marker(i) && !ir_has_no_effect(i) && !intrinsic_id(i, NULL);
    is_call = is_call && !(barriers && ir_is_call_to(i, "__weir_barrier"));
    return !is_call && !subgroup_is_op(i) && !LLVMIsAAllocaInst(i) && !LLVMIsAInvokeInst(i);
}

/* ---- which blocks ------------------------------------------------------------------------------------------ */

/* Where all ways from the block meet, or NULL. */
static LLVMBasicBlockRef meeting(struct kernel *k, LLVMBasicBlockRef first) {
    struct ptrmap index = {0};
    LLVMBasicBlockRef *blocks;
    const struct graph *cfg = cfg_of(k->run, &index, &blocks);
    unsigned meet = graph_ipdom(cfg)[ptrmap_at(&index, first, 0)];
    return meet < cfg->n ? blocks[meet] : NULL;
}

bool part_find(struct code_part *p, LLVMBasicBlockRef first, LLVMBasicBlockRef join, unsigned most,
               bool barriers) {
    unsigned n = 0;
    p->join = join = join ? join : meeting(p->k, first);
    list_add(&p->blocks, first);
    ptrmap_set(&p->in, first, 1);
    for (size_t at = 0; at < p->blocks.n; at++) {
        LLVMBasicBlockRef b = p->blocks.at[at];
        LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            ptrmap_set(&p->in, i, 1);
            if (++n > most || !may_copy(i, barriers)) {
                return false;
            }
        }
        for (unsigned e = 0; e < LLVMGetNumSuccessors(end); e++) {
            LLVMBasicBlockRef to = LLVMGetSuccessor(end, e);
            if (to != join && !ptrmap_at(&p->in, to, 0)) {
                ptrmap_set(&p->in, to, 1);
                list_add(&p->blocks, to);
            }
        }
    }
    return join && !ptrmap_at(&p->in, join, 0);
}

LLVMBasicBlockRef part_before(LLVMValueRef first, const char *name) {
    LLVMBasicBlockRef before = LLVMGetInstructionParent(first), rest = ir_split_before(first, name);
    LLVMBuilderRef b = ir_at_end(before);
    LLVMBuildBr(b, rest);
    LLVMDisposeBuilder(b);
    return rest;
}

/* ---- where all ways meet ------------------------------------------------------------------------------------ */

/* Each way from the part's blocks to the join gives the phi this value. */
static void add_ways(struct code_part *p, LLVMValueRef phi, LLVMValueRef value) {
    for (size_t at = 0; at < p->blocks.n; at++) {
        LLVMBasicBlockRef from = p->blocks.at[at];
        LLVMValueRef end = LLVMGetBasicBlockTerminator(from);
        for (unsigned e = 0; e < LLVMGetNumSuccessors(end); e++) {
            if (LLVMGetSuccessor(end, e) == p->join) {
                LLVMAddIncoming(phi, &value, &from, 1);
            }
        }
    }
}

/* What others use of the part's values they take from a phi at the join: no other way leads there. */
static void export(struct code_part *p, LLVMValueRef v) {
    LLVMValueRef phi = NULL;
    for (LLVMUseRef next, u = LLVMGetFirstUse(v); u; u = next) {
        LLVMValueRef user = LLVMGetUser(u);
        next = LLVMGetNextUse(u);
        bool is_at_join = LLVMIsAPHINode(user) && LLVMGetInstructionParent(user) == p->join;
        if (is_at_join || ptrmap_at(&p->in, user, 0)) {
            continue;
        }
        if (!phi) {
            LLVMBuilderRef b = ir_before(LLVMGetFirstInstruction(p->join));
            phi = LLVMBuildPhi(b, LLVMTypeOf(v), "");
            LLVMDisposeBuilder(b);
            add_ways(p, phi, v);
        }
        for (int o = 0; o < LLVMGetNumOperands(user); o++) {
            if (LLVMGetOperand(user, (unsigned)o) == v) {
                LLVMSetOperand(user, (unsigned)o, phi);
            }
        }
        while (next && LLVMGetUser(next) == user) { /* its operands are done */
            next = LLVMGetNextUse(next);
        }
    }
}

void part_export(struct code_part *p) {
    for (size_t at = 0; at < p->blocks.n; at++) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(p->blocks.at[at]); i; i = LLVMGetNextInstruction(i)) {
            export(p, i);
        }
    }
}

/* What comes to the join from the part's blocks comes from their copies as well. */
static void add_incoming(LLVMValueRef phi, const struct ptrmap *map) {
    for (unsigned i = 0, n = LLVMCountIncoming(phi); i < n; i++) {
        LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, i);
        LLVMValueRef value = LLVMGetIncomingValue(phi, i);
        uintptr_t copy;
        if (ptrmap_get(map, from, &copy)) {
            from = (LLVMBasicBlockRef)copy;
            value = (LLVMValueRef)ptrmap_at(map, value, (uintptr_t)value);
            LLVMAddIncoming(phi, &value, &from, 1);
        }
    }
}

/* ---- the copies -------------------------------------------------------------------------------------------- */

/* Whether the value before the part is computed from one that is another one in the copy. */
static bool is_changed(const struct ptrmap *map, LLVMValueRef v, unsigned depth) {
    uintptr_t ignored;
    bool may =
        LLVMIsABinaryOperator(v) || LLVMIsACastInst(v) || LLVMIsAGetElementPtrInst(v) || LLVMIsAICmpInst(v);
    for (int n = 0; may && depth && n < LLVMGetNumOperands(v); n++) {
        LLVMValueRef operand = LLVMGetOperand(v, (unsigned)n);
        if (ptrmap_get(map, operand, &ignored) || is_changed(map, operand, depth - 1)) {
            return true;
        }
    }
    return false;
}

/* What stands for the value in the copy; what comes from before it and is changed is computed again there. */
LLVMValueRef part_value(struct code_part *p, LLVMBuilderRef at_start, struct ptrmap *map, LLVMValueRef v) {
    uintptr_t known;
    if (ptrmap_get(map, v, &known)) {
        return (LLVMValueRef)known;
    }
    if (!LLVMIsAInstruction(v) || ptrmap_at(&p->in, v, 0) || !is_changed(map, v, DEPTH)) {
        return v;
    }
    LLVMValueRef copy = LLVMInstructionClone(v);
    for (int n = 0; n < LLVMGetNumOperands(copy); n++) {
        LLVMSetOperand(copy, (unsigned)n, part_value(p, at_start, map, LLVMGetOperand(v, (unsigned)n)));
    }
    LLVMInsertIntoBuilderWithName(at_start, copy, "");
    ptrmap_set(map, v, (uintptr_t)copy);
    return copy;
}

static void copy_block(LLVMBasicBlockRef block, LLVMBasicBlockRef to, struct ptrmap *map) {
    LLVMBuilderRef b = ir_at_end(to);
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
        bool is_phi = LLVMIsAPHINode(i);
        LLVMValueRef copy = is_phi ? LLVMBuildPhi(b, LLVMTypeOf(i), "") : LLVMInstructionClone(i);
        if (!is_phi) {
            LLVMInsertIntoBuilderWithName(b, copy, "");
        }
        ptrmap_set(map, i, (uintptr_t)copy);
    }
    LLVMDisposeBuilder(b);
}

/* The copy's operands, blocks among them. */
static void lead(struct code_part *p, LLVMBuilderRef at_start, struct ptrmap *map, LLVMValueRef i) {
    LLVMValueRef copy = (LLVMValueRef)ptrmap_at(map, i, 0);
    for (unsigned n = 0; LLVMIsAPHINode(i) && n < LLVMCountIncoming(i); n++) {
        LLVMValueRef value = part_value(p, at_start, map, LLVMGetIncomingValue(i, n));
        LLVMBasicBlockRef from = LLVMGetIncomingBlock(i, n);
        from = (LLVMBasicBlockRef)ptrmap_at(map, from, (uintptr_t)from);
        LLVMAddIncoming(copy, &value, &from, 1);
    }
    for (int o = 0; !LLVMIsAPHINode(i) && o < LLVMGetNumOperands(i); o++) {
        LLVMValueRef operand = LLVMGetOperand(i, (unsigned)o);
        if (LLVMValueIsBasicBlock(operand)) {
            LLVMBasicBlockRef to = LLVMValueAsBasicBlock(operand);
            to = (LLVMBasicBlockRef)ptrmap_at(map, to, (uintptr_t)to);
            LLVMSetOperand(copy, (unsigned)o, LLVMBasicBlockAsValue(to));
        } else {
            LLVMSetOperand(copy, (unsigned)o, part_value(p, at_start, map, operand));
        }
    }
}

void part_copy(struct code_part *p, LLVMBasicBlockRef start, struct ptrmap *map, const char *name) {
    LLVMBuilderRef at_start = ir_at_end(start);
    for (size_t at = 0; at < p->blocks.n; at++) {
        LLVMBasicBlockRef to = LLVMInsertBasicBlockInContext(p->k->llvm, p->join, name);
        ptrmap_set(map, p->blocks.at[at], (uintptr_t)to);
        copy_block(p->blocks.at[at], to, map);
    }
    for (size_t at = 0; at < p->blocks.n; at++) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(p->blocks.at[at]); i; i = LLVMGetNextInstruction(i)) {
            lead(p, at_start, map, i);
        }
    }
    LLVMBuildBr(at_start, (LLVMBasicBlockRef)ptrmap_at(map, p->blocks.at[0], 0));
    LLVMDisposeBuilder(at_start);
    for (LLVMValueRef phi = LLVMGetFirstInstruction(p->join); LLVMIsAPHINode(phi);
         phi = LLVMGetNextInstruction(phi)) {
        add_incoming(phi, map);
    }
}
