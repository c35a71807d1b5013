/* instrument_loops.c: loops that may wait for ever, in a checked kernel.
 *
 * In: the kernel before accesses are instrumented. Out: calls of __weir_check_watch in each loop whose exits depend on memory
 * that others may write: one on each way round, with what the loop carries from round to round, and one for each
 * value read or written. While nothing of that changes from one round to the next the loop does the same
 * again, so that only somebody else can end it: src/check/deadlock.c decides whether anybody will.
 *     loop:                                          loop:
 *       %v = load atomic i32, ptr addrspace(1) %f      call void @__weir_check_watch(i64 0, i32 9, i32 1, i64 0)
 *       %c = icmp eq i32 %v, 0                         %v = load atomic i32, ptr addrspace(1) %f ...
 *       br i1 %c, label %loop, label %on               call void @__weir_check_watch(i64 %a, i32 8, i32 0, i64 %bits)
 * A loop that counts its rounds and may end by that is left alone, as are all that no memory ends but those that nothing ends:
 * without an exit, or with branches that depend on nothing that a round may change. */
#include "instrument.h"
#include <string.h>

enum { SEEN, ROUND, GOES_ON }; /* what __weir_check_watch is told */

struct watching {
    struct instrumenting *in;
    unsigned *stamp, stamps;
    unsigned loop; /* stamp of the blocks of the loop that is looked at */
    LLVMBasicBlockRef header;
    struct ptrmap cone; /* values that its exits depend on, in it */
    struct list carried,
        seen; /* of the cone: the header's PHIs; what reads memory, or is no plain arithmetic */
    bool all_branches, observes, is_plain;
};

static bool is_inside(const struct watching *w, LLVMValueRef v) {
    return LLVMIsAInstruction(v) &&
           w->stamp[ptrmap_at(&w->in->index, LLVMGetInstructionParent(v), 0)] == w->loop;
}

/* The value's bits as an i64; NULL: it has no such form. Emits nothing where `dry`. */
static LLVMValueRef bits(struct watching *w, LLVMValueRef v, bool dry) {
    LLVMTypeRef i64 = LLVMInt64TypeInContext(w->in->k->llvm), type = LLVMTypeOf(v);
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    uint64_t size = kind == LLVMStructTypeKind ? 0 : LLVMSizeOfTypeInBits(w->in->layout, type);
    if (LLVMIsAAtomicCmpXchgInst(v)) {
        LLVMTypeRef old = LLVMTypeOf(LLVMGetOperand(v, 1));
        if (dry) {
            return LLVMSizeOfTypeInBits(w->in->layout, old) <= 64 ? v : NULL;
        }
        v = LLVMBuildExtractValue(w->in->b, v, 0, "");
        kind = LLVMGetTypeKind(old);
        size = LLVMSizeOfTypeInBits(w->in->layout, old);
    }
    if (!size || size > 64) {
        return NULL;
    }
    if (dry) {
        return v;
    }
    if (kind == LLVMPointerTypeKind) {
        return LLVMBuildPtrToInt(w->in->b, v, i64, "");
    }
    v = LLVMBuildBitCast(w->in->b, v, LLVMIntTypeInContext(w->in->k->llvm, (unsigned)size), "");
    return LLVMBuildZExtOrBitCast(w->in->b, v, i64, "");
}

/* ---- what a loop's exits depend on ---- */

static void add(struct watching *w, LLVMValueRef v);

static void add_condition(struct watching *w, LLVMBasicBlockRef block) {
    LLVMValueRef branch = LLVMGetBasicBlockTerminator(block);
    if (LLVMGetNumSuccessors(branch) > 1) {
        add(w, LLVMGetOperand(branch, 0));
    }
}

static void add_all_branches(struct watching *w) {
    if (w->all_branches) {
        return;
    }
    w->all_branches = true;
    for (unsigned n = 0; n < w->in->cfg->n; n++) {
        if (w->stamp[n] == w->loop) {
            add_condition(w, w->in->blocks[n]);
        }
    }
}

static bool is_observation(LLVMValueRef i) {
    return LLVMIsAAtomicRMWInst(i) || LLVMIsAAtomicCmpXchgInst(i) || (LLVMIsALoadInst(i) && !ir_is_plain(i));
}

