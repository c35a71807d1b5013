/* loop_bounds.c: the bound after which no work-item of the group has anything to do in a region.
 *
 * In `if (l < k) ...` with a k that the work-group shares, work-items from k on may have no effect on anything: then the
 * loop over the group's packs ends there. loop_bounds_conditions needs the function as uniform.c saw it, loop_bounds_find
 * its slots; loop_bounds_note, where the branch is emitted, keeps k in a variable, which holds the row's size until then.
 * So packs that never come to the branch don't end the loop; but where no pack comes there unless the first one does, it holds 0.
 * The first pack runs in any case, and does what all do alike. Several branches: the last work-item that one of them lets in.
 * It is index-set splitting (Griebl, Feautrier and Lengauer, 2000) where the second part is empty, with a bound that the loop
 * itself computes.
 *     %l = call i32 @__weir_local_id_32_0()
 *     %c = icmp ult i32 %l, %k                    the region's loop: for (x = 0; x < min(k, size); x += W)
 *     br i1 %c, label %work, label %barrier
 * What it can't do: lower bounds, bounds of anything but a plain local id, and branches that may run again. */
#include "wg.h"

/* A comparison on which a branch depends: it goes `way` only for ids below `limit`. */
struct bound {
    unsigned node; /* of the branch, in the function */
    unsigned way;  /* the successor's number */
    unsigned d;    /* the id's dimension */
    LLVMValueRef compare;
    unsigned limit; /* the operand's number */
    bool is_signed, includes /* the limit itself */;
    LLVMValueRef var;
};

/* The dimension of a local id, maybe extended; 3: the value is something else. */
static unsigned dimension_of(LLVMValueRef v) {
    unsigned d;
    return intrinsic_id(ir_unextended(v), &d) == ID_LOCAL ? d : 3;
}

/* Whether the comparison holds only for ids up to a limit; `swapped`: the limit is its first operand. */
static bool is_upper(LLVMIntPredicate p, bool swapped, struct bound *b) {
    b->includes = p == LLVMIntULE || p == LLVMIntUGE || p == LLVMIntSLE || p == LLVMIntSGE || p == LLVMIntEQ;
    b->is_signed = p == LLVMIntSLT || p == LLVMIntSLE || p == LLVMIntSGT || p == LLVMIntSGE;
    switch (p) {
    case LLVMIntEQ:
        return true;
    case LLVMIntULT:
    case LLVMIntULE:
    case LLVMIntSLT:
    case LLVMIntSLE:
        return !swapped;
    case LLVMIntUGT:
    case LLVMIntUGE:
    case LLVMIntSGT:
    case LLVMIntSGE:
        return swapped;
    default:
        return false;
    }
}

/* Adds the bounds that the condition's being `holds` implies. */
static void add_conditions(struct wg *wg, LLVMValueRef condition, bool holds, const struct bound *like) {
    LLVMOpcode combines = holds ? LLVMAnd : LLVMOr;
    if (!LLVMIsAInstruction(condition) || LLVMGetInstructionParent(condition) != wg->blocks[like->node]) {
        return;
    }
    if (LLVMGetInstructionOpcode(condition) == combines) {
        add_conditions(wg, LLVMGetOperand(condition, 0), holds, like);
        add_conditions(wg, LLVMGetOperand(condition, 1), holds, like);
    }
    if (!LLVMIsAICmpInst(condition)) {
        return;
    }
    LLVMIntPredicate p = LLVMGetICmpPredicate(condition);
    for (unsigned limit = 0; limit < 2; limit++) {
        struct bound *b = job_alloc(sizeof *b);
        LLVMValueRef value = LLVMGetOperand(condition, limit);
        *b = *like;
        b->compare = condition;
        b->limit = limit;
        b->d = dimension_of(LLVMGetOperand(condition, !limit));
        bool leaves =
            LLVMIsAInstruction(value) && ptrmap_at(&wg->uniform.parted, LLVMGetInstructionParent(value), 0);
        if (b->d < 3 && uniform_is(&wg->uniform, value) && !leaves &&
            is_upper(holds ? p : ir_opposite(p), limit == 0, b)) {
            list_add(&wg->bounds, b);
        }
    }
}

void loop_bounds_conditions(struct wg *wg) {
    for (unsigned node = 0; node < wg->cfg->n; node++) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(wg->blocks[node]);
        if (LLVMGetInstructionOpcode(end) == LLVMBr && LLVMIsConditional(end) &&
            wg->cfg->succ[node][0] != wg->cfg->succ[node][1]) {
            for (unsigned way = 0; way < 2; way++) {
                add_conditions(wg, LLVMGetCondition(end), !way, &(struct bound){.node = node, .way = way});
            }
        }
    }
}

