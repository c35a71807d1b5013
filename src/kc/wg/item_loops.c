/* item_loops.c: loops over the work-items of a work-group.
 *
 * A nest runs the items in the order of their linear id, dimension 0 innermost, so that collectives built on
 * that order and printf's order hold. A dimension that one round is known to cover has no loop. Loops carry
 * llvm.loop.parallel_accesses: between two barriers work-items are independent, but for the accesses that
 * memory_annotate leaves out (private memory on the stack, which items use in turn, volatile and atomic ones).
 * At width 1 a pack is one work-item. */
#include "item_loops.h"

/* 1 <= size <= WEIR_MAX_ITEMS: what makes index arithmetic in 32 bits and back provably plain. */
static void assume_in_range(struct kernel *k, LLVMBuilderRef b, LLVMValueRef size) {
    if (LLVMIsAConstantInt(size)) {
        return;
    }
    LLVMValueRef less_one = LLVMBuildSub(b, size, ir_const64(k->llvm, 1), "");
    LLVMValueRef fact = LLVMBuildICmp(b, LLVMIntULT, less_one, ir_const64(k->llvm, WEIR_MAX_ITEMS), "");
    ir_intrinsic(b, "llvm.assume", NULL, 0, &fact, 1);
}

/* Work-items of this group in a dimension, as packs go through it. */
static LLVMValueRef size_in(struct kernel *k, LLVMBuilderRef b, unsigned d) {
    LLVMValueRef size = ir_const64(k->llvm, k->local_size[0] ? k->local_size[d] : 1);
    if (k->local_size[0] || (k->one_row && d)) {
        return size;
    }
    for (unsigned i = k->one_row ? 0 : d; i <= (k->one_row ? 2 : d); i++) {
        size = LLVMBuildNUWMul(b, size, kernel_group_size(k, b, i), "");
    }
    return size;
}

void item_loops_sizes(struct kernel *k, LLVMBuilderRef b, struct item_loops *p) {
    p->k = k;
    p->b = b;
    for (unsigned d = 0; d < 3; d++) {
        p->size[d] = size_in(k, b, d);
        assume_in_range(k, b, p->size[d]);
    }
}

/* Work-items of a dimension that a pack has. */
static uint32_t step_in(const struct item_loops *p, unsigned d) {
    return d == 0 ? p->k->width / p->k->rows : d == 1 ? p->k->rows : 1;
}

static bool is_single(const struct item_loops *p, unsigned d) {
    return LLVMIsAConstantInt(p->size[d]) && LLVMConstIntGetZExtValue(p->size[d]) <= step_in(p, d);
}

LLVMValueRef item_loops_row(struct item_loops *p) {
    uint32_t lanes = step_in(p, 0);
    LLVMValueRef most = ir_const64(p->k->llvm, lanes - 1);
    LLVMValueRef up = LLVMBuildNUWAdd(p->b, p->size[0], most, "");
    return LLVMBuildAnd(p->b, up, ir_const64(p->k->llvm, ~(uint64_t)(lanes - 1)), "");
}

void item_loops_begin(struct item_loops *p, const char *name) {
    struct kernel *k = p->k;
    LLVMTypeRef i64 = LLVMInt64TypeInContext(k->llvm);
    LLVMValueRef zero = ir_const64(k->llvm, 0), row = zero;
    static const char *const letters[] = {"x", "y", "z"};
    p->group = memory_group(k);
    for (unsigned d = 3; d-- > 0;) {
        p->local_id[d] = zero;
        p->header[d] = p->step[d] = NULL;
        if (!is_single(p, d)) {
            LLVMBasicBlockRef before = LLVMGetInsertBlock(p->b);
            p->header[d] = ir_block(p->k->run, job_printf("%s.%s", name, letters[d]));
            p->step[d] = ir_block(p->k->run, job_printf("%s.%s.next", name, letters[d]));
            LLVMBuildBr(p->b, p->header[d]);
            LLVMPositionBuilderAtEnd(p->b, p->header[d]);
            p->local_id[d] = LLVMBuildPhi(p->b, i64, letters[d]);
            LLVMAddIncoming(p->local_id[d], &zero, &before, 1);
        }
        row = LLVMBuildNUWMul(p->b, row, d ? p->size[d] : item_loops_row(p), "");
        LLVMValueRef id = p->local_id[d];
        if (d == 0 && k->rows > 1) { /* packs lie one after the other */
            id = LLVMBuildNUWMul(p->b, id, ir_const64(k->llvm, k->rows), "");
        }
        row = LLVMBuildNUWAdd(p->b, row, id, d ? "row" : "place");
    }
    p->place = row;
    p->latch = ir_block(p->k->run, job_printf("%s.next", name));
}

static void attach_loop(struct item_loops *p, LLVMValueRef branch) {
    LLVMContextRef c = p->k->llvm;
    LLVMMetadataRef parallel[] = {LLVMMDStringInContext2(c, "llvm.loop.parallel_accesses", 27),
                                  LLVMValueAsMetadata(p->group)};
    ir_set_loop_property(c, branch, LLVMMDNodeInContext2(c, parallel, 2));
}

/* Where the loop ends. */
static LLVMValueRef end_of(struct item_loops *p, unsigned d) {
    LLVMTypeRef i64 = LLVMInt64TypeInContext(p->k->llvm);
    LLVMValueRef end = NULL;
    for (size_t i = 0; i < p->bounds[d].n; i++) {
        LLVMValueRef bound = LLVMBuildLoad2(p->b, i64, p->bounds[d].at[i], "");
        LLVMValueRef is_more = end ? LLVMBuildICmp(p->b, LLVMIntSGT, bound, end, "") : NULL;
        end = end ? LLVMBuildSelect(p->b, is_more, bound, end, "") : bound;
    }
    return end ? end : p->size[d];
}

void item_loops_end(struct item_loops *p) {
    LLVMPositionBuilderAtEnd(p->b, p->latch);
    for (unsigned d = 0; d < 3; d++) {
        if (!p->header[d]) {
            continue;
        }
        LLVMBuildBr(p->b, p->step[d]);
        LLVMMoveBasicBlockAfter(p->step[d], LLVMGetInsertBlock(p->b));
        LLVMPositionBuilderAtEnd(p->b, p->step[d]);
        LLVMValueRef step = ir_const64(p->k->llvm, step_in(p, d));
        LLVMValueRef next = LLVMBuildNUWAdd(p->b, p->local_id[d], step, "");
        LLVMSetNSW(next, 1);
        LLVMAddIncoming(p->local_id[d], &next, &p->step[d], 1);
        LLVMBasicBlockRef done = ir_block(p->k->run, "done");
        LLVMIntPredicate before = p->bounds[d].n ? LLVMIntSLT : LLVMIntULT;
        LLVMValueRef more = LLVMBuildICmp(p->b, before, next, end_of(p, d), "");
        attach_loop(p, LLVMBuildCondBr(p->b, more, p->header[d], done));
        LLVMPositionBuilderAtEnd(p->b, done);
    }
}
