/* pack_loops.c: loops over packs that have loops in them stay loops where their copies would only be more code.
 *
 * In: the module before `optimize`. Out: k->run, whose loops over packs are marked to stay as they are where a pack has a loop
 * of its own that stays one: over its lanes, as for atomics, which take longer than what the loops around them do. And in long
 * kernels where it has any loop, if what crosses barriers is in memory anyway: LLVM would unroll each of the many regions for
 * its few packs, which is several times the code. Without loops in them a pack's number may decide which of its code is left. */
#include "post.h"

enum { LONG = 8000 }; /* instructions: half a second */

/* Whether the header of another loop in it is marked. */
static bool has_in_it(const struct graph_loop *loop, const bool *marked) {
    bool found = false;
    for (size_t i = 0; i < loop->nodes.n && !found; i++) {
        uintptr_t node = (uintptr_t)loop->nodes.at[i];
        found = node != loop->header && marked[node];
    }
    return found;
}

/* The end of the block that is the p-th to lead to the loop's header, if it is a way back from the loop; else NULL. */
static LLVMValueRef way_back(const struct graph *cfg, LLVMBasicBlockRef *blocks,
                             const struct graph_loop *loop, unsigned p) {
    unsigned from = cfg->pred[loop->header][p];
    return graph_loop_has(loop, from) ? LLVMGetBasicBlockTerminator(blocks[from]) : NULL;
}

/* lane_loop.c and rolled_loops.c say so. */
static bool stays(LLVMContextRef c, LLVMValueRef end) {
    return ir_has_loop_property(c, end, "llvm.loop.unroll.disable") ||
           ir_has_loop_property(c, end, "llvm.loop.unroll.runtime.disable");
}

void pack_loops_pass(struct kernel *k) {
    bool is_long = !k->context_is_small && ir_function_length(k->run) > LONG;
    LLVMMetadataRef stay = ir_loop_property(k->llvm, "llvm.loop.unroll.disable", 0);
    struct ptrmap index = {0};
    LLVMBasicBlockRef *blocks;
    struct graph *cfg = cfg_of(k->run, &index, &blocks);
    struct list loops = graph_loops(cfg);
    bool *counts = job_alloc(cfg->n); /* headers of loops for which those around them stay */
    for (size_t i = 0; i < loops.n; i++) {
        const struct graph_loop *loop = loops.at[i];
        counts[loop->header] |= is_long;
        for (unsigned p = 0; p < cfg->npred[loop->header]; p++) {
            LLVMValueRef end = way_back(cfg, blocks, loop, p);
            counts[loop->header] |= end && stays(k->llvm, end);
        }
    }
    for (size_t i = 0; i < loops.n; i++) { /* after all have been looked at: marks are what was looked for */
        const struct graph_loop *loop = loops.at[i];
        for (unsigned p = 0; p < cfg->npred[loop->header] && has_in_it(loop, counts); p++) {
            LLVMValueRef end = way_back(cfg, blocks, loop, p);
            if (end && ir_has_loop_property(k->llvm, end, "llvm.loop.parallel_accesses")) {
                ir_add_loop_property(k->llvm, end, stay);
            }
        }
    }
}
