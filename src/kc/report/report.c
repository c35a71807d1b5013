/* report.c: what the passes decided about a kernel, told to whoever wrote it.
 *
 * In: facts, while passes decide: about instructions of k->run as it is before regions are cut, whose lines are read
 * at once, for the instructions go. Out: the answer's report, as text or as one line of JSON (docs/report.md has both).
 * Without a request for a report k->report is NULL, and all calls here do nothing. No fact changes the code.
 * An instruction may be emitted more than once (for full and for partial packs, in several regions): it counts once
 * for each way that it is done. */
#include "facts.h"
#include "frontend.h"
#include <stdio.h>
#include <string.h>

/* ---- where ---- */

static const char *file_name(struct report *r, LLVMMetadataRef file) {
    uintptr_t known;
    if (!file) {
        return NULL;
    }
    if (!ptrmap_get(&r->files, file, &known)) {
        known = (uintptr_t)frontend_file_name(file);
        ptrmap_set(&r->files, file, known);
    }
    return (const char *)known;
}

/* Of a DILocation: the innermost function's; built-in functions have no lines. */
static struct place place_at(struct report *r, LLVMMetadataRef location) {
    while (location && !LLVMDILocationGetLine(location)) {
        location = LLVMDILocationGetInlinedAt(location);
    }
    if (!location) {
        return (struct place){0};
    }
    LLVMMetadataRef file = LLVMDIScopeGetFile(LLVMDILocationGetScope(location));
    return (struct place){file_name(r, file), LLVMDILocationGetLine(location)};
}

static struct place own_place(struct report *r, LLVMValueRef v) {
    return v && LLVMIsAInstruction(v) ? place_at(r, LLVMInstructionGetDebugLoc(v)) : (struct place){0};
}

/* Of a private array: near its declaration. */
static struct place first_use(struct report *r, LLVMValueRef array) {
    struct place first = {0};
    for (LLVMUseRef u = LLVMGetFirstUse(array); u; u = LLVMGetNextUse(u)) {
        struct place at = own_place(r, LLVMGetUser(u));
        first = at.line && (!first.line || at.line < first.line) ? at : first;
    }
    return first;
}

/* Instructions that LLVM has moved have lost their lines: then what uses or feeds them tells. Where paths
 * meet, and parts of OpenCL vectors, have any line: what they are made of has the right one. */
static struct place place_of(struct report *r, LLVMValueRef v) {
    while (LLVMIsAExtractElementInst(v) && LLVMIsAInstruction(LLVMGetOperand(v, 0))) {
        v = LLVMGetOperand(v, 0);
    }
    if (LLVMIsAAllocaInst(v) && !ptrmap_at(&r->origin, v, 0)) {
        return first_use(r, v);
    }
    struct place at = {0}, *origin = (struct place *)ptrmap_at(&r->origin, v, 0);
    for (unsigned i = 0; !at.line && LLVMIsAPHINode(v) && i < LLVMCountIncoming(v); i++) {
        LLVMValueRef value = LLVMGetIncomingValue(v, i);
        at = LLVMIsAPHINode(value) ? at : own_place(r, value);
    }
    at = at.line ? at : own_place(r, v);
    at = !at.line && origin ? *origin : at;
    for (LLVMUseRef u = LLVMGetFirstUse(v); u && !at.line; u = LLVMGetNextUse(u)) {
        at = own_place(r, LLVMGetUser(u));
    }
    for (int n = 0; !at.line && LLVMIsAInstruction(v) && n < LLVMGetNumOperands(v); n++) {
        at = own_place(r, LLVMGetOperand(v, (unsigned)n));
    }
    return at;
}

/* ---- what ---- */

static const char *type_name(struct kernel *k, LLVMTypeRef type) {
    switch (LLVMGetTypeKind(type)) {
    case LLVMVectorTypeKind:
        return job_printf("%s%u", type_name(k, LLVMGetElementType(type)), LLVMGetVectorSize(type));
    case LLVMIntegerTypeKind:
        switch (LLVMGetIntTypeWidth(type)) {
        case 1:
            return "bool";
        case 8:
            return "char";
        case 16:
            return "short";
        case 32:
            return "int";
        case 64:
            return "long";
        default:
            return job_printf("int%u_t", LLVMGetIntTypeWidth(type));
        }
    case LLVMHalfTypeKind:
        return "half";
    case LLVMFloatTypeKind:
        return "float";
    case LLVMDoubleTypeKind:
        return "double";
    case LLVMPointerTypeKind:
        return "pointer";
    default:
        return job_printf("%llu bytes", LLVMABISizeOfType(LLVMGetModuleDataLayout(k->module), type));
    }
}

