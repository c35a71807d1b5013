/* lane_loop.c: what stays one instruction for each lane, as a loop over the lanes that are on.
 *
 * In: an atomic, or a call whose result nobody uses, and its operands as the pack has them. Out: a loop that takes the lanes from
 * the lowest on; where operands or results differ from lane to lane they are in variables on the stack, which loops share. In a
 * row, each after a branch, the calls of wide packs, as of printf, would be more code than all around them. And
 * atomics on local memory, which become loads and stores, are slower in a row: processors guess by their places in the
 * code which load gets its value from which earlier store, and of sixteen in a row guess wrong, 20 cycles each; with one place
 * in the code there is nothing to guess. */
#include "vector.h"
#include <string.h>

static bool has(const struct list *l, const void *p) {
    for (size_t i = 0; i < l->n; i++) {
        if (l->at[i] == p) {
            return true;
        }
    }
    return false;
}

/* A variable for a vector of the type that no operand before this one has; `used`: those of the call. */
static LLVMValueRef spill(struct vec *v, LLVMValueRef vector, struct list *used) {
    LLVMTypeRef type = LLVMTypeOf(vector);
    LLVMValueRef var = NULL;
    for (size_t i = 0; i < v->lane_variables.n && !var; i++) {
        LLVMValueRef known = v->lane_variables.at[i];
        var = LLVMGetAllocatedType(known) == type && !has(used, known) ? known : NULL;
    }
    if (!var) {
        var = vec_variable(v, type, "lanes");
        list_add(&v->lane_variables, var);
    }
    list_add(used, var);
    LLVMBuildStore(v->b, vector, var);
    return var;
}

static bool has_element(const struct wide *w) {
    return w->form != FORM_VECTOR || private_is_element(LLVMGetElementType(LLVMTypeOf(w->value)));
}

/* Whether the loop can have its value for one lane. */
static bool is_scalar_of_lane(struct vec *v, LLVMValueRef operand) {
    const struct wide *w = wide_of(v, operand);
    return w->form != FORM_LANES && w->form != FORM_PARTS && has_element(w);
}

static bool has_loop_form(struct vec *v, LLVMValueRef i) {
    bool is_call = LLVMIsACallInst(i) && !ir_is_intrinsic(i, "llvm.") && !LLVMGetFirstUse(i);
    bool is_atomic = LLVMIsAAtomicRMWInst(i) && private_is_element(LLVMTypeOf(i));
    bool fits = (is_call || is_atomic) && v->width >= 4;
    for (int n = 0; fits && n < LLVMGetNumOperands(i); n++) {
        fits = is_scalar_of_lane(v, LLVMGetOperand(i, (unsigned)n));
    }
    return fits;
}

static LLVMValueRef element_at(struct vec *v, LLVMTypeRef element, LLVMValueRef var, LLVMValueRef lane) {
    LLVMValueRef lane64 = LLVMBuildZExt(v->b, lane, LLVMInt64TypeInContext(v->llvm), "");
    return LLVMBuildGEP2(v->b, element, var, &lane64, 1, "");
}

/* What the loop has of operands: of each that differs from lane to lane its variable. */
struct operands {
    LLVMValueRef of; /* the instruction */
    struct ptrmap vars;
    struct list used;
};

/* An address is computed in the loop once more: its index takes half as much memory, and vectors of addresses take some
 * instructions. */
LLVMValueRef lane_loop_source(struct vec *v, LLVMValueRef o) {
    bool is = LLVMIsAGetElementPtrInst(o) || LLVMIsAZExtInst(o) || LLVMIsASExtInst(o);
    if (!is || wide_of(v, o)->form != FORM_VECTOR || wide_is_interleaved(v, o)) {
        return NULL;
    }
    LLVMValueRef source = NULL;
    for (int n = 0; n < LLVMGetNumOperands(o); n++) {
        LLVMValueRef operand = LLVMGetOperand(o, (unsigned)n);
        if (wide_of(v, operand)->form == FORM_UNIFORM) {
            continue;
        }
        if (source || !is_scalar_of_lane(v, operand)) {
            return NULL;
        }
        source = operand;
    }
    return source;
}

/* Lane 0's address and the bytes from lane to lane, where an access' elements are evenly apart; NULL: they aren't. */
static LLVMValueRef even_address(struct vec *v, LLVMValueRef p, int64_t *stride) {
    const struct wide *w = wide_of(v, p);
    bool is_even = w->form == FORM_VECTOR && w->at && w->first;
    for (unsigned lane = 0; is_even && lane < v->width; lane++) {
        is_even = w->at[lane] == w->at[1] * lane;
    }
    *stride = is_even ? w->at[1] : w->stride;
    return is_even ? w->first : w->form == FORM_AFFINE ? w->value : NULL;
}

