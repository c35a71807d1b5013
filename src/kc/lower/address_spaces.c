/* address_spaces.c: local memory is apart from global memory, said so that LLVM knows.
 *
 * Needs k->run with all that it calls inlined. Gives loads, stores and atomics of either an alias scope. To this target's alias
 * analysis address spaces say nothing; with this a sum that a loop adds to global memory, while it reads local memory, is a value
 * until the loop ends. Barriers are calls that may touch all memory, and stay where they are. (When regions are
 * formed, wg/memory_facts.c says this again, and more.)
 *     for (int j = 0; j < 100; j++)
 *         out[l] += tile[j];                           out[l] is read before the loop and written after it */
#include "lower.h"

void address_spaces_pass(struct kernel *k) {
    LLVMContextRef c = k->llvm;
    LLVMMetadataRef domain = ir_distinct(c, NULL, 0), scopes[2];
    LLVMValueRef lists[2];
    unsigned scope_kind = LLVMGetMDKindIDInContext(c, "alias.scope", 11);
    unsigned noalias_kind = LLVMGetMDKindIDInContext(c, "noalias", 7);
    for (unsigned i = 0; i < 2; i++) {
        scopes[i] = ir_distinct(c, &domain, 1);
        lists[i] = LLVMMetadataAsValue(c, LLVMMDNodeInContext2(c, &scopes[i], 1));
    }
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(k->run); b; b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            LLVMValueRef at = ir_address(i);
            unsigned space = at ? LLVMGetPointerAddressSpace(LLVMTypeOf(at)) : AS_PRIVATE;
            if (space != AS_PRIVATE) { /* it may be generic */
                LLVMSetMetadata(i, scope_kind, lists[space == AS_LOCAL]);
                LLVMSetMetadata(i, noalias_kind, lists[space != AS_LOCAL]);
            }
        }
    }
}
