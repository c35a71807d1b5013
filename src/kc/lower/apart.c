/* apart.c: variables and buffers that share no memory, said so that LLVM and packs know.
 *
 * Needs pointers in registers. Gives loads and stores into an object (analysis/objects.c) an alias scope of that object: of
 * local variables, and of buffers that the runtime has seen not to overlap. That holds for all
 * work-items and across barriers, which `restrict` says nothing of; so nothing is lost when regions are formed
 * (wg/memory_facts.c; packs say it of global memory alone, as lanes that are off may write back what lies beside a local
 * variable). A sum in memory becomes a value, and reads of one buffer pass writes of another:
 *     for (int j = 0; j < n; j++)
 *         y[i] += a[i * n + j] * x[j];              y[i] is read before the loop and written after it
 * What it can't do: pointers that come from memory or from integers; these may be into any object. */
#include "analysis.h"
#include "lower.h"

static LLVMValueRef access_address(LLVMValueRef i) {
    return LLVMIsALoadInst(i) ? LLVMGetOperand(i, 0) : LLVMIsAStoreInst(i) ? LLVMGetOperand(i, 1) : NULL;
}

void apart_pass(struct kernel *k) {
    LLVMContextRef c = k->llvm;
    struct ptrmap places = {0}; /* a buffer's number plus 1 */
    struct list accesses = {0}, buffers = {0};
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(k->run); b; b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            LLVMValueRef at = access_address(i), buffer = at ? object_of(at) : NULL;
            if (buffer && !ptrmap_at(&places, buffer, 0)) {
                list_add(&buffers, buffer);
                ptrmap_set(&places, buffer, buffers.n);
            }
            if (buffer) {
                list_add(&accesses, i);
                list_add(&accesses, (void *)(uintptr_t)ptrmap_at(&places, buffer, 0));
            }
        }
    }
    if (buffers.n < 2) {
        return;
    }
    LLVMMetadataRef domain = ir_distinct(c, NULL, 0), *scopes = job_alloc(buffers.n * sizeof *scopes),
                    *others = job_alloc(buffers.n * sizeof *others);
    for (size_t i = 0; i < buffers.n; i++) {
        scopes[i] = ir_distinct(c, &domain, 1);
    }
    for (size_t i = 0; i < accesses.n; i += 2) {
        size_t own = (uintptr_t)accesses.at[i + 1] - 1, n = 0;
        for (size_t o = 0; o < buffers.n; o++) {
            others[n] = scopes[o];
            n += o != own;
        }
        ir_add_to_list(accesses.at[i], "alias.scope", LLVMMDNodeInContext2(c, &scopes[own], 1));
        ir_add_to_list(accesses.at[i], "noalias", LLVMMDNodeInContext2(c, others, n));
    }
}