static const char *memory_name(LLVMValueRef p) {
    switch (LLVMGetPointerAddressSpace(LLVMTypeOf(p))) {
    case AS_GLOBAL:
        return "global";
    case AS_LOCAL:
        return "local";
    case AS_CONSTANT:
        return "constant";
    default:
        return private_base(p) ? "private" : "generic";
    }
}

/* What a programmer would call the instruction. */
static const char *serial_name(struct kernel *k, LLVMValueRef i) {
    size_t length;
    LLVMOpcode op = LLVMGetInstructionOpcode(i);
    bool is_store = op == LLVMStore;
    if (op == LLVMCall) {
        const char *name = ir_callee(i) ? LLVMGetValueName2(ir_callee(i), &length) : "a pointer";
        return !strncmp(name, "weir.printf", 11) ? "printf" : job_printf("call of %s", name);
    }
    if (op == LLVMAtomicRMW || op == LLVMAtomicCmpXchg) {
        return job_printf("atomic %s %s", memory_name(LLVMGetOperand(i, 0)),
                          type_name(k, LLVMTypeOf(LLVMGetOperand(i, 1))));
    }
    if (op == LLVMLoad || is_store) {
        const char *order = LLVMGetVolatile(i)                                  ? "volatile "
                            : LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic ? "atomic "
                                                                                : "";
        LLVMValueRef p = LLVMGetOperand(i, is_store);
        LLVMTypeRef type = LLVMTypeOf(is_store ? LLVMGetOperand(i, 0) : i);
        return job_printf("%s%s %s %s", order, is_store ? "store" : "load", memory_name(p),
                          type_name(k, type));
    }
    char *text = LLVMPrintValueToString(i); /* "  %x = udiv i128 %a, %b" */
    const char *equals = strstr(text, " = "), *word = equals ? equals + 3 : text + strspn(text, " ");
    const char *name = job_printf("%.*s of %s", (int)strcspn(word, " "), word, type_name(k, LLVMTypeOf(i)));
    LLVMDisposeMessage(text);
    return name;
}

/* Whether the access reads what the runtime hands over: sizes and arguments. */
static bool is_parameter(struct kernel *k, LLVMValueRef p) {
    p = ir_strip_offsets(p);
    bool is_block = LLVMIsALoadInst(p) && LLVMGetOperand(p, 0) == LLVMGetParam(k->run, RUN_LAUNCH);
    return is_block || LLVMIsAArgument(p);
}

/* ---- facts from passes ---- */

void report_begin(struct kernel *k) {
    if (k->job->request->report == REPORT_NONE) {
        return;
    }
    k->report = job_alloc(sizeof *k->report);
    LLVMMetadataRef subprogram = LLVMGetSubprogram(k->entry);
    if (subprogram) {
        k->report->kernel = (struct place){file_name(k->report, LLVMDIScopeGetFile(subprogram)),
                                           LLVMDISubprogramGetLine(subprogram)};
    }
}

void report_go_on(struct kernel *k, const struct kernel *before) {
    if (k->report) {
        k->report->widths = before->report->widths;
    }
}

void report_width(struct kernel *k, LLVMValueRef at, const char *format, ...) {
    if (!k->report) {
        return;
    }
    char text[256];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    struct width_choice *choice = job_alloc(sizeof *choice);
    *choice =
        (struct width_choice){k->width, job_strdup(text), at ? place_of(k->report, at) : (struct place){0}};
    list_add(&k->report->widths, choice);
}

void report_value(struct kernel *k, LLVMValueRef var, LLVMValueRef value) {
    if (k->report) {
        struct place *at = job_alloc(sizeof *at);
        *at = place_of(k->report, value);
        ptrmap_set(&k->report->origin, var, (uintptr_t)at);
        if (!LLVMIsAPHINode(value)) { /* which goes; others keep only accesses of the variable as users */
            ptrmap_set(&k->report->origin, value, (uintptr_t)at);
        }
    }
}

static struct fact *add_fact(struct report *r, enum section section, struct place at, unsigned kind) {
    struct fact *f = job_alloc(sizeof *f);
    *f = (struct fact){
        .section = section, .at = at, .kind = kind, .what = "", .memory = "", .type = "", .count = 1};
    list_add(&r->facts, f);
    return f;
}