static void add(struct watching *w, LLVMValueRef v) {
    if (!is_inside(w, v) || ptrmap_at(&w->cone, v, 0)) {
        return;
    }
    ptrmap_set(&w->cone, v, 1);
    if (LLVMIsALoadInst(v) || LLVMIsACallInst(v) || LLVMIsAAtomicRMWInst(v) || LLVMIsAAtomicCmpXchgInst(v)) {
        w->observes |= is_observation(v) && instrument_is_shared(w->in, LLVMGetOperand(v, 0));
        w->is_plain |= LLVMIsALoadInst(v) && instrument_is_shared(w->in, LLVMGetOperand(v, 0));
        if (!LLVMIsACallInst(v) || !ir_has_no_effect(v) || subgroup_is_op(v)) {
            list_add(&w->seen, v);
        }
    }
    if (LLVMIsAPHINode(v) && LLVMGetInstructionParent(v) == w->header) {
        list_add(&w->carried, v);
    }
    if (LLVMIsAPHINode(v)) {
        for (unsigned n = 0; n < LLVMCountIncoming(v); n++) {
            add(w, LLVMGetIncomingValue(v, n));
        }
        add_all_branches(w);
        return;
    }
    for (int n = 0; n < LLVMGetNumOperands(v); n++) {
        add(w, LLVMGetOperand(v, (unsigned)n));
    }
}

/* False: the loop has no exit. */
static bool find_cone(struct watching *w) {
    struct graph *cfg = w->in->cfg;
    bool has_exit = false;
    for (unsigned n = 0; n < cfg->n; n++) {
        bool leaves = false;
        for (unsigned s = 0; w->stamp[n] == w->loop && s < cfg->nsucc[n]; s++) {
            leaves |= w->stamp[cfg->succ[n][s]] != w->loop;
        }
        if (leaves) {
            add_condition(w, w->in->blocks[n]);
        }
        has_exit |= leaves;
    }
    return has_exit;
}

/* Whether each round does what the one before it did, whatever others do. */
static bool is_endless(struct watching *w, bool has_exit) {
    if (has_exit && !w->carried.n && !w->seen.n) {
        add_all_branches(w);
    }
    return !has_exit || (!w->carried.n && !w->seen.n);
}

/* Whether each round changes it by as much: a counter. */
static bool is_counter(struct watching *w, LLVMValueRef phi) {
    bool counts = false;
    for (unsigned n = 0; n < LLVMCountIncoming(phi); n++) {
        LLVMValueRef next = LLVMGetIncomingValue(phi, n);
        if (is_inside(w, next) && (LLVMIsABinaryOperator(next) || LLVMIsAGetElementPtrInst(next))) {
            LLVMValueRef a = LLVMGetOperand(next, 0), b = LLVMGetOperand(next, 1);
            counts |= (a == phi && LLVMIsAConstant(b)) || (b == phi && LLVMIsAConstant(a));
        }
    }
    return counts;
}

/* Whether all that the loop does to others' memory can be told. */
static bool can_be_told(struct watching *w) {
    for (size_t i = 0; i < w->carried.n; i++) {
        if (is_counter(w, w->carried.at[i]) || !bits(w, w->carried.at[i], true)) {
            return false;
        }
    }
    for (size_t i = 0; i < w->seen.n; i++) {
        if (!bits(w, w->seen.at[i], true)) {
            return false;
        }
    }
    for (unsigned n = 0; n < w->in->cfg->n; n++) {
        LLVMValueRef i = w->stamp[n] == w->loop ? LLVMGetFirstInstruction(w->in->blocks[n]) : NULL;
        for (; i; i = LLVMGetNextInstruction(i)) {
            bool is_call = LLVMIsACallInst(i) && !ir_is_marker(i) && !ir_has_no_effect(i) &&
                           !ir_is_intrinsic(i, "__weir_");
            if (is_call || (LLVMIsAStoreInst(i) && !bits(w, LLVMGetOperand(i, 0), true))) {
                return false;
            }
        }
    }
    return true;
}

/* ---- calls ---- */

static void watch(struct watching *w, LLVMValueRef at, LLVMValueRef p, uint32_t what, LLVMValueRef value) {
    LLVMTypeRef i64 = LLVMInt64TypeInContext(w->in->k->llvm);
    LLVMValueRef args[] = {p ? LLVMBuildPtrToInt(w->in->b, p, i64, "") : LLVMConstNull(i64),
                           instrument_site(w->in, at, WEIR_SITE_WATCH, 0, 0),
                           ir_const32(w->in->k->llvm, what), value};
    instrument_call(w->in, "__weir_check_watch", args, 4);
}

static void watch_after(struct watching *w, LLVMValueRef i, LLVMValueRef p, LLVMValueRef value) {
    instrument_before(w->in, LLVMGetNextInstruction(i));
    LLVMSetCurrentDebugLocation2(w->in->b, LLVMInstructionGetDebugLoc(i));
    watch(w, i, p, SEEN, bits(w, value, false));
}

/* An instruction of the loop that the source has a line for: where it waits. */
static LLVMValueRef place_of(struct watching *w) {
    for (size_t i = 0; i < w->seen.n; i++) {
        if (LLVMInstructionGetDebugLoc(w->seen.at[i])) {
            return w->seen.at[i];
        }
    }
    return LLVMGetBasicBlockTerminator(w->header);
}

