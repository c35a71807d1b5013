/* apart.c: buffers that share no memory, said so that LLVM and packs know.
 *
 * Needs pointers in registers. Gives loads and stores by a pointer that is an argument the alias scope of that argument, if the
 * launch's buffers are known not to overlap (REQUEST_APART): the runtime has looked at where they lie. That holds for all
 * work-items and across barriers, which `restrict` says nothing of; so nothing is lost when regions are formed
 * (wg/memory_facts.c). A sum in memory becomes a value, and reads of one buffer pass writes of another:
 *     for (int j = 0; j < n; j++)
 *         y[i] += a[i * n + j] * x[j];              y[i] is read before the loop and written after it
 * What it can't do: pointers that come from memory or from integers; these may be to any buffer. */
#include "lower.h"

static unsigned mark_kind(LLVMValueRef load) {
    return LLVMGetMDKindIDInContext(
        LLVMGetModuleContext(LLVMGetGlobalParent(LLVMGetBasicBlockParent(LLVMGetInstructionParent(load)))),
        "weir.buffer", 11);
}

void apart_mark(struct kernel *k, LLVMValueRef argument) {
    if (k->job->request->width & REQUEST_APART && !k->checked && LLVMIsALoadInst(argument)) {
        LLVMSetMetadata(argument, mark_kind(argument),
                        LLVMMetadataAsValue(k->llvm, LLVMMDNodeInContext2(k->llvm, NULL, 0)));
    }
}

/* `seen`: PHIs on the way, whose own value may be anything that the others are. */
static bool find_buffer(LLVMValueRef p, LLVMValueRef *seen, unsigned n, LLVMValueRef *buffer) {
    enum { MOST = 4 };
    p = ir_strip_offsets(p);
    for (unsigned i = 0; i < n; i++) {
        if (seen[i] == p) {
            return true;
        }
    }
    if (LLVMIsALoadInst(p) && LLVMGetMetadata(p, mark_kind(p)) && (!*buffer || *buffer == p)) {
        *buffer = p;
        return true;
    }
    bool is = LLVMIsAPHINode(p) && n < MOST;
    if (is) {
        seen[n] = p;
    }
    for (unsigned i = 0; is && i < LLVMCountIncoming(p); i++) {
        is = find_buffer(LLVMGetIncomingValue(p, i), seen, n + 1, buffer);
    }
    return is;
}

LLVMValueRef apart_buffer(LLVMValueRef pointer) {
    LLVMValueRef seen[4], buffer = NULL;
    return find_buffer(pointer, seen, 0, &buffer) ? buffer : NULL;
}

static LLVMValueRef access_address(LLVMValueRef i) {
    return LLVMIsALoadInst(i) ? LLVMGetOperand(i, 0) : LLVMIsAStoreInst(i) ? LLVMGetOperand(i, 1) : NULL;
}

void apart_pass(struct kernel *k) {
    LLVMContextRef c = k->llvm;
    struct ptrmap places = {0}; /* a buffer's number plus 1 */
    struct list accesses = {0}, buffers = {0};
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(k->run); b; b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            LLVMValueRef at = access_address(i), buffer = at ? apart_buffer(at) : NULL;
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