/* Whether the instruction does something that isn't the same for all work-items. */
static bool has_effect(const struct wg *wg, LLVMValueRef i) {
    struct slot *slot = slots_of_access(&wg->slots, i);
    if (LLVMIsAStoreInst(i)) {
        LLVMValueRef var = private_base(LLVMGetOperand(i, 1));
        uintptr_t at;
        slot = !slot && var && ptrmap_get(&wg->slots.by_var, var, &at) ? &wg->slots.at[at] : slot;
        return LLVMGetVolatile(i) || !slot || slot->escapes || (slot->crosses && !slot->uniform);
    }
    if (LLVMIsALoadInst(i)) {
        return !slot && !ir_is_plain(i);
    }
    if (LLVMIsACallInst(i)) {
        return !ir_is_marker(i) && (subgroup_is_op(i) || !ir_has_no_effect(i));
    }
    return LLVMIsAFenceInst(i) || LLVMIsAAtomicRMWInst(i) || LLVMIsAAtomicCmpXchgInst(i);
}

/* The node, and those that work-items come to from there without a barrier and on none of the ways of `bounds`, which
 * `seen` marks. */
static struct list reach(struct wg *wg, unsigned start, const struct list *bounds, unsigned char *seen) {
    struct list nodes = {0};
    list_add(&nodes, (void *)(uintptr_t)start);
    for (size_t n = 0; n < nodes.n; n++) {
        unsigned node = (unsigned)(uintptr_t)nodes.at[n];
        for (unsigned s = 0; s < wg->cfg->nsucc[node]; s++) {
            unsigned to = wg->cfg->succ[node][s];
            bool open = !seen[to] && !wg_region_after(wg, wg->blocks[to]);
            for (size_t k = 0; k < bounds->n; k++) {
                const struct bound *b = bounds->at[k];
                open &= b->node != node || b->way != s;
            }
            if (open) {
                seen[to] = 1;
                list_add(&nodes, (void *)(uintptr_t)to);
            }
        }
    }
    return nodes;
}

/* Whether work-items that take none of the ways of `bounds` have no effect in the region. */
static bool is_idle(struct wg *wg, const struct region *r, const struct list *bounds) {
    struct list nodes = reach(wg, r->start, bounds, job_alloc(wg->cfg->n));
    for (size_t n = 0; n < nodes.n; n++) {
        LLVMValueRef i = LLVMGetFirstInstruction(wg->blocks[(uintptr_t)nodes.at[n]]);
        for (; i; i = LLVMGetNextInstruction(i)) {
            if (has_effect(wg, i)) {
                return false;
            }
        }
    }
    return true;
}

/* Whether work-items may come to the node more than once. */
static bool is_in_cycle(struct wg *wg, unsigned node) {
    unsigned char *seen = job_alloc(wg->cfg->n);
    reach(wg, node, &(struct list){0}, seen);
    return seen[node];
}

/* Those of the list but for one. */
static struct list without(const struct list *all, size_t one) {
    struct list rest = {0};
    for (size_t i = 0; i < all->n; i++) {
        if (i != one) {
            list_add(&rest, all->at[i]);
        }
    }
    return rest;
}

void loop_bounds_find(struct wg *wg, struct region *r) {
    unsigned char *inside = job_alloc(wg->cfg->n);
    bool whole = wg_is_whole(wg, r);
    for (size_t i = 0; i < r->blocks.n; i++) {
        inside[(uintptr_t)r->blocks.at[i]] = 1;
    }
    for (unsigned d = 0; whole && d < 3; d++) {
        struct list bounds = {0};
        for (size_t i = 0; i < wg->bounds.n; i++) {
            const struct bound *b = wg->bounds.at[i];
            if (b->d == d && inside[b->node] && !is_in_cycle(wg, b->node)) {
                list_add(&bounds, wg->bounds.at[i]);
            }
        }
        if (!bounds.n || !is_idle(wg, r, &bounds)) {
            continue;
        }
        for (size_t i = bounds.n; i-- > 0;) {
            struct list rest = without(&bounds, i);
            bounds = rest.n && is_idle(wg, r, &rest) ? rest : bounds;
        }
        r->bounds[d] = bounds;
    }
}

/* Whether the region reads or writes what work-items keep in the context. */
static bool uses_context(const struct wg *wg, const struct region *r) {
    for (size_t n = 0; n < r->blocks.n; n++) {
        LLVMValueRef i = LLVMGetFirstInstruction(wg->blocks[(uintptr_t)r->blocks.at[n]]);
        for (; i; i = LLVMGetNextInstruction(i)) {
            const struct slot *slot = slots_of_access(&wg->slots, i);
            if (slot && slot->crosses && !slot->uniform) {
                return true;
            }
        }
    }
    return false;
}