/* The instruction's fact of this kind, perhaps new. */
static struct fact *fact_of(struct report *r, LLVMValueRef i, enum section section, unsigned kind) {
    struct fact *latest = (struct fact *)ptrmap_at(&r->by_instruction, i, 0), *f = latest;
    while (f && (f->section != section || f->kind != kind)) {
        f = f->next;
    }
    if (!f) {
        f = add_fact(r, section, place_of(r, i), kind);
        f->next = latest;
        ptrmap_set(&r->by_instruction, i, (uintptr_t)f);
    }
    return f;
}

void report_access(struct kernel *k, LLVMValueRef i, enum access_kind kind, int64_t stride, bool interleaved,
                   bool masked) {
    bool is_store = LLVMIsAStoreInst(i);
    if (!k->report || is_parameter(k, LLVMGetOperand(i, is_store))) {
        return;
    }
    struct fact *f = fact_of(k->report, i, FACT_ACCESS, kind);
    f->what = is_store ? "store" : "load";
    f->memory = memory_name(LLVMGetOperand(i, is_store));
    f->type = type_name(k, LLVMTypeOf(is_store ? LLVMGetOperand(i, 0) : i));
    f->stride = kind == ACCESS_STRIDED ? stride : 0;
    f->interleaved = interleaved;
    f->masks |= masked ? MASKED : UNMASKED;
}

/* Calls, and what has no vector form, are told by report_serial. */
static bool computes(LLVMValueRef i) {
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMCall:
        return ir_is_intrinsic(i, "llvm.") || ir_is_intrinsic(i, "__weir_sub_");
    case LLVMICmp:
    case LLVMFCmp:
    case LLVMSelect:
    case LLVMFNeg:
    case LLVMExtractElement:
    case LLVMInsertElement:
    case LLVMShuffleVector:
        return true;
    default:
        return LLVMIsABinaryOperator(i) || LLVMIsACastInst(i);
    }
}

/* A fused multiply-add is two. */
static unsigned float_operations(LLVMValueRef i) {
    static const char *const one[] = {"llvm.sqrt.", "llvm.minnum.", "llvm.maxnum.", "llvm.floor."};
    LLVMTypeRef type = LLVMTypeOf(i);
    unsigned lanes = 1;
    if (LLVMGetTypeKind(type) == LLVMVectorTypeKind) {
        lanes = LLVMGetVectorSize(type);
        type = LLVMGetElementType(type);
    }
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    if (kind != LLVMFloatTypeKind && kind != LLVMDoubleTypeKind && kind != LLVMHalfTypeKind) {
        return 0;
    }
    if (LLVMIsABinaryOperator(i)) {
        return lanes;
    }
    if (LLVMIsACallInst(i) && (ir_is_intrinsic(i, "llvm.fma.") || ir_is_intrinsic(i, "llvm.fmuladd."))) {
        return 2 * lanes;
    }
    for (size_t n = 0; LLVMIsACallInst(i) && n < sizeof one / sizeof *one; n++) {
        if (ir_is_intrinsic(i, one[n])) {
            return lanes;
        }
    }
    return 0;
}

static void count_operations(struct kernel *k, LLVMValueRef i, enum instruction_kind kind) {
    bool in_loop = ptrmap_at(&k->report->looped, LLVMGetInstructionParent(i), 0) != 0;
    k->report->float_operations[in_loop] +=
        (double)float_operations(i) / (kind == INSTRUCTION_UNIFORM ? k->width : 1);
}

void report_instruction(struct kernel *k, LLVMValueRef i, enum instruction_kind kind, bool masked) {
    bool is_access =
        kind == INSTRUCTION_SCALAR && (LLVMIsALoadInst(i) || LLVMIsAStoreInst(i) || LLVMIsACallInst(i) ||
                                       LLVMIsAAtomicRMWInst(i) || LLVMIsAAtomicCmpXchgInst(i));
    if (k->report && (is_access || computes(i)) && own_place(k->report, i).line) {
        struct fact *f = fact_of(k->report, i, FACT_INSTRUCTION, kind);
        if (!f->masks) { /* the first time */
            count_operations(k, i, kind);
        }
        f->masks |= masked ? MASKED : UNMASKED;
    }
}

