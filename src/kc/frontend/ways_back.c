/* ways_back.c: work-items of a sub-group that leave a loop in different iterations don't meet in its body.
 *
 * In: IR as clang, or the SPIR-V reader, has made it. Out: the same, in which what sub-groups compute in a loop surely
 * belongs to the loop of the flow graph. In the source, what stands in a loop's body before `break`, `return` or `goto` runs
 * in each iteration, for those who leave in this one. In the flow graph nothing leads back from there, so it is
 * outside; and LLVM puts more outside, as it finds that a way through the loop is one out of it. So behind each
 * such function that isn't on all ways around a way back stands that is never taken:
 *     while.body: ...                                  while.body: ...
 *       br i1 %mine, label %if.then, label %while.body   br i1 %mine, label %if.then, label %while.body
 *     if.then:                                         if.then:
 *       %b = call @_Z16sub_group_balloti(i32 1)          %b = call @_Z16sub_group_balloti(i32 1)
 *       br label %while.end                              %stay = call i1 @__weir_sub_stay()
 *                                                        br i1 %stay, label %back, label %on
 *                                                      back:
 *                                                        call i1 @__weir_sub_stay()
 *                                                        br label %while.body
 *                                                      on:
 *                                                        br label %while.end
 * The call in %back keeps LLVM from folding the two branches into one. On the way back variables become what they were when
 * the round began, so that nothing is known there that would end the loop: LLVM would lead it past the loop, too. Regions
 * take it away again (lower/stay.c).
 *
 * Where a loop's body ends clang's names of blocks tell, which lie in the order of the source (compare LLVM's convergence
 * tokens, which say the same, and which clang 22 writes for Vulkan's SPIR-V alone). Of SPIR-V, OpLoopMerge does.
 * What it can't do: tell the end of a body in SPIR-V that has no OpLoopMerge. */
#include "frontend.h"
#include <stdlib.h>
#include <string.h>

struct loop {
    unsigned header, size;
    unsigned char *inside; /* by node */
    bool keeps;
    struct list variables; /* that it writes, each followed by what keeps its value */
};

struct body {
    struct graph *g;
    struct ptrmap index;
    LLVMBasicBlockRef *blocks;
    unsigned *end;     /* by node: of a loop that begins there, the block after its statement; 0: not known */
    struct list loops; /* inner ones first */
    unsigned *work;    /* of searches */
    unsigned char *seen;
};

/* ---- functions of sub-groups ---- */

/* Whether it depends on who calls it together. Of functions of other programs nothing is known. */
static bool is_together(struct ptrmap *known, LLVMValueRef call);

static bool has_together(struct ptrmap *known, LLVMBasicBlockRef block) {
    LLVMValueRef i = LLVMGetFirstInstruction(block);
    while (i && !(LLVMIsACallInst(i) && is_together(known, i))) {
        i = LLVMGetNextInstruction(i);
    }
    return i;
}

static bool function_is_together(struct ptrmap *known, LLVMValueRef f) {
    size_t n;
    const char *name = LLVMGetValueName2(f, &n);
    if (LLVMIsDeclaration(f) && strstr(name, "sub_group")) {
        return !strstr(name, "get_sub_group_") && !strstr(name, "get_max_sub_group_") &&
               !strstr(name, "get_num_sub_group") && !strstr(name, "get_enqueued_num_sub_group");
    }
    if (LLVMIsDeclaration(f)) {
        return !LLVMGetIntrinsicID(f) && strncmp(name, "__weir_", 7) && strcmp(name, "printf") &&
               !library_has(name);
    }
    bool found = false;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b && !found; b = LLVMGetNextBasicBlock(b)) {
        found = has_together(known, b);
    }
    return found;
}

static bool is_together(struct ptrmap *known, LLVMValueRef call) {
    enum { NO = 1, YES };
    LLVMValueRef f = ir_callee(call);
    if (!f) {
        return !LLVMIsAInlineAsm(LLVMGetCalledValue(call));
    }
    uintptr_t answer = ptrmap_at(known, f, 0);
    if (!answer) {
        ptrmap_set(known, f, NO); /* of recursion, which the linker refuses */
        answer = function_is_together(known, f) ? YES : NO;
        ptrmap_set(known, f, answer);
    }
    return answer == YES;
}

/* ---- loops ---- */

/* Nodes that are reached from `from` without entering `but`; `in`: only these, unless NULL. `seen` gets them, or memory that
 * is made for it. */
static unsigned char *reach(const struct body *b, unsigned from, unsigned but, const unsigned char *in,
                            unsigned char *seen) {
    unsigned *work = b->work, n = 0;
    seen = seen ? memset(seen, 0, b->g->n) : job_alloc(b->g->n + 1);
    seen[work[n++] = from] = 1;
    while (n) {
        unsigned v = work[--n];
        for (unsigned s = 0; s < b->g->nsucc[v]; s++) {
            unsigned to = b->g->succ[v][s];
            if (!seen[to] && to != but && (!in || in[to])) {
                seen[work[n++] = to] = 1;
            }
        }
    }
    return seen;
}