/* Whether all ways from `from` come to `to`. */
static bool is_sure(const struct graph *g, const unsigned *ipdom, unsigned from, unsigned to) {
    while (from != to && from != g->n) {
        from = ipdom[from];
    }
    return from == to;
}

/* Whether all work-items come to the bound's branch if one does: the branches that it is control dependent on (Ferrante,
 * Ottenstein and Warren, 1987), and those that they are, all take alike. */
static bool is_alike(struct wg *wg, const struct region *r, const struct bound *b) {
    struct graph *g = region_graph(wg, r);
    unsigned *ipdom = graph_ipdom(g), n = 0;
    unsigned char *seen = job_alloc(g->n);
    struct list todo = {0};
    while ((uintptr_t)r->blocks.at[n] != b->node) {
        n++;
    }
    list_add(&todo, (void *)(uintptr_t)n);
    for (size_t at = 0; at < todo.n; at++) {
        unsigned to = (unsigned)(uintptr_t)todo.at[at];
        for (unsigned i = 0; i < r->blocks.n; i++) {
            bool leads = false;
            for (unsigned s = 0; s < g->nsucc[i]; s++) {
                leads |= is_sure(g, ipdom, g->succ[i][s], to);
            }
            if (!leads || seen[i] || (i != to && is_sure(g, ipdom, i, to))) {
                continue;
            }
            if (!uniform_is(&wg->uniform,
                            LLVMGetBasicBlockTerminator(wg->blocks[(uintptr_t)r->blocks.at[i]]))) {
                return false;
            }
            seen[i] = 1;
            list_add(&todo, (void *)(uintptr_t)i);
        }
    }
    return true;
}

void loop_bounds_begin(struct wg *wg, struct region *r) {
    /* LLVM keeps a small context in registers, if it knows how many packs there are. */
    bool unrolls = wg->k->context_is_small && uses_context(wg, r);
    for (unsigned d = 0; d < 3; d++) {
        wg->loops.bounds[d] = (struct list){0};
        for (size_t i = 0; !unrolls && i < r->bounds[d].n; i++) {
            struct bound *b = r->bounds[d].at[i];
            LLVMValueRef first = is_alike(wg, r, b) ? ir_const64(wg->k->llvm, 0) : wg->loops.size[d];
            LLVMBuilderRef entry = ir_at_entry(wg->k->run);
            b->var = LLVMBuildAlloca(entry, LLVMInt64TypeInContext(wg->k->llvm), "bound");
            LLVMDisposeBuilder(entry);
            LLVMBuildStore(wg->b, first, b->var);
            list_add(&wg->loops.bounds[d], b->var);
        }
    }
}

void loop_bounds_note(struct wg *wg, struct region *r, unsigned node,
                      LLVMValueRef scalar_of(void *, LLVMValueRef), void *arg) {
    LLVMTypeRef i64 = LLVMInt64TypeInContext(wg->k->llvm);
    for (unsigned d = 0; d < 3; d++) {
        for (size_t i = 0; i < wg->loops.bounds[d].n; i++) {
            const struct bound *b = r->bounds[d].at[i];
            LLVMValueRef limit =
                b->node == node ? scalar_of(arg, LLVMGetOperand(b->compare, b->limit)) : NULL;
            if (!limit) {
                continue;
            }
            LLVMValueRef more = ir_const64(wg->k->llvm, b->includes);
            LLVMValueRef most = LLVMBuildSub(wg->b, wg->loops.size[d], more, "");
            limit = LLVMBuildIntCast2(wg->b, limit, i64, b->is_signed, "");
            LLVMValueRef is_less =
                LLVMBuildICmp(wg->b, b->is_signed ? LLVMIntSLT : LLVMIntULT, limit, most, "");
            limit = LLVMBuildSelect(wg->b, is_less, limit, most, "");
            LLVMBuildStore(wg->b, LLVMBuildAdd(wg->b, limit, more, ""), b->var);
        }
    }
}

double loop_bounds_filled(const struct wg *wg, const struct region *r) {
    const double USUAL = 0.5;
    double most = r->bounds[0].n ? 0 : 1;
    for (size_t i = 0; i < r->bounds[0].n; i++) {
        const struct bound *b = r->bounds[0].at[i];
        LLVMValueRef limit = LLVMGetOperand(b->compare, b->limit);
        uint64_t lanes = wg->k->width / wg->k->rows,
                 n = LLVMIsAConstantInt(limit) ? LLVMConstIntGetZExtValue(limit) + b->includes : 0;
        double here = n ? (double)n / (double)((n + lanes - 1) / lanes * lanes) : USUAL;
        most = here > most ? here : most;
    }
    return most;
}