/* Whether nothing between the load of global memory and the instruction may write what it has read. */
static bool is_fresh(struct vec *v, LLVMValueRef load, LLVMValueRef of) {
    LLVMValueRef i = LLVMGetNextInstruction(load);
    for (; i && i != of; i = LLVMGetNextInstruction(i)) {
        bool writes = LLVMIsAStoreInst(i) || LLVMIsAAtomicRMWInst(i),
             is_slot = slots_of_access(&v->wg->slots, i);
        bool is_local = LLVMIsAAtomicRMWInst(i) || LLVMIsAStoreInst(i) ? wg_kind(i) == MEMORY_LOCAL : false;
        bool may = (writes && !is_local && !is_slot) || LLVMIsAAtomicCmpXchgInst(i) || LLVMIsAFenceInst(i) ||
                   (LLVMIsACallInst(i) && !ir_is_marker(i) && !ir_has_no_effect(i));
        if (may) {
            return false;
        }
    }
    return i;
}

/* Whether the loop of an atomic on local memory reads the operand again, from a row of global memory, and computes a little
 * with it: as many loads as from a variable, without a vector's store before. */
static bool is_read_again(struct vec *v, LLVMValueRef of, LLVMValueRef o, unsigned depth) {
    bool is_atomic = LLVMIsAAtomicRMWInst(of) && wg_kind(of) == MEMORY_LOCAL;
    if (!is_atomic || !depth || !LLVMIsAInstruction(o) || wide_of(v, o)->form != FORM_VECTOR) {
        return false;
    }
    if (LLVMIsALoadInst(o)) {
        int64_t stride;
        return ir_is_plain(o) && wg_kind(o) == MEMORY_GLOBAL &&
               even_address(v, LLVMGetOperand(o, 0), &stride) &&
               LLVMGetInstructionParent(o) == LLVMGetInstructionParent(of) && is_fresh(v, o, of);
    }
    bool is_cheap = LLVMIsATruncInst(o) || (LLVMIsABinaryOperator(o) && !ir_is_division(o));
    unsigned varying = 0, again = 0;
    for (int n = 0; is_cheap && n < LLVMGetNumOperands(o); n++) {
        LLVMValueRef operand = LLVMGetOperand(o, (unsigned)n);
        bool differs = wide_of(v, operand)->form != FORM_UNIFORM;
        varying += differs;
        again += differs && is_read_again(v, of, operand, depth - 1);
    }
    return varying == 1 && again == 1;
}

enum { STEPS = 4 }; /* from the row to the operand */

static void keep_operand(struct vec *v, struct operands *all, LLVMValueRef o) {
    const struct wide *w = wide_of(v, o);
    if (lane_loop_source(v, o)) {
        keep_operand(v, all, lane_loop_source(v, o));
    } else if (is_read_again(v, all->of, o, STEPS)) {
        return;
    } else if ((w->form == FORM_VECTOR || w->form == FORM_ROWS) && !ptrmap_at(&all->vars, o, 0)) {
        ptrmap_set(&all->vars, o, (uintptr_t)spill(v, wide_vector(v, w, LLVMTypeOf(o)), &all->used));
    }
}

/* The instruction with the operands of a lane whose number is known at run time. */
static LLVMValueRef copy_for_lane(struct vec *v, struct operands *all, LLVMValueRef i, LLVMValueRef lane);

static LLVMValueRef operand_of_lane(struct vec *v, struct operands *all, LLVMValueRef o, LLVMValueRef lane) {
    const struct wide *w = wide_of(v, o);
    if (w->form == FORM_UNIFORM) {
        return w->value;
    }
    LLVMTypeRef type = LLVMTypeOf(o), i64 = LLVMInt64TypeInContext(v->llvm);
    if (lane_loop_source(v, o) || is_read_again(v, all->of, o, STEPS)) {
        return copy_for_lane(v, all, o, lane);
    }
    if (w->form == FORM_VECTOR || w->form == FORM_ROWS) {
        LLVMTypeRef element = type;
        LLVMValueRef var = (LLVMValueRef)ptrmap_at(&all->vars, o, 0);
        return LLVMBuildLoad2(v->b, element, element_at(v, element, var, lane), "");
    }
    bool is_pointer = LLVMGetTypeKind(type) == LLVMPointerTypeKind;
    LLVMTypeRef number = is_pointer ? i64 : type;
    LLVMValueRef stride = LLVMConstInt(number, (uint64_t)w->stride, 1);
    LLVMValueRef distance = LLVMBuildMul(v->b, LLVMBuildIntCast2(v->b, lane, number, 0, ""), stride, "");
    return is_pointer ? ir_offset(v->b, w->value, distance, "") : LLVMBuildAdd(v->b, w->value, distance, "");
}