/* What leads to the header again. */
static void add_cycle(const struct body *b, struct loop *loop, const unsigned char *around) {
    const struct graph *g = b->g;
    unsigned *work = b->work, n = 0;
    loop->inside[loop->header] = 1;
    work[n++] = loop->header;
    while (n) {
        unsigned v = work[--n];
        for (unsigned p = 0; p < g->npred[v]; p++) {
            unsigned from = g->pred[v][p];
            if (!around[from] && !loop->inside[from]) { /* else from outside, or no way leads there */
                loop->inside[from] = 1;
                work[n++] = from;
            }
        }
    }
}

/* The nodes of the loop's statement; they lie between its first one and `end`. */
static void add_statement(const struct body *b, struct loop *loop, const unsigned char *around, unsigned end,
                          bool is_source) {
    unsigned char *within = reach(b, loop->header, end, NULL, NULL);
    unsigned char *after = is_source ? NULL : reach(b, end, loop->header, NULL, NULL);
    for (unsigned v = 0; v < b->g->n; v++) {
        bool lies = is_source ? v >= loop->header && v < end : !after[v];
        loop->inside[v] |= within[v] && lies && !around[v];
    }
}

static int by_size(const void *a, const void *b) {
    const struct loop *x = *(struct loop *const *)a, *y = *(struct loop *const *)b;
    return x->size != y->size ? (x->size < y->size ? -1 : 1) : x->header < y->header ? 1 : -1;
}

static void find_loops(struct body *b, bool is_source) {
    unsigned char *live = reach(b, 0, b->g->n, NULL, NULL);
    for (unsigned h = 1; h < b->g->n; h++) {
        unsigned char *around = NULL; /* what is reached without it, and what never is */
        bool loops = false;
        for (unsigned p = 0; p < b->g->npred[h] && live[h] && !loops; p++) {
            unsigned from = b->g->pred[h][p];
            if (from < h || !live[from]) {
                continue;
            }
            around = around ? around : reach(b, 0, h, NULL, NULL);
            loops = !around[from];
        }
        if (!loops) {
            continue;
        }
        for (unsigned v = 0; v < b->g->n; v++) {
            around[v] |= !live[v];
        }
        struct loop *loop = job_alloc(sizeof *loop);
        *loop = (struct loop){.header = h, .inside = job_alloc(b->g->n + 1)};
        add_cycle(b, loop, around);
        if (b->end[h]) {
            add_statement(b, loop, around, b->end[h], is_source);
        }
        for (unsigned v = 0; v < b->g->n; v++) {
            loop->size += loop->inside[v];
        }
        list_add(&b->loops, loop);
    }
    if (b->loops.n) {
        qsort(b->loops.at, b->loops.n, sizeof *b->loops.at, by_size);
    }
}

/* Whether the node is on each way around. */
static bool is_on_all_ways(const struct body *b, const struct loop *loop, unsigned node) {
    const struct graph *g = b->g;
    if (node == loop->header) {
        return true;
    }
    const unsigned char *without = reach(b, loop->header, node, loop->inside, b->seen);
    for (unsigned p = 0; p < g->npred[loop->header]; p++) {
        unsigned from = g->pred[loop->header][p];
        if (loop->inside[from] && without[from]) {
            return false;
        }
    }
    return true;
}

/* ---- statements of the source ---- */

/* Whether it is clang's name for a block, with or without a number. */
static bool is_named(LLVMBasicBlockRef block, const char *name) {
    const char *s = LLVMGetBasicBlockName(block);
    size_t n = strlen(name);
    return !strncmp(s, name, n) && !s[n + strspn(s + n, "0123456789")];
}

/* The program's, or clang's `return` and `cleanup`, which are behind all loops' bodies. */
static bool is_label(LLVMBasicBlockRef block) {
    const char *s = LLVMGetBasicBlockName(block);
    return *s && !strchr(s, '.');
}

/* Whether the block is a loop's first one; *kind: of which statement, in upper case where a body's block follows. */
static bool begins(LLVMBasicBlockRef block, const char *kinds, size_t depth, char *kind) {
    if (is_named(block, "while.body")) { /* has no while.cond if it would be empty */
        *kind = 'w';
        return !depth || kinds[depth - 1] != 'W';
    }
    *kind = is_named(block, "while.cond") ? 'W'
            : is_named(block, "for.cond") ? 'f'
            : is_named(block, "do.body")  ? 'd'
                                          : 0;
    return *kind;
}