static void at_header(struct watching *w) {
    LLVMPositionBuilderBefore(w->in->b, ir_after_phis(LLVMGetFirstInstruction(w->header)));
    LLVMSetCurrentDebugLocation2(w->in->b, NULL);
}

static void watch_loop(struct watching *w, bool goes_on) {
    LLVMTypeRef i64 = LLVMInt64TypeInContext(w->in->k->llvm);
    LLVMValueRef sum = LLVMConstNull(i64);
    at_header(w);
    for (size_t i = 0; !goes_on && i < w->carried.n; i++) {
        sum = LLVMBuildMul(w->in->b, sum, ir_const64(w->in->k->llvm, 0x9e3779b97f4a7c15), "");
        sum = LLVMBuildAdd(w->in->b, sum, bits(w, w->carried.at[i], false), "");
    }
    watch(w, place_of(w), NULL, goes_on ? GOES_ON : ROUND, sum);
    for (size_t i = 0; !goes_on && i < w->seen.n; i++) {
        LLVMValueRef v = w->seen.at[i];
        watch_after(w, v, LLVMIsACallInst(v) ? NULL : LLVMGetOperand(v, 0), v);
    }
    for (unsigned n = 0; !goes_on && n < w->in->cfg->n; n++) { /* what others may see */
        LLVMValueRef next = w->stamp[n] == w->loop ? LLVMGetFirstInstruction(w->in->blocks[n]) : NULL;
        for (LLVMValueRef i = next; i; i = next) {
            next = LLVMGetNextInstruction(i);
            bool changes = LLVMIsAAtomicRMWInst(i) || LLVMIsAAtomicCmpXchgInst(i);
            if (LLVMIsAStoreInst(i) && instrument_is_shared(w->in, LLVMGetOperand(i, 1))) {
                watch_after(w, i, LLVMGetOperand(i, 1), LLVMGetOperand(i, 0));
            } else if (changes && !ptrmap_at(&w->cone, i, 0)) {
                watch_after(w, i, LLVMGetOperand(i, 0), i);
            }
        }
    }
}

/* ---- all loops ---- */

static void look_at(struct watching *w) {
    w->cone = (struct ptrmap){0};
    w->carried = w->seen = (struct list){0};
    w->all_branches = w->observes = w->is_plain = false;
    if (is_endless(w, find_cone(w))) {
        at_header(w);
        watch(w, LLVMGetBasicBlockTerminator(w->header), NULL, ROUND,
              LLVMConstNull(LLVMInt64TypeInContext(w->in->k->llvm)));
        return;
    }
    if (!w->observes && (!w->is_plain || w->carried.n)) {
        return;
    }
    watch_loop(w, !can_be_told(w)); /* work-items take turns: one that goes on must be heard of */
}

static void find_loops(struct watching *w, void **nodes, size_t n) {
    struct components found = {0};
    unsigned all = ++w->stamps;
    for (size_t i = 0; i < n; i++) {
        w->stamp[(uintptr_t)nodes[i]] = all;
    }
    graph_components(w->in->cfg, w->stamp, all, nodes, n, &found);
    for (size_t c = 0; c < found.starts.n; c++) {
        size_t start = (size_t)(uintptr_t)found.starts.at[c],
               end = c + 1 < found.starts.n ? (size_t)(uintptr_t)found.starts.at[c + 1] : found.nodes.n;
        void **part = found.nodes.at + start;
        unsigned header = (unsigned)(uintptr_t)part[0];
        if (end - start == 1 && !graph_has_edge(w->in->cfg, header, header)) {
            continue;
        }
        w->loop = ++w->stamps;
        for (size_t i = 0; i < end - start; i++) {
            w->stamp[(uintptr_t)part[i]] = w->loop;
        }
        for (size_t i = 0; i < end - start; i++) { /* where it is entered */
            unsigned node = (unsigned)(uintptr_t)part[i];
            for (unsigned p = 0; p < w->in->cfg->npred[node]; p++) {
                header = w->stamp[w->in->cfg->pred[node][p]] != w->loop ? node : header;
            }
        }
        w->header = w->in->blocks[header];
        look_at(w);
        struct list rest = {0};
        for (size_t i = 0; i < end - start; i++) {
            if ((uintptr_t)part[i] != header) {
                list_add(&rest, part[i]);
            }
        }
        find_loops(w, rest.at, rest.n);
    }
}

void instrument_loops(struct instrumenting *in) {
    struct watching w = {.in = in, .stamp = job_alloc((in->cfg->n + 1) * sizeof *w.stamp)};
    struct list nodes = {0};
    for (unsigned n = 0; n < in->cfg->n; n++) {
        list_add(&nodes, (void *)(uintptr_t)n);
    }
    find_loops(&w, nodes.at, nodes.n);
}
