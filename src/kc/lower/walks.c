/* walks.c: loops in which each work-item walks along a row of its own.
 *
 * Needs k->run simplified, its OpenCL vectors scalars. Gives the same with such loops unrolled, as many rounds as a line of the
 * cache has elements, or fewer where a round walks along several rows. One round alone would read an element from each of W
 * lines, which are W pages for long rows and often one set of the cache: then no line stays until the next round. The rounds
 * together read parts of rows, which tuples.c makes OpenCL vectors of and by_lane.c transposes in registers.
 *     for (j = 0; j < n; j++)                        for (; j + 15 < n; j += 16)
 *         sum += a[id * n + j] * x[j];        ->         sum = fma(a[id * n + j], x[j], sum), ..., a[id * n + j + 15] ...
 *                                                    for (; j < n; j++) ...
 * What it can't do: loops that lanes leave at different times, and rows along which a pointer walks. */
#include "analysis.h"
#include "lower.h"

struct walks {
    struct kernel *k;
    struct uniform pack;
    LLVMTargetDataRef layout;
    bool found;
};

static bool is_outside(LLVMValueRef v, LLVMBasicBlockRef loop) {
    return !LLVMIsAInstruction(v) || LLVMGetInstructionParent(v) != loop;
}

/* How much the number goes up with the counter; false: not evenly. */
static bool find_factor(LLVMValueRef v, LLVMValueRef counter, unsigned depth, int64_t *factor) {
    LLVMBasicBlockRef loop = LLVMGetInstructionParent(counter);
    *factor = v == counter;
    if (v == counter || is_outside(v, loop)) {
        return true;
    }
    int64_t x = 0, y = 0;
    LLVMValueRef by = LLVMIsABinaryOperator(v) ? LLVMIsAConstantInt(LLVMGetOperand(v, 1)) : NULL;
    if (!depth || !LLVMGetNumOperands(v) || LLVMIsAPHINode(v) || LLVMIsALoadInst(v) || LLVMIsACallInst(v) ||
        !find_factor(LLVMGetOperand(v, 0), counter, depth - 1, &x)) {
        return false;
    }
    switch (LLVMGetInstructionOpcode(v)) {
    case LLVMSExt:
    case LLVMZExt:
    case LLVMTrunc:
        *factor = x;
        return true;
    case LLVMMul:
        *factor = by ? x * LLVMConstIntGetSExtValue(by) : 0;
        return by;
    case LLVMShl:
        *factor = by ? x * (INT64_C(1) << (LLVMConstIntGetZExtValue(by) & 31)) : 0;
        return by;
    case LLVMOr:
        if (!LLVMGetIsDisjoint(v)) {
            return false;
        } /* fall through */
    case LLVMAdd:
    case LLVMSub:
        if (!find_factor(LLVMGetOperand(v, 1), counter, depth - 1, &y)) {
            return false;
        }
        *factor = LLVMGetInstructionOpcode(v) == LLVMSub ? x - y : x + y;
        return true;
    default:
        return false;
    }
}

/* Whether the address goes on by `bytes` with each round, up or down, from places that are further apart. */
static bool is_walk(const struct walks *w, LLVMValueRef at, int64_t bytes, LLVMValueRef counter) {
    enum { DEPTH = 6, NEAR = 4 };
    struct gep_step steps[GEP_STEPS];
    int64_t sum = 0, factor, stride;
    if (uniform_is(&w->pack, at) ||
        (uniform_stride(&w->pack, at, &stride) && stride <= NEAR * bytes && stride >= -NEAR * bytes)) {
        return false;
    }
    LLVMBasicBlockRef loop = LLVMGetInstructionParent(counter);
    for (; LLVMIsAGetElementPtrInst(at) && !is_outside(at, loop); at = LLVMGetOperand(at, 0)) {
        unsigned n = ir_gep_steps(w->layout, at, steps);
        for (unsigned i = 0; i < n; i++) {
            if (steps[i].index && !find_factor(steps[i].index, counter, DEPTH, &factor)) {
                return false;
            }
            sum += steps[i].index ? (int64_t)steps[i].bytes * factor : 0;
        }
        if (!n) {
            return false;
        }
    }
    return is_outside(at, loop) && (sum == bytes || sum == -bytes);
}

