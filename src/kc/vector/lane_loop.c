/* lane_loop.c: a call that stays one for each lane, as a loop over the lanes that are on.
 *
 * In: a call whose result nobody uses, and its operands as the pack has them. Out: a loop that takes the lanes from the lowest on;
 * where operands differ from lane to lane it reads them from variables on the stack, which calls share. In a row, each
 * after a branch, the calls of wide packs, as of printf, would be more code than all around them. */
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

static bool has_loop_form(struct vec *v, LLVMValueRef call) {
    if (!LLVMIsACallInst(call) || ir_is_intrinsic(call, "llvm.") || v->width < 4 || LLVMGetFirstUse(call)) {
        return false;
    }
    for (int n = 0; n < LLVMGetNumOperands(call); n++) {
        const struct wide *w = wide_of(v, LLVMGetOperand(call, (unsigned)n));
        bool is_bits =
            w->form == FORM_VECTOR && !private_is_element(LLVMGetElementType(LLVMTypeOf(w->value)));
        if (w->form == FORM_LANES || w->form == FORM_PARTS || is_bits) {
            return false;
        }
    }
    return true;
}

/* The operand of a lane whose number is known at run time; `var` as spill() has given it. */
static LLVMValueRef operand_of_lane(struct vec *v, const struct wide *w, LLVMValueRef var,
                                    LLVMValueRef lane) {
    if (w->form == FORM_UNIFORM) {
        return w->value;
    }
    LLVMTypeRef type = LLVMTypeOf(w->value), i64 = LLVMInt64TypeInContext(v->llvm);
    LLVMValueRef lane64 = LLVMBuildZExt(v->b, lane, i64, "");
    if (w->form == FORM_VECTOR) {
        LLVMTypeRef element = LLVMGetElementType(type);
        return LLVMBuildLoad2(v->b, element, LLVMBuildGEP2(v->b, element, var, &lane64, 1, ""), "");
    }
    bool is_pointer = LLVMGetTypeKind(type) == LLVMPointerTypeKind;
    LLVMTypeRef number = is_pointer ? i64 : type;
    LLVMValueRef stride = LLVMConstInt(number, (uint64_t)w->stride, 1);
    LLVMValueRef distance = LLVMBuildMul(v->b, LLVMBuildIntCast2(v->b, lane64, number, 0, ""), stride, "");
    return is_pointer ? ir_offset(v->b, w->value, distance, "") : LLVMBuildAdd(v->b, w->value, distance, "");
}

bool lane_loop_widen(struct vec *v, LLVMValueRef call) {
    if (!has_loop_form(v, call)) {
        return false;
    }
    unsigned n = (unsigned)LLVMGetNumOperands(call);
    LLVMValueRef *vars = job_alloc((n + 1) * sizeof *vars);
    struct list used = {0};
    for (unsigned o = 0; o < n; o++) {
        const struct wide *w = wide_of(v, LLVMGetOperand(call, o));
        vars[o] = w->form == FORM_VECTOR ? spill(v, w->value, &used) : NULL;
    }
    LLVMTypeRef type = LLVMIntTypeInContext(v->llvm, v->width), i32 = LLVMInt32TypeInContext(v->llvm);
    LLVMValueRef bits = LLVMBuildBitCast(v->b, vec_full(v, v->mask), type, "");
    LLVMBasicBlockRef before = LLVMGetInsertBlock(v->b), loop = ir_block(v->k->run, "lanes"),
                      after = ir_block(v->k->run, "lanes.end");
    LLVMBuildCondBr(v->b, LLVMBuildIsNotNull(v->b, bits, ""), loop, after);
    LLVMPositionBuilderAtEnd(v->b, loop);
    LLVMValueRef rest = LLVMBuildPhi(v->b, type, "rest");
    LLVMValueRef zeros[] = {rest, LLVMConstInt(LLVMInt1TypeInContext(v->llvm), 1, 0)};
    LLVMValueRef lane = vec_intrinsic(v, "llvm.cttz", &type, 1, zeros, 2);
    lane = LLVMBuildIntCast2(v->b, lane, i32, 0, "lane");
    LLVMValueRef copy = LLVMInstructionClone(call);
    for (unsigned o = 0; o < n; o++) {
        LLVMSetOperand(copy, o, operand_of_lane(v, wide_of(v, LLVMGetOperand(call, o)), vars[o], lane));
    }
    LLVMInsertIntoBuilderWithName(v->b, copy, "");
    LLVMValueRef less = LLVMBuildSub(v->b, rest, LLVMConstInt(type, 1, 0), "");
    LLVMValueRef others = LLVMBuildAnd(v->b, rest, less, "");
    LLVMValueRef again = LLVMBuildCondBr(v->b, LLVMBuildIsNotNull(v->b, others, ""), loop, after);
    static const char wish[] = "llvm.loop.unroll.disable";
    LLVMMetadataRef text = LLVMMDStringInContext2(v->llvm, wish, sizeof wish - 1);
    ir_set_loop_property(v->llvm, again, LLVMMDNodeInContext2(v->llvm, &text, 1));
    LLVMAddIncoming(rest, (LLVMValueRef[]){bits, others}, (LLVMBasicBlockRef[]){before, loop}, 2);
    LLVMPositionBuilderAtEnd(v->b, after);
    return true;
}