static bool ends(LLVMBasicBlockRef block, char *kind) {
    *kind = is_named(block, "while.end") ? 'w'
            : is_named(block, "for.end") ? 'f'
            : is_named(block, "do.end")  ? 'd'
                                         : 0;
    return *kind;
}

/* A statement that nothing leaves but by `return` and `goto` has no block behind it: it ends with the one around it, or
 * before a label. */
static void close_at(struct body *b, const unsigned *open, size_t from, size_t depth, unsigned end) {
    for (size_t i = from; i < depth; i++) {
        unsigned at = open[i], last = at;
        for (unsigned p = 0; p < b->g->npred[at]; p++) {
            last = b->g->pred[at][p] > last ? b->g->pred[at][p] : last;
        }
        do {
            last++;
        } while (last < end && !is_label(b->blocks[last]));
        b->end[at] = last;
    }
}

static void find_statements(struct body *b) {
    unsigned *open = job_alloc((b->g->n + 1) * sizeof *open);
    char *kinds = job_alloc(b->g->n + 1), kind;
    size_t depth = 0;
    for (unsigned v = 1; v < b->g->n; v++) {
        if (begins(b->blocks[v], kinds, depth, &kind)) {
            kinds[depth] = kind;
            open[depth++] = v;
        } else if (is_named(b->blocks[v], "while.body")) {
            kinds[depth - 1] = 'w';
        } else if (ends(b->blocks[v], &kind)) {
            size_t at = depth;
            while (at && (kinds[at - 1] | 0x20) != kind) {
                at--;
            }
            if (at) {
                close_at(b, open, at, depth, v);
                b->end[open[at - 1]] = v;
                depth = at - 1;
            }
        }
    }
    close_at(b, open, 0, depth, b->g->n);
}

/* ---- ways back ---- */

static LLVMValueRef stay(LLVMModuleRef module, LLVMBuilderRef builder) {
    static const char name[] = "__weir_sub_stay";
    LLVMContextRef llvm = LLVMGetModuleContext(module);
    LLVMTypeRef type = LLVMFunctionType(LLVMInt1TypeInContext(llvm), NULL, 0, 0);
    LLVMValueRef f = LLVMGetNamedFunction(module, name);
    if (!f) {
        f = LLVMAddFunction(module, name, type);
        ir_attribute(llvm, f, "convergent", 0);
        ir_attribute(llvm, f, "nounwind", 0);
        ir_attribute(llvm, f, "willreturn", 0);
        ir_attribute(llvm, f, "memory", 3 << 2); /* memory(inaccessiblemem: readwrite) */
    }
    return LLVMBuildCall2(builder, type, f, NULL, 0, "");
}

/* The variable of a value that the instruction writes, or NULL. */
static LLVMValueRef variable_of(LLVMValueRef i) {
    LLVMValueRef p = LLVMIsAStoreInst(i) && !LLVMGetVolatile(i) ? LLVMGetOperand(i, 1) : NULL;
    LLVMTypeKind kind =
        p && LLVMIsAAllocaInst(p) ? LLVMGetTypeKind(LLVMGetAllocatedType(p)) : LLVMVoidTypeKind;
    return kind == LLVMVoidTypeKind || kind == LLVMArrayTypeKind || kind == LLVMStructTypeKind ? NULL : p;
}

/* Keeps what the loop's variables are as a round begins. */
static void keep_variables(const struct body *b, struct loop *loop) {
    LLVMValueRef first = ir_after_phis(LLVMGetFirstInstruction(b->blocks[loop->header]));
    LLVMBuilderRef entry = ir_before(LLVMGetFirstInstruction(b->blocks[0])), builder = ir_before(first);
    struct ptrmap done = {0};
    for (unsigned v = 0; v < b->g->n; v++) {
        LLVMValueRef i = loop->inside[v] ? LLVMGetFirstInstruction(b->blocks[v]) : NULL;
        for (; i; i = LLVMGetNextInstruction(i)) {
            LLVMValueRef p = variable_of(i);
            if (p && !ptrmap_at(&done, p, 0)) {
                LLVMTypeRef type = LLVMGetAllocatedType(p);
                ptrmap_set(&done, p, 1);
                list_add(&loop->variables, p);
                list_add(&loop->variables, LLVMBuildAlloca(entry, type, ""));
            }
        }
    }
    for (size_t i = 0; i < loop->variables.n; i += 2) {
        LLVMValueRef p = loop->variables.at[i];
        LLVMValueRef value = LLVMBuildLoad2(builder, LLVMGetAllocatedType(p), p, "");
        LLVMBuildStore(builder, value, loop->variables.at[i + 1]);
    }
    loop->keeps = true;
    LLVMDisposeBuilder(entry);
    LLVMDisposeBuilder(builder);
}

