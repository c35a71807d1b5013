/* walks.c: loops in which each work-item walks along a row of its own.
 *
 * Needs k->run simplified, its OpenCL vectors scalars. Gives the same with such loops unrolled, as many rounds as a line of the
 * cache has elements, or fewer where a round walks along several rows. One round alone would read an element from each of W
 * lines, which are W pages for long rows and often one set of the cache: then no line stays until the next round. The rounds
 * together read parts of rows, which tuples.c makes OpenCL vectors of and by_lane.c transposes in registers.
 *     for (j = 0; j < n; j++)                        for (; j + 15 < n; j += 16)
 *         sum += a[id * n + j] * x[j];        ->         sum = fma(a[id * n + j], x[j], sum), ..., a[id * n + j + 15] ...
 *                                                    for (; j < n; j++) ...
 * Rounds that LLVM may compute together stay as they are: a work-item alone then walks along its row by vectors.
 * What it can't do: loops that lanes leave at different times, and rows along which a pointer walks. */
#include "analysis.h"
#include "lower.h"

struct walks {
    struct kernel *k;
    struct uniform pack;
    LLVMTargetDataRef layout;
    bool found;
};

/* Whether the address goes on by `bytes` with each round, up or down, from places that are further apart. */
static bool is_walk(const struct walks *w, LLVMValueRef at, int64_t bytes, LLVMValueRef counter) {
    enum { NEAR = 4 };
    int64_t stride, distance;
    if (uniform_is(&w->pack, at) ||
        (uniform_stride(&w->pack, at, &stride) && stride <= NEAR * bytes && stride >= -NEAR * bytes)) {
        return false;
    }
    return counted_loop_distance(w->layout, counter, at, &distance) &&
           (distance == bytes || distance == -bytes);
}

static bool has_barrier(LLVMValueRef f) {
    LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f);
    while (b && !ir_has_barrier(b)) {
        b = LLVMGetNextBasicBlock(b);
    }
    return b;
}

/* Whether the loops are left to LLVM, which makes vectors of rounds where work-items run one by one: of those around which most
 * others are, so that this is what takes the time. Between barriers there is more that asks for packs: in the rounds of a
 * loop. */
static bool are_left(const struct kernel *k) {
    struct ptrmap index = {0};
    LLVMBasicBlockRef *blocks;
    const struct graph *cfg = cfg_of(k->run, &index, &blocks);
    unsigned *depth = graph_depths(cfg), most = has_barrier(k->run) ? 2 : 1;
    bool any = false, all = !(k->job->request->width & REQUEST_WIDTH) && !k->meta->uses_subgroups;
    for (unsigned n = 0; n < cfg->n; n++) {
        most = depth[n] > most ? depth[n] : most;
    }
    for (unsigned n = 0; n < cfg->n && all; n++) {
        any |= depth[n] == most;
        all = depth[n] < most || counted_loop_rounds(k, blocks[n]) > 1;
    }
    return any && all;
}

static void look_at_loop(struct walks *w, LLVMBasicBlockRef b) {
    enum { LINE = 64, LEAST = 16 }; /* bytes */
    LLVMValueRef counter =
        uniform_is(&w->pack, LLVMGetBasicBlockTerminator(b)) ? counted_loop_counter(b) : NULL;
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
    any = any && !are_left(k);
    if (any) {
        uniform_run(k, &w.pack);
    }
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(k->run); b && any; b = LLVMGetNextBasicBlock(b)) {
        look_at_loop(&w, b);
    }
    if (w.found) {
        static const char passes[] =
            "function(loop-unroll<O1;no-partial;no-peeling;no-runtime;no-upperbound>,"
            "instcombine<no-verify-fixpoint>,early-cse<memssa>,simplifycfg,lower-switch,adce)";
        job_run_passes(k->job, k->module, passes, target_optimizer(k->job), "walks");
    }
}
