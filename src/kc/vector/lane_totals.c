/* lane_totals.c: a work-group's reduction, whose total is kept lane by lane until the loop over packs has ended.
 *
 * In: calls of __weir_sub_total_* whose result nobody uses, right before the barrier that a region ends with: so all work-items come
 * to one, or none does, and each once. Out: a vector that holds the operation's identity before the loop, one operation
 * per pack, and behind the loop the lanes joined and stored. As no pack joins its own lanes, none waits for the one before.
 * Invariant: when the region has ended memory holds the total; where its packs haven't come to the call, what it held.
 *     call @__weir_sub_total_add_int(%t, %x, %first)
 *     barrier                                          %sum = add <16 x i32> %sum, %x ... store reduce(%sum), %t
 * What it can't do: scans, which ask for the total so far, and regions that work-items leave one by one. */
#include "vector.h"

struct total {
    LLVMValueRef call, lanes, place,
        met; /* variables: the vector, where the total goes, whether there is one */
};

/* Nothing that reads memory follows up to the barrier. */
static bool is_last(const struct wg *wg, LLVMValueRef call) {
    LLVMValueRef i = call;
    while ((i = LLVMGetNextInstruction(i)) && !LLVMIsATerminatorInst(i)) {
        if (LLVMIsALoadInst(i) || (LLVMIsACallInst(i) && !ir_is_marker(i) && !ir_has_no_effect(i))) {
            return false;
        }
    }
    return i && LLVMGetNumSuccessors(i) == 1 && wg_region_after(wg, LLVMGetSuccessor(i, 0));
}

static void begin(struct vec *v, struct region *r, LLVMValueRef call) {
    struct total *t = job_alloc(sizeof *t);
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(call, 1)), flag = LLVMInt1TypeInContext(v->llvm);
    LLVMValueRef none = subgroup_identity(subgroup_operation_of(call), type);
    *t = (struct total){.call = call,
                        .lanes = vec_variable(v, vec_type(v, type), "total"),
                        .place = vec_variable(v, LLVMTypeOf(LLVMGetOperand(call, 0)), "total.at"),
                        .met = vec_variable(v, flag, "total.met")};
    LLVMBuildStore(v->b, wide_splat(v, none), t->lanes);
    LLVMBuildStore(v->b, LLVMConstNull(flag), t->met);
    list_add(&r->totals, t);
}

void totals_begin(struct wg *wg, struct region *r) {
    struct vec *v = vec_new(wg, r);
    for (size_t n = 0; wg->pack && wg_is_whole(wg, r) && n < r->blocks.n; n++) {
        LLVMValueRef i = LLVMGetFirstInstruction(wg->blocks[(uintptr_t)r->blocks.at[n]]);
        for (; i; i = LLVMGetNextInstruction(i)) {
            if (subgroup_op_of(i) == SUBGROUP_TOTAL && !LLVMGetFirstUse(i) && is_last(wg, i)) {
                begin(v, r, i);
            }
        }
    }
}

bool totals_join(struct vec *v, LLVMValueRef call, LLVMValueRef x, LLVMValueRef at) {
    for (size_t n = 0; n < v->r->totals.n; n++) {
        const struct total *t = v->r->totals.at[n];
        if (t->call == call) {
            LLVMValueRef sum = LLVMBuildLoad2(v->b, LLVMTypeOf(x), t->lanes, "");
            sum = subgroup_joined(v, subgroup_operation_of(call), sum, x);
            LLVMBuildStore(v->b, sum, t->lanes);
            LLVMBuildStore(v->b, at, t->place);
            LLVMBuildStore(v->b, LLVMConstInt(LLVMInt1TypeInContext(v->llvm), 1, 0), t->met);
            return true;
        }
    }
    return false;
}

void totals_end(struct wg *wg, struct region *r) {
    struct vec *v = vec_new(wg, r);
    for (size_t n = 0; n < r->totals.n; n++) {
        const struct total *t = r->totals.at[n];
        LLVMBasicBlockRef join = ir_block(v->k->run, "total"), after = ir_block(v->k->run, "after");
        LLVMValueRef met = LLVMBuildLoad2(v->b, LLVMGetAllocatedType(t->met), t->met, "");
        LLVMBuildCondBr(v->b, met, join, after);
        LLVMPositionBuilderAtEnd(v->b, join);
        LLVMValueRef sum = LLVMBuildLoad2(v->b, LLVMGetAllocatedType(t->lanes), t->lanes, "");
        LLVMValueRef at = LLVMBuildLoad2(v->b, LLVMGetAllocatedType(t->place), t->place, "");
        LLVMBuildStore(v->b, subgroup_total(v, subgroup_operation_of(t->call), sum), at);
        LLVMBuildBr(v->b, after);
        LLVMPositionBuilderAtEnd(v->b, after);
    }
}
