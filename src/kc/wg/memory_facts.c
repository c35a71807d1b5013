/* memory_facts.c: what LLVM may assume of the memory that a work-group's loops touch.
 *
 * In: a kind of memory per access. Out: alias scopes, by which local, global and context memory are known to be apart,
 * and access groups, by which a loop over work-items is known to be parallel: between two barriers work-items are
 * independent, but for private memory on the stack, which they use in turn, and volatile and atomic accesses. */
#include "item_loops.h"

/* An access group: a distinct node without operands, which only the IR parser makes. */
LLVMValueRef memory_group(struct kernel *k) {
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

void memory_facts(struct kernel *k, struct memory_facts *m) {
    LLVMContextRef c = k->llvm;
    LLVMMetadataRef domain = ir_distinct(c, NULL, 0), scopes[MEMORY_KINDS];
    m->scope_kind = LLVMGetMDKindIDInContext(c, "alias.scope", 11);
    m->noalias_kind = LLVMGetMDKindIDInContext(c, "noalias", 7);
    m->group_kind = LLVMGetMDKindIDInContext(c, "llvm.access.group", 17);
    for (unsigned i = 0; i < MEMORY_OTHER; i++) {
        scopes[i] = ir_distinct(c, &domain, 1);
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
        ir_add_to_list(access, "alias.scope", LLVMValueAsMetadata(m->scope[kind]));
    }
    ir_add_to_list(access, "noalias", LLVMValueAsMetadata(m->noalias[kind]));
    bool ordered = LLVMGetVolatile(access) || LLVMGetOrdering(access) != LLVMAtomicOrderingNotAtomic;
    if (group && kind < MEMORY_OTHER && !ordered) {
        LLVMSetMetadata(access, m->group_kind, group);
    }
}