void report_joined(struct kernel *k, LLVMValueRef rmw, LLVMTypeRef type) {
    if (k->report) {
        struct fact *f = fact_of(k->report, rmw, FACT_ACCESS, ACCESS_UNIFORM);
        f->what = "atomic";
        f->memory = memory_name(LLVMGetOperand(rmw, 0));
        f->type = type_name(k, type);
        f->masks = UNMASKED;
    }
}

void report_serial(struct kernel *k, LLVMValueRef i) {
    if (k->report) {
        fact_of(k->report, i, FACT_SERIAL, 0)->what = serial_name(k, i);
    }
}

void report_note(struct kernel *k, LLVMValueRef at, const char *what, const char *text) {
    if (k->report) {
        struct fact *f = add_fact(k->report, FACT_NOTE, own_place(k->report, at), 0);
        f->what = what;
        f->type = text;
    }
}

/* ---- loops ---- */

struct loops {
    struct wg *wg;
    unsigned *ipdom, *in, stamps; /* in: by node, the set that it belongs to */
};

/* Where the source has it: LLVM's mark at a branch back to the header, else its first line. */
static struct place loop_place(struct loops *l, void **nodes, size_t n, unsigned header) {
    struct report *r = l->wg->k->report;
    unsigned kind = LLVMGetMDKindIDInContext(l->wg->k->llvm, "llvm.loop", 9);
    struct place first = {0};
    for (size_t i = 0; i < n; i++) {
        unsigned node = (unsigned)(uintptr_t)nodes[i];
        LLVMValueRef end = LLVMGetBasicBlockTerminator(l->wg->blocks[node]);
        LLVMValueRef id = graph_has_edge(l->wg->cfg, node, header) ? LLVMGetMetadata(end, kind) : NULL;
        unsigned parts = id ? LLVMGetMDNodeNumOperands(id) : 0;
        LLVMValueRef *part = job_alloc((parts + 1) * sizeof *part);
        if (id) {
            LLVMGetMDNodeOperands(id, part);
        }
        for (unsigned p = 0; p < parts; p++) { /* the first is the loop itself, the second where it begins */
            LLVMMetadataRef m = p && part[p] ? LLVMValueAsMetadata(part[p]) : NULL;
            if (m && LLVMGetMetadataKind(m) == LLVMDILocationMetadataKind) {
                return place_at(r, m);
            }
        }
        struct place at = own_place(r, end);
        first = at.line && (!first.line || at.line < first.line) ? at : first;
    }
    return first;
}

/* Whether work-items may part in the loop (of nodes in set `own`) and not meet again before they leave it. */
static bool may_leave_apart(struct loops *l, const struct uniform *u, void **nodes, size_t n, unsigned own) {
    for (size_t i = 0; i < n; i++) {
        unsigned meet = l->ipdom[(uintptr_t)nodes[i]];
        LLVMBasicBlockRef block = l->wg->blocks[(uintptr_t)nodes[i]];
        if (!uniform_is(u, LLVMGetBasicBlockTerminator(block)) &&
            (meet >= l->wg->cfg->n || l->in[meet] != own)) {
            return true;
        }
    }
    return false;
}

static void report_loop(struct loops *l, void **nodes, size_t n, unsigned own, unsigned header) {
    struct wg *wg = l->wg;
    bool barriers = false;
    for (size_t i = 0; i < n; i++) {
        barriers |= ptrmap_at(&wg->barrier_region, wg->blocks[(uintptr_t)nodes[i]], 0) != 0;
        ptrmap_set(&wg->k->report->looped, wg->blocks[(uintptr_t)nodes[i]], 1);
    }
    const struct uniform *u = barriers ? &wg->uniform : wg->pack;
    enum loop_kind kind = !u                                     ? LOOP_SCALAR
                          : may_leave_apart(l, u, nodes, n, own) ? LOOP_DIVERGENT
                                                                 : LOOP_UNIFORM;
    struct fact *f = add_fact(wg->k->report, FACT_LOOP, loop_place(l, nodes, n, header), kind);
    f->barriers = barriers;
    f->masks = !barriers && wg->masked && wg->masked[header] ? MASKED : UNMASKED;
}

