/* pack_loops.c: in long kernels, loops over packs that have loops in them stay loops.
 *
 * In: the module before `optimize`. Out: k->run, whose loops over packs are marked to stay as they are where it is long, what
 * crosses barriers is in memory anyway, and a pack has loops of its own, as those over its lanes: LLVM would unroll each of the
 * many regions for its few packs, which is several times the code. Without loops in them a pack's number may decide which of
 * its code is left. */
#include "post.h"

enum { LONG = 8000 }; /* instructions: half a second */

static bool has_loop_in_it(const struct graph_loop *loop, const bool *is_header) {
    bool found = false;
    for (size_t i = 0; i < loop->nodes.n && !found; i++) {
        uintptr_t node = (uintptr_t)loop->nodes.at[i];
        found = node != loop->header && is_header[node];
    }
    return found;
}

void pack_loops_pass(struct kernel *k) {
    if (k->context_is_small || ir_function_length(k->run) <= LONG) {
        return;
    }
    LLVMMetadataRef stay = ir_loop_property(k->llvm, "llvm.loop.unroll.disable", 0);
    struct ptrmap index = {0};
    LLVMBasicBlockRef *blocks;
    struct graph *cfg = cfg_of(k->run, &index, &blocks);
    struct list loops = graph_loops(cfg);
    bool *is_header = job_alloc(cfg->n);
    for (size_t i = 0; i < loops.n; i++) {
        is_header[((struct graph_loop *)loops.at[i])->header] = true;
    }
    for (size_t i = 0; i < loops.n; i++) {
        const struct graph_loop *loop = loops.at[i];
        for (unsigned p = 0; p < cfg->npred[loop->header]; p++) {
            unsigned from = cfg->pred[loop->header][p];
            LLVMValueRef end = LLVMGetBasicBlockTerminator(blocks[from]);
            if (graph_loop_has(loop, from) && has_loop_in_it(loop, is_header) &&
                ir_has_loop_property(k->llvm, end, "llvm.loop.parallel_accesses")) {
                ir_add_loop_property(k->llvm, end, stay);
            }
        }
    }
}
