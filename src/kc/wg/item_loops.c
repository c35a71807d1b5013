/* item_loops.c: loops over the work-items of a work-group, and what LLVM may assume of the memory they touch.
 *
 * A nest runs the items in the order of their linear id, dimension 0 innermost, so that collectives built on
 * that order and printf's order hold. A dimension that one round is known to cover has no loop. Loops carry
 * llvm.loop.parallel_accesses: between two barriers work-items are independent, but for the accesses that
 * memory_annotate leaves out (private memory on the stack, which items use in turn, volatile and atomic ones).
 * At width 1 a pack is one work-item. */
#include "item_loops.h"
#include <string.h>

/* 1 <= size <= WEIR_MAX_ITEMS: what makes index arithmetic in 32 bits and back provably plain. */
static void assume_in_range(struct kernel *k, LLVMBuilderRef b, LLVMValueRef size) {
    if (LLVMIsAConstantInt(size)) {
        return;
    }
    unsigned id = LLVMLookupIntrinsicID("llvm.assume", 11);
    LLVMValueRef assume = LLVMGetIntrinsicDeclaration(k->module, id, NULL, 0);
    LLVMValueRef less_one = LLVMBuildSub(b, size, ir_const64(k->llvm, 1), "");
    LLVMValueRef fact = LLVMBuildICmp(b, LLVMIntULT, less_one, ir_const64(k->llvm, WEIR_MAX_ITEMS), "");
    LLVMBuildCall2(b, LLVMGlobalGetValueType(assume), assume, &fact, 1, "");
}

void item_loops_sizes(struct kernel *k, LLVMBuilderRef b, struct item_loops *p) {
    p->k = k;
    p->b = b;
    for (unsigned d = 0; d < 3; d++) {
        p->size[d] = kernel_group_size(k, b, d);
        assume_in_range(k, b, p->size[d]);
    }
}

static bool is_single(const struct item_loops *p, unsigned d) {
    return LLVMIsAConstantInt(p->size[d]) && LLVMConstIntGetZExtValue(p->size[d]) <= (d ? 1 : p->k->width);
}

/* A node that refers to itself and so is equal to no other, as loops and alias scopes need. */
static LLVMMetadataRef distinct(LLVMContextRef c, LLVMMetadataRef *rest, size_t n) {
    LLVMMetadataRef parts[8] = {LLVMTemporaryMDNode(c, NULL, 0)};
    for (size_t i = 0; i < n; i++) {
        parts[1 + i] = rest[i];
    }
    LLVMMetadataRef self = LLVMMDNodeInContext2(c, parts, n + 1);
    LLVMValueRef node = LLVMMetadataAsValue(c, self);
    LLVMReplaceMDNodeOperandWith(node, 0, self);
    return LLVMValueAsMetadata(node);
}

/* An access group: a distinct node without operands, which only the IR parser makes. */
static LLVMValueRef access_group(struct kernel *k) {
    static const char text[] = "!group = !{!0}\n!0 = distinct !{}\n";
    LLVMMemoryBufferRef buffer =
        LLVMCreateMemoryBufferWithMemoryRangeCopy(text, sizeof text - 1, "access group");
    LLVMModuleRef module;
    char *message = NULL;
    if (LLVMParseIRInContext(k->llvm, buffer, &module, &message)) {
        job_fail(k->job, ANSWER_COMPILER_FAILED, "access group: %s", message);
    }
    LLVMValueRef group;
    LLVMGetNamedMetadataOperands(module, "group", &group);
    return group;
}

LLVMValueRef item_loops_row(struct item_loops *p) {
    LLVMValueRef most = ir_const64(p->k->llvm, p->k->width - 1);
    LLVMValueRef up = LLVMBuildNUWAdd(p->b, p->size[0], most, "");
    return LLVMBuildAnd(p->b, up, ir_const64(p->k->llvm, ~(uint64_t)(p->k->width - 1)), "");
}

void item_loops_begin(struct item_loops *p, const char *name) {
    struct kernel *k = p->k;
    LLVMTypeRef i64 = LLVMInt64TypeInContext(k->llvm);
    LLVMValueRef zero = ir_const64(k->llvm, 0), row = zero;
    static const char *const letters[] = {"x", "y", "z"};
    p->group = access_group(k);
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
        row = LLVMBuildNUWAdd(p->b, row, p->local_id[d], d ? "row" : "place");
    }
    p->place = row;
    p->latch = ir_block(p->k->run, job_printf("%s.next", name));
}

void loop_set_property(LLVMContextRef c, LLVMValueRef branch, LLVMMetadataRef property) {
    LLVMSetMetadata(branch, LLVMGetMDKindIDInContext(c, "llvm.loop", 9),
                    LLVMMetadataAsValue(c, distinct(c, &property, 1)));
}

static void attach_loop(struct item_loops *p, LLVMValueRef branch) {
    LLVMContextRef c = p->k->llvm;
    LLVMMetadataRef parallel[] = {LLVMMDStringInContext2(c, "llvm.loop.parallel_accesses", 27),
                                  LLVMValueAsMetadata(p->group)};
    loop_set_property(c, branch, LLVMMDNodeInContext2(c, parallel, 2));
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
        LLVMValueRef step = ir_const64(p->k->llvm, d ? 1 : p->k->width);
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

void memory_facts(struct kernel *k, struct memory_facts *m) {
    LLVMContextRef c = k->llvm;
    LLVMMetadataRef domain = distinct(c, NULL, 0), scopes[MEMORY_KINDS];
    m->scope_kind = LLVMGetMDKindIDInContext(c, "alias.scope", 11);
    m->noalias_kind = LLVMGetMDKindIDInContext(c, "noalias", 7);
    m->group_kind = LLVMGetMDKindIDInContext(c, "llvm.access.group", 17);
    for (unsigned i = 0; i < MEMORY_OTHER; i++) {
        scopes[i] = distinct(c, &domain, 1);
        m->scope[i] = LLVMMetadataAsValue(c, LLVMMDNodeInContext2(c, &scopes[i], 1));
    }
    for (unsigned i = 0; i < MEMORY_KINDS;
         i++) { /* what is other may be a generic pointer to global or local */
        LLVMMetadataRef others[MEMORY_KINDS];
        size_t n = 0;
        for (unsigned o = 0; o < (i >= MEMORY_OTHER ? 1U : (unsigned)MEMORY_OTHER); o++) {
            if (o != i) {
                others[n++] = scopes[o];
            }
        }
        m->noalias[i] = LLVMMetadataAsValue(c, LLVMMDNodeInContext2(c, others, n));
    }
}

void memory_annotate(const struct memory_facts *m, LLVMValueRef access, enum memory_kind kind,
                     LLVMValueRef group) {
    if (kind < MEMORY_OTHER) {
        LLVMSetMetadata(access, m->scope_kind, m->scope[kind]);
    }
    LLVMSetMetadata(access, m->noalias_kind, m->noalias[kind]);
    bool ordered = LLVMGetVolatile(access) || LLVMGetOrdering(access) != LLVMAtomicOrderingNotAtomic;
    if (group && kind < MEMORY_OTHER && !ordered) {
        LLVMSetMetadata(access, m->group_kind, group);
    }
}