/* Loops among the nodes, outer ones first. */
static void report_loops(struct loops *l, void **nodes, size_t n) {
    struct graph *g = l->wg->cfg;
    struct components found = {0};
    unsigned stamp = ++l->stamps;
    for (size_t i = 0; i < n; i++) {
        l->in[(uintptr_t)nodes[i]] = stamp;
    }
    graph_components(g, l->in, stamp, nodes, n, &found);
    for (size_t i = found.starts.n, end = found.nodes.n; i-- > 0;) {
        size_t start = (size_t)(uintptr_t)found.starts.at[i], count = end - start;
        void **part = found.nodes.at + start;
        unsigned header = (unsigned)(uintptr_t)part[0], own = ++l->stamps;
        end = start;
        if (count == 1 && !graph_has_edge(g, header, header)) {
            continue;
        }
        for (size_t k = 0; k < count; k++) {
            l->in[(uintptr_t)part[k]] = own;
        }
        for (size_t k = 0; k < count; k++) {
            unsigned v = (unsigned)(uintptr_t)part[k];
            for (unsigned p = 0; p < g->npred[v]; p++) {
                header = l->in[g->pred[v][p]] != own ? v : header;
            }
        }
        report_loop(l, part, count, own, header);
        struct list rest = {0};
        for (size_t k = 0; k < count; k++) {
            if ((uintptr_t)part[k] != header) {
                list_add(&rest, part[k]);
            }
        }
        l->in[header] = 0;
        report_loops(l, rest.at, rest.n);
    }
}

/* ---- regions ---- */

/* Joins values of one kind and line. */
static void add_value(struct list *values, const struct value *value) {
    for (size_t i = 0; i < values->n; i++) {
        struct value *v = values->at[i];
        if (v->at.line == value->at.line && v->at.file == value->at.file && !strcmp(v->type, value->type) &&
            v->bytes == value->bytes && v->of_group == value->of_group && v->is_array == value->is_array &&
            v->interleaved == value->interleaved && v->in_context == value->in_context) {
            v->count++;
            return;
        }
    }
    struct value *copy = job_alloc(sizeof *copy);
    *copy = *value;
    copy->count = 1;
    list_add(values, copy);
}

static struct value value_of(struct wg *wg, const struct slot *s) {
    return (struct value){.at = place_of(wg->k->report, s->var),
                          .type = type_name(wg->k, s->type),
                          .bytes = s->bytes,
                          .of_group = s->uniform,
                          .is_array = s->is_array,
                          .interleaved = s->grain != 0,
                          .in_context = s->crosses || s->fixed};
}

static void report_region(struct wg *wg, const struct region *r) {
    struct report *report = wg->k->report;
    struct region_facts *facts = job_alloc(sizeof *facts);
    *facts = (struct region_facts){.barrier = own_place(report, r->barrier),
                                   .parts = own_place(report, r->parts),
                                   .guarded = r->guarded,
                                   .is_cut = r->barrier && kernel_is_cut(r->barrier)};
    for (unsigned s = 0; r->barrier && s < wg->slots.n; s++) {
        const struct slot *slot = &wg->slots.at[s];
        if (slot->crosses && (slot->escapes || bit_at(wg->slots.live_in[r->start], s))) {
            struct value value = value_of(wg, slot);
            add_value(&facts->values, &value);
        }
    }
    list_add(&report->regions, facts);
}

void report_regions(struct wg *wg) {
    struct loops l = {.wg = wg};
    struct list nodes = {0};
    if (!wg->k->report) {
        return;
    }
    l.ipdom = graph_ipdom(wg->cfg);
    l.in = job_alloc((wg->cfg->n + 1) * sizeof *l.in);
    for (unsigned r = 0; r < wg->nregions; r++) {
        report_region(wg, &wg->regions[r]);
    }
    for (unsigned s = 0; s < wg->slots.n; s++) {
        if (wg->slots.at[s].is_array) {
            struct value array = value_of(wg, &wg->slots.at[s]);
            add_value(&wg->k->report->arrays, &array);
        }
    }
    for (unsigned n = 0; n < wg->cfg->n; n++) {
        list_add(&nodes, (void *)(uintptr_t)n);
    }
    report_loops(&l, nodes.at, nodes.n);
}

void report_end(struct kernel *k) {
    struct buf out = {0};
    if (!k->report) {
        return;
    }
    print_sort(k->report);
    (k->job->request->report == REPORT_JSON ? print_json : print_text)(k, &out);
    const char *report = buf_cstr(&out);
    if (!report) {
        job_fail(k->job, ANSWER_COMPILER_FAILED, "out of memory for the report");
    }
    k->job->answer.report = job_strdup(report);
    buf_free(&out);
}