/* Where the way back leads: to where a `for` goes on, so that it counts as ever, else to the header. */
static LLVMBasicBlockRef target_of(const struct body *b, const struct loop *loop) {
    for (unsigned p = 0; p < b->g->npred[loop->header]; p++) {
        unsigned from = b->g->pred[loop->header][p];
        if (loop->inside[from] && b->g->nsucc[from] == 1 && is_named(b->blocks[from], "for.inc")) {
            return b->blocks[from];
        }
    }
    return b->blocks[loop->header];
}

static void add_way_back(const struct body *b, struct loop *loop, LLVMBasicBlockRef from) {
    LLVMValueRef f = LLVMGetBasicBlockParent(from), end = LLVMGetBasicBlockTerminator(from);
    LLVMModuleRef module = LLVMGetGlobalParent(f);
    LLVMMetadataRef line = LLVMInstructionGetDebugLoc(end);
    LLVMBasicBlockRef to = target_of(b, loop), on = ir_split_before(end, "on"), back = ir_block(f, "back");
    if (!loop->keeps) {
        keep_variables(b, loop);
    }
    LLVMMoveBasicBlockAfter(back, from);
    LLVMBuilderRef builder = ir_at_end(from);
    LLVMSetCurrentDebugLocation2(builder, line);
    LLVMBuildCondBr(builder, stay(module, builder), back, on);
    LLVMPositionBuilderAtEnd(builder, back);
    stay(module, builder);
    for (size_t i = 0; i < loop->variables.n; i += 2) {
        LLVMValueRef p = loop->variables.at[i];
        LLVMValueRef value = LLVMBuildLoad2(builder, LLVMGetAllocatedType(p), loop->variables.at[i + 1], "");
        LLVMBuildStore(builder, value, p);
    }
    LLVMBuildBr(builder, to);
    LLVMDisposeBuilder(builder);
    for (LLVMValueRef phi = LLVMGetFirstInstruction(to); phi && LLVMIsAPHINode(phi);
         phi = LLVMGetNextInstruction(phi)) {
        LLVMAddIncoming(phi, &phi, &back, 1);
    }
}

/* Of all loops around, as far as nothing else keeps what goes around in the inner one in the outer one. */
static void keep_in_loops(struct body *b, unsigned node) {
    LLVMBasicBlockRef from = b->blocks[node];
    unsigned at = node;
    for (size_t i = 0; i < b->loops.n; i++) {
        struct loop *loop = b->loops.at[i];
        if (!loop->inside[node]) {
            continue;
        }
        if (!is_on_all_ways(b, loop, at)) {
            add_way_back(b, loop, from);
        }
        at = loop->header;
    }
}

static void add_to_function(LLVMValueRef f, struct ptrmap *known, const struct list *merges, bool is_source) {
    struct body b = {0};
    struct list together = {0};
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block; block = LLVMGetNextBasicBlock(block)) {
        if (has_together(known, block)) {
            list_add(&together, block);
        }
    }
    if (!together.n) {
        return;
    }
    b.g = cfg_of(f, &b.index, &b.blocks);
    b.end = job_alloc((b.g->n + 1) * sizeof *b.end);
    b.work = job_alloc((b.g->n + 1) * sizeof *b.work);
    b.seen = job_alloc(b.g->n + 1);
    if (is_source) {
        find_statements(&b);
    }
    for (size_t i = 0; i < merges->n; i++) {
        const struct loop_merge *at = merges->at[i];
        if (LLVMGetBasicBlockParent(at->header) == f) {
            b.end[ptrmap_at(&b.index, at->header, 0)] = (unsigned)ptrmap_at(&b.index, at->merge, 0);
        }
    }
    find_loops(&b, is_source);
    for (size_t i = 0; i < together.n; i++) {
        keep_in_loops(&b, (unsigned)ptrmap_at(&b.index, together.at[i], 0));
    }
}

static void add_to_all(LLVMModuleRef module, const struct list *merges, bool is_source) {
    struct ptrmap known = {0};
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        if (!LLVMIsDeclaration(f)) {
            add_to_function(f, &known, merges, is_source);
        }
    }
}

/* ---- of clang and of SPIR-V ---- */

static void drop_names(LLVMValueRef f) {
    for (unsigned i = 0; i < LLVMCountParams(f); i++) {
        LLVMSetValueName2(LLVMGetParam(f, i), "", 0);
    }
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
        LLVMSetValueName2(LLVMBasicBlockAsValue(b), "", 0);
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            LLVMSetValueName2(i, "", 0);
        }
    }
}

void ways_back_in_source(LLVMModuleRef module) {
    add_to_all(module, &(struct list){0}, true);
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        drop_names(f);
    }
}

void ways_back_in_spirv(LLVMModuleRef module, const struct list *merges) {
    add_to_all(module, merges, false);
}