static LLVMValueRef copy_for_lane(struct vec *v, struct operands *all, LLVMValueRef i, LLVMValueRef lane) {
    LLVMValueRef copy = LLVMInstructionClone(i);
    int64_t stride;
    LLVMValueRef first = LLVMIsALoadInst(i) ? even_address(v, LLVMGetOperand(i, 0), &stride) : NULL;
    if (first) {
        LLVMTypeRef i64 = LLVMInt64TypeInContext(v->llvm);
        LLVMValueRef lane64 = LLVMBuildZExt(v->b, lane, i64, "");
        LLVMValueRef bytes = LLVMBuildMul(v->b, lane64, LLVMConstInt(i64, (uint64_t)stride, 1), "");
        LLVMSetOperand(copy, 0, ir_offset(v->b, first, bytes, ""));
    }
    for (int n = 0; !first && n < LLVMGetNumOperands(i); n++) {
        LLVMValueRef operand = LLVMGetOperand(i, (unsigned)n);
        LLVMSetOperand(copy, (unsigned)n, operand_of_lane(v, all, operand, lane));
    }
    LLVMInsertIntoBuilderWithName(v->b, copy, "");
    return copy;
}

/* A loop over the lanes of v->mask. */
struct lanes {
    LLVMBasicBlockRef before, loop, after;
    LLVMValueRef bits; /* of the mask; NULL: all lanes */
    LLVMValueRef left; /* lanes that are left, as bits; or the lane's number */
};

/* Gives the number of the lane. */
static LLVMValueRef begin_lanes(struct vec *v, struct lanes *l) {
    LLVMTypeRef i32 = LLVMInt32TypeInContext(v->llvm), type = LLVMIntTypeInContext(v->llvm, v->width);
    l->bits = v->mask ? LLVMBuildBitCast(v->b, v->mask, type, "") : NULL;
    l->before = LLVMGetInsertBlock(v->b);
    l->loop = ir_block(v->k->run, "lanes");
    l->after = ir_block(v->k->run, "lanes.end");
    if (!l->bits) {
        LLVMBuildBr(v->b, l->loop);
        LLVMPositionBuilderAtEnd(v->b, l->loop);
        l->left = LLVMBuildPhi(v->b, i32, "lane");
        return l->left;
    }
    LLVMBuildCondBr(v->b, LLVMBuildIsNotNull(v->b, l->bits, ""), l->loop, l->after);
    LLVMPositionBuilderAtEnd(v->b, l->loop);
    l->left = LLVMBuildPhi(v->b, type, "rest");
    LLVMValueRef zeros[] = {l->left, LLVMConstInt(LLVMInt1TypeInContext(v->llvm), 1, 0)};
    LLVMValueRef lane = vec_intrinsic(v, "llvm.cttz", &type, 1, zeros, 2);
    return LLVMBuildIntCast2(v->b, lane, i32, 0, "lane");
}

static void end_lanes(struct vec *v, struct lanes *l, bool is_short) {
    enum { PLACES = 4 }; /* of a short instruction in the code: few enough */
    LLVMTypeRef type = LLVMTypeOf(l->left);
    LLVMValueRef first = l->bits ? l->bits : LLVMConstInt(type, 0, 0), one = LLVMConstInt(type, 1, 0), next,
                 more;
    if (l->bits) {
        next = LLVMBuildAnd(v->b, l->left, LLVMBuildSub(v->b, l->left, one, ""), "");
        more = LLVMBuildIsNotNull(v->b, next, "");
    } else {
        next = LLVMBuildAdd(v->b, l->left, one, "");
        more = LLVMBuildICmp(v->b, LLVMIntULT, next, LLVMConstInt(type, v->width, 0), "");
    }
    LLVMValueRef again = LLVMBuildCondBr(v->b, more, l->loop, l->after);
    LLVMAddIncoming(l->left, (LLVMValueRef[]){first, next},
                    (LLVMBasicBlockRef[]){l->before, LLVMGetInsertBlock(v->b)}, 2);
    bool unrolls = !l->bits && is_short;
    ir_set_loop_property(v->llvm, again,
                         unrolls ? ir_loop_property(v->llvm, "llvm.loop.unroll.count", PLACES)
                                 : ir_loop_property(v->llvm, "llvm.loop.unroll.disable", 0));
    LLVMPositionBuilderAtEnd(v->b, l->after);
}

bool lane_loop_widen(struct vec *v, LLVMValueRef i) {
    if (!has_loop_form(v, i)) {
        return false;
    }
    struct operands all = {.of = i};
    LLVMTypeRef type = LLVMTypeOf(i);
    LLVMValueRef results = NULL;
    struct lanes lanes;
    for (int n = 0; n < LLVMGetNumOperands(i); n++) {
        keep_operand(v, &all, LLVMGetOperand(i, (unsigned)n));
    }
    if (LLVMGetFirstUse(i)) {
        results = spill(v, LLVMGetPoison(vec_type(v, type)), &all.used);
    }
    LLVMValueRef lane = begin_lanes(v, &lanes), copy = copy_for_lane(v, &all, i, lane);
    if (results) {
        LLVMBuildStore(v->b, copy, element_at(v, type, results, lane));
    }
    bool is_local = LLVMIsAAtomicRMWInst(i) && wg_kind(i) == MEMORY_LOCAL;
    end_lanes(v, &lanes, is_local);
    if (results) {
        LLVMValueRef each = LLVMBuildLoad2(v->b, vec_type(v, type), results, "");
        wide_set(v, i, wide_new(FORM_VECTOR, each, 0));
    }
    return true;
}