/* The loop's counter, if the loop is this one block, lanes leave it together and nothing in it is ordered; else NULL. */
static LLVMValueRef find_counter(const struct walks *w, LLVMBasicBlockRef b) {
    enum { LONG = 100 }; /* instructions */
    LLVMValueRef end = LLVMGetBasicBlockTerminator(b), counter = NULL;
    unsigned n = 0;
    bool closes = LLVMIsABranchInst(end) && LLVMIsConditional(end) &&
                  (LLVMGetSuccessor(end, 0) == b) != (LLVMGetSuccessor(end, 1) == b);
    if (!closes || !uniform_is(&w->pack, end)) {
        return NULL;
    }
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
        bool is_access = LLVMIsALoadInst(i) || LLVMIsAStoreInst(i);
        bool is_plain = is_access && !LLVMGetVolatile(i) && LLVMGetOrdering(i) == LLVMAtomicOrderingNotAtomic;
        if ((is_access && !is_plain) || LLVMIsAFenceInst(i) || LLVMIsAAtomicRMWInst(i) ||
            LLVMIsAAtomicCmpXchgInst(i) || (LLVMIsACallInst(i) && !ir_has_no_effect(i)) || ++n > LONG) {
            return NULL;
        }
        for (unsigned o = 0; LLVMIsAPHINode(i) && o < LLVMCountIncoming(i); o++) {
            LLVMValueRef next = LLVMGetIncomingValue(i, o);
            bool adds = LLVMGetIncomingBlock(i, o) == b && LLVMIsABinaryOperator(next) &&
                        LLVMGetInstructionOpcode(next) == LLVMAdd && LLVMGetOperand(next, 0) == i;
            LLVMValueRef step = adds ? LLVMIsAConstantInt(LLVMGetOperand(next, 1)) : NULL;
            if (step && (LLVMConstIntGetSExtValue(step) == 1 || LLVMConstIntGetSExtValue(step) == -1)) {
                counter = i;
            }
        }
    }
    return counter;
}

static void look_at_loop(struct walks *w, LLVMBasicBlockRef b) {
    enum { LINE = 64, LEAST = 16 }; /* bytes */
    LLVMValueRef counter = find_counter(w, b);
    struct ptrmap known = {0};
    unsigned rows = 0, most = 0;
    int64_t size = 1;
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i && counter; i = LLVMGetNextInstruction(i)) {
        bool is_store = LLVMIsAStoreInst(i) != NULL;
        if (!is_store && !LLVMIsALoadInst(i)) {
            continue;
        }
        LLVMTypeRef type = LLVMTypeOf(is_store ? LLVMGetOperand(i, 0) : i);
        int64_t bytes = (int64_t)LLVMABISizeOfType(w->layout, type);
        if (LLVMGetTypeKind(type) != LLVMVectorTypeKind && private_is_element(type) &&
            is_walk(w, LLVMGetOperand(i, is_store ? 1 : 0), bytes, counter)) {
            LLVMValueRef root = ir_strip_offsets(LLVMGetOperand(i, is_store ? 1 : 0));
            rows += !ptrmap_at(&known, root, 0);
            ptrmap_set(&known, root, 1);
            size = bytes > size ? bytes : size;
        }
    }
    most = (unsigned)(LINE / size) < w->k->width ? (unsigned)(LINE / size) : w->k->width;
    for (; rows > 1 && most * (unsigned)size > LEAST; rows /= 2) {
        most /= 2;
    }
    if (rows && most * (unsigned)size >= LEAST) {
        unroll_ask(w->k, LLVMGetBasicBlockTerminator(b), "llvm.loop.unroll.count", most);
        w->found = true;
    }
}

void walks_pass(struct kernel *k) {
    struct walks w = {.k = k, .pack = {.of_pack = true, .width = k->width, .rows = 1}};
    if (k->checked || !k->optimize) {
        return;
    }
    w.layout = LLVMGetModuleDataLayout(k->module);
    bool any = false;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(k->run); b && !any; b = LLVMGetNextBasicBlock(b)) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
        for (unsigned s = 0; s < LLVMGetNumSuccessors(end); s++) {
            any |= LLVMGetSuccessor(end, s) == b;
        }
    }
    if (any) {
        uniform_run(k, &w.pack);
    }
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(k->run); b && any; b = LLVMGetNextBasicBlock(b)) {
        look_at_loop(&w, b);
    }
    if (w.found) {
        static const char passes[] =
            "function(loop-unroll<O1;no-partial;no-peeling;no-runtime;no-upperbound>,"
            "instcombine<no-verify-fixpoint>,early-cse<memssa>,simplifycfg,adce)";
        LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
        job_check(k->job, LLVMRunPasses(k->module, passes, target_optimizer(k->job), options), "walks");
        LLVMDisposePassBuilderOptions(options);
    }
}
