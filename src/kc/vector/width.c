/* width.c: how many work-items a pack has.
 *
 * First as many as a vector register holds of 32-bit values; fewer where the code would grow too large or work-items wait
 * for each other; a small work-group is one pack. Then forms are compared by what cost.c estimates that a work-item takes:
 * half a vector, one, two in step (unroll-and-jam: they hide each other's latencies), several rows, and work-items one by
 * one. Kernels that use sub-groups keep the width that the host was told. */
#include "report.h"
#include "wg.h"
#include "width.h"
#include <string.h>

static void report_choice(struct kernel *k, uint32_t asked) {
    bool large = k->job->request->width & REQUEST_LARGE_IDS;
    if (k->meta->subgroup_size) {
        report_width(k, NULL, "the kernel requires this sub-group size");
    } else if (large && !k->meta->uses_subgroups) {
        report_width(k, NULL, "global ids may be 2^31 and more");
    } else if (asked) {
        report_width(k, NULL, "as asked (%u)", asked);
    } else {
        report_width(k, NULL, "as many 32-bit values as a vector register of %u bits holds",
                     k->target->vector_bits);
    }
}

/* Work-items per pack: as asked, else what fills a vector register with 32-bit values; less for a known row that is
 * shorter. */
void width_choose(struct kernel *k) {
    enum { WIDEST = 64 };
    uint32_t asked = k->job->request->width & REQUEST_WIDTH, row = k->local_size[0];
    k->width = asked ? asked : target_lanes(k->target);
    while (k->width > WIDEST || (k->width & (k->width - 1))) { /* powers of two */
        k->width = k->width > WIDEST ? WIDEST : k->width & (k->width - 1);
    }
    if (k->meta->uses_subgroups) { /* never another one: the host asks for it */
        k->width = meta_subgroup_size(k->meta, asked, 0, 0);
    }
    report_choice(k, asked);
    uint32_t before = k->width;
    unsigned d = asked || k->meta->uses_subgroups ? 0 : turn_of_column(k);
    row = k->local_size[d];
    if (k->job->request->effort != EFFORT_FULL && !k->meta->uses_subgroups) {
        k->width = 1;
        report_width(k, NULL,
                     k->shown ? "debuggers show one work-item (-g, -cl-opt-disable)"
                              : "wider packs take long to compile");
        return;
    }
    if (k->meta->uses_subgroups) {
        k->width = meta_subgroup_size(k->meta, asked, row, (size_t)k->local_size[1] * k->local_size[2]);
    }
    while (!k->meta->uses_subgroups && k->width > 1 && row && row < k->width) {
        k->width /= 2;
    }
    if (k->width < before) {
        report_width(k, NULL, "%s of the work-group is %u", d ? "the longest row" : "the first dimension",
                     row);
    }
}

enum { RECURSION = 1 << 30, FOLDED = 8 };

/* Whether it reads or writes an image: in a variant for its format most of that folds. */
static bool is_of_images(LLVMValueRef f) {
    size_t n;
    const char *name = LLVMGetValueName2(f, &n);
    return strstr(name, "read_image") || strstr(name, "write_image");
}

/* Whether it is there because nothing has been promoted to registers yet: the front end keeps each variable in
 * memory, and that is much of its code. */
static bool is_of_variable(LLVMValueRef i) {
    if (LLVMIsAAllocaInst(i) || ir_is_marker(i)) {
        return true;
    }
    LLVMValueRef address = LLVMIsALoadInst(i)    ? LLVMGetOperand(i, 0)
                           : LLVMIsAStoreInst(i) ? LLVMGetOperand(i, 1)
                                                 : NULL;
    return address && LLVMIsAAllocaInst(address);
}

/* Instructions of a function with all it calls inlined; `sizes` remembers, and holds RECURSION meanwhile. */
static uint64_t inlined_size(const struct kernel *k, struct ptrmap *sizes, LLVMValueRef f) {
    uintptr_t known;
    if (ptrmap_get(sizes, f, &known)) {
        return known;
    }
    ptrmap_set(sizes, f, RECURSION);
    uint64_t size = 0;
    bool folds = k->job->request->constants.n;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            LLVMValueRef callee = LLVMIsACallInst(i) ? ir_callee(i) : NULL;
            bool is_inlined = callee && !LLVMIsDeclaration(callee);
            size += is_inlined ? inlined_size(k, sizes, callee) / (folds && is_of_images(callee) ? FOLDED : 1)
                               : !is_of_variable(i);
            size = size < RECURSION ? size : RECURSION;
        }
    }
    ptrmap_set(sizes, f, size);
    return size;
}

/* Packs inline everything, and their code grows with the width: past a limit the width yields. */
void width_limit(struct kernel *k) {
    enum { LARGE = 320000 }; /* instructions times lanes; once more is known `yields` looks again */
    struct ptrmap sizes = {0};
    bool may_yield = k->width > 1 && !k->meta->uses_subgroups;
    uint64_t size = may_yield ? inlined_size(k, &sizes, k->run) : 0;
    uint32_t before = k->width;
    while (k->width > 1 && size * k->width > LARGE) {
        k->width = k->job->request->width & REQUEST_WIDTH ? k->width / 2 : 1;
    }
    if (k->width < before) {
        report_width(k, NULL, "%llu instructions are too many for %u lanes", (unsigned long long)size,
                     before);
    }
}

bool width_settle(struct kernel *k) {
    bool is_free = k->width > 1 && !k->meta->uses_subgroups; /* those run in step */
    bool waits = false;
    LLVMValueRef exit = is_free ? spin_loops_first(k, &waits) : NULL;
    if (exit) {
        k->width = 1;
        report_width(k, exit,
                     waits ? "work-items may wait for each other in the loop"
                           : "atomics or volatile loads decide when work-items leave the loop");
    }
    return is_free && !exit;
}

static uint32_t length_of_all(const struct wg *wg) {
    uint32_t total = 0;
    for (unsigned n = 0; n < wg->cfg->n; n++) {
        total += ir_length(wg->blocks[n]);
    }
    return total;
}

/* Regions overlap, and guarded ones have two forms: in large kernels those of wide packs take long to compile, mostly
 * LLVM's to find registers. */
static void limit_forms(struct wg *wg) {
    enum { LARGE = 16000 }; /* instructions times lanes: some seconds */
    unsigned total = 0;
    for (unsigned r = 0; wg->any_guard && r < wg->nregions; r++) {
        const struct region *region = &wg->regions[r];
        for (size_t n = 0; n < region->blocks.n; n++) {
            total += ir_length(wg->blocks[(uintptr_t)region->blocks.at[n]]) * (region->guarded ? 2 : 1);
        }
    }
    uint32_t before = wg->k->width;
    while (wg->k->width > 1 && total * wg->k->width > LARGE) {
        wg->k->width /= 2;
    }
    if (wg->k->width < before) {
        report_width(wg->k, NULL,
                     "%u instructions after barriers where work-items may part are too many for %u lanes",
                     total, before);
    }
}

/* Whether values of packs as wide as the row are far too many for the registers, as OpenCL vectors of 8 and 16 elements are: what
 * work-items exchange stays in memory then, and so does what each computes. */
static bool overflows(struct wg *wg, uint32_t row) {
    enum { FULL = 3 };
    uint32_t usual = wg->k->width;
    wg->k->width = row;
    wg_know_packs(wg);
    unsigned *registers = register_pressure_find(wg, row, true), most = 0;
    for (unsigned n = 0; n < wg->cfg->n; n++) {
        most = registers[n] > most ? registers[n] : most;
    }
    wg->k->width = usual;
    return most > wg->k->target->vector_registers * FULL;
}

/* A small work-group as one pack: all that its work-items exchange may stay in registers, and no context is needed.
 * Worth it where lanes never part, and cells of the checker aren't to be looked at, too. */
static bool widen_to_group(struct wg *wg) {
    enum { SMALL = 4096, WIDEST = 64 }; /* instructions times lanes: few values live at a time */
    struct kernel *k = wg->k;
    uint32_t row = k->local_size[0];
    bool is_row = k->local_size[1] == 1 && k->local_size[2] == 1 && !(row & (row - 1));
    if (k->checked || wg->nregions == 1 || !is_row || row <= k->width || row > WIDEST ||
        k->job->request->width & REQUEST_WIDTH) {
        return false;
    }
    for (unsigned n = 0; n < wg->cfg->n; n++) {
        if (!uniform_is(&wg->uniform, LLVMGetBasicBlockTerminator(wg->blocks[n]))) {
            return false;
        }
    }
    if (length_of_all(wg) * row > SMALL || overflows(wg, row)) {
        return false;
    }
    k->width = row;
    report_width(k, NULL, "the whole work-group, which is small, and its work-items take the same way");
    return true;
}

/* The whole work-group's elements don't lie in one row where those of a ring do in all packs but one; and what is at a place that
 * the run tells stays in no register. */
static void narrow_to_rows(struct wg *wg, uint32_t usual) {
    if (cost_has_looks(wg)) {
        wg->k->width = usual;
        wg_know_packs(wg);
        report_width(wg->k, NULL, "where elements lie is found out for a vector at a time");
    }
}

/* Whether it has become less, as code grew too large. */
static bool yields(struct wg *wg) {
    enum { LARGE = 30000 }; /* instructions: a second or two */
    struct kernel *k = wg->k;
    uint64_t size = k->width > 1 ? code_size(wg) : 0;
    if (size) {
        log_write(LOG_DEBUG, "weirc: kernel %s: packs of %u take about %llu instructions", k->meta->name,
                  k->width, (unsigned long long)size);
    }
    if (size <= LARGE) {
        return false;
    }
    uint32_t before = k->width;
    k->width = k->job->request->width & REQUEST_WIDTH ? k->width / 2 : 1;
    report_width(k, NULL, "about %llu instructions for packs of %u are too many", (unsigned long long)size,
                 before);
    return true;
}

/* ---- two vectors per value, or one of doubles ---- */

/* 8 rounds of each loop around it, but 2 of those that lanes leave at different times: mostly they share out elements. */
unsigned width_log_runs(const struct wg *wg, unsigned node) {
    enum { LANES_STAY = 3, LANES_PART = 1, MOST = 32 };
    unsigned n = 0;
    for (unsigned s = wg->whole->innermost[node]; s != UINT32_MAX; s = wg->whole->spans[s].parent) {
        n += wg->masked[wg->whole->order[wg->whole->spans[s].first]] ? LANES_PART : LANES_STAY;
    }
    return n < MOST ? n : MOST;
}

/* Whether the value is computed from the group's id. */
static bool is_of_group(const struct wg *wg, LLVMValueRef v, unsigned depth) {
    bool found = v == LLVMGetParam(wg->k->run, RUN_GROUP) || v == LLVMGetParam(wg->k->run, RUN_GROUP + 1);
    bool may = depth && (LLVMIsABinaryOperator(v) || LLVMIsACastInst(v));
    for (int n = 0; may && !found && n < LLVMGetNumOperands(v); n++) {
        found = is_of_group(wg, LLVMGetOperand(v, (unsigned)n), depth - 1);
    }
    return found;
}

/* A local id and what its group begins with. */
static bool is_id_in_group(const struct wg *wg, LLVMValueRef sum) {
    enum { DEPTH = 5 };
    bool found = false;
    for (unsigned n = 0; n < 2 && LLVMGetInstructionOpcode(sum) == LLVMAdd; n++) {
        LLVMValueRef id = LLVMGetOperand(sum, n), base = LLVMGetOperand(sum, 1 - n);
        id = LLVMIsACastInst(id) ? LLVMGetOperand(id, 0) : id;
        found |= intrinsic_id(id, NULL) == ID_LOCAL && uniform_is(&wg->uniform, base) &&
                 is_of_group(wg, base, DEPTH);
    }
    return found;
}

/* Whether the value is a global id in which work-items of a pack may differ, perhaps plus what the work-group shares. */
static bool is_global_id(const struct wg *wg, LLVMValueRef v) {
    if (!LLVMIsAInstruction(v)) {
        return false;
    }
    LLVMValueRef x = LLVMGetNumOperands(v) > 0 ? LLVMGetOperand(v, 0) : NULL;
    unsigned dim;
    switch (LLVMGetInstructionOpcode(v)) {
    case LLVMCall:
        return intrinsic_id(v, &dim) == ID_GLOBAL && dim < 2;
    case LLVMZExt:
    case LLVMSExt:
    case LLVMTrunc:
    case LLVMFreeze:
        return is_global_id(wg, x);
    case LLVMAdd:
    case LLVMSub:
        return is_id_in_group(wg, v) ||
               (uniform_is(&wg->uniform, LLVMGetOperand(v, 1)) && is_global_id(wg, x));
    default:
        return false;
    }
}

bool width_is_edge(const struct wg *wg, LLVMValueRef condition) {
    if (uniform_is(wg->pack, condition)) {
        return true;
    }
    bool combines = LLVMIsASelectInst(condition) || LLVMIsABinaryOperator(condition);
    for (int i = 0; combines && i < LLVMGetNumOperands(condition); i++) {
        combines = width_is_edge(wg, LLVMGetOperand(condition, (unsigned)i));
    }
    if (!LLVMIsAICmpInst(condition)) {
        return combines;
    }
    LLVMValueRef x = LLVMGetOperand(condition, 0), y = LLVMGetOperand(condition, 1);
    return (is_global_id(wg, x) && uniform_is(&wg->uniform, y)) ||
           (is_global_id(wg, y) && uniform_is(&wg->uniform, x));
}

/* ---- the form of packs ---- */

/* How many registers the block's values may take: what doesn't fit costs an access each time, which outside loops is
 * little. */
static unsigned room_in(const struct wg *wg, unsigned node) {
    unsigned registers = wg->k->target->vector_registers;
    return width_log_runs(wg, node) ? registers : registers * 3 / 2;
}

/* How much of the time a block takes, as far as one can tell. */
static uint64_t time_of(const struct wg *wg, unsigned node) {
    return (uint64_t)ir_length(wg->blocks[node]) << width_log_runs(wg, node);
}

/* Whether only half a pack's values fit in the registers where a good part of the time is spent, nearly all of them being of
 * 64 bits: then each fills one. */
static bool fits_half(const struct wg *wg) {
    enum { PART = 4 };
    unsigned *all = register_pressure_find(wg, wg->k->width, true),
             *half = register_pressure_find(wg, wg->k->width / 2, true);
    uint64_t total = 0, in_short = 0;
    for (unsigned n = 0; n < wg->cfg->n; n++) {
        bool is_short = all[n] > room_in(wg, n);
        if (is_short && (half[n] > room_in(wg, n) || half[n] * 2 > all[n] + all[n] / 8)) {
            return false;
        }
        total += time_of(wg, n);
        in_short += is_short ? time_of(wg, n) : 0;
    }
    return in_short && in_short * PART >= total;
}

/* How a pack lies in the work-group, and about what a work-item takes then. */
struct form {
    uint32_t width, rows;
    double cycles;
};

static void take(struct wg *wg, const struct form *f) {
    if (wg->k->width != f->width || wg->k->rows != f->rows) {
        wg->k->width = f->width;
        wg->k->rows = f->rows;
        wg_know_packs(wg);
    }
}

/* The widest packs that don't take too long to compile: of two vectors, or, where much of the time is to wait for lines of the cache,
 * of what fills two lines, which processors fetch together. */
static uint32_t widest(const struct wg *wg) {
    enum { LONG = 1024, SHORT = 256, LINES = 32 }; /* instructions; lanes of 32 bits */
    const double MUCH = 0.3;
    uint32_t length = length_of_all(wg), lanes = target_lanes(wg->k->target),
             most = lanes * (length > LONG ? 1 : 2);
    bool has_lines =
        most < LINES && length <= SHORT && !cost_has_gathers(wg) && cost_of_lines(wg, most) >= MUCH;
    return has_lines ? LINES : most;
}

/* Whether the work-group can be cut into packs of this form other than the usual one, and it may be worth a look. */
static bool may_be(const struct wg *wg, const struct form *usual, const struct form *f) {
    enum { LEAST = 4 };
    const struct kernel *k = wg->k;
    uint32_t row = k->local_size[0];
    if (f->rows > 1) {
        return f->width / f->rows == row && k->local_size[1] % f->rows == 0 && row_count_may_rise(wg);
    }
    return f->width > usual->width ? row && row % f->width == 0
                                   : f->width < usual->width && f->width >= LEAST;
}

/* Whether the current packs become not too much code. */
static bool is_short(struct wg *wg) {
    enum { LARGE = 30000 }; /* instructions: a second or two */
    return code_size(wg) <= LARGE;
}

/* Takes the form, and makes it the best one if it is better than that by these odds: it is an estimate. */
static void consider(struct wg *wg, struct form f, double odds, struct form *best, double *least) {
    take(wg, &f);
    if (!is_short(wg)) {
        return;
    }
    f.cycles = cost_of_work_item(wg, f.width);
    log_write(LOG_DEBUG, "weirc: kernel %s: a work-item takes about %.1f cycles in packs of %u in %u rows",
              wg->k->meta->name, f.cycles, f.width, f.rows);
    if (f.cycles < *least * odds) {
        *least = f.cycles / odds;
        *best = f;
    }
}

/* Decides for the form whose estimate is least, by far enough. */
static void choose_form(struct wg *wg) {
    /* Where packs are skipped, wider ones are skipped less, and more of what they store waits for masks. What stays a call is
     * there once per lane. */
    LLVMValueRef where = cost_of_parting(wg);
    const bool has_local_rows = cost_has_local_rows(wg);
    const double OTHER = 0.92, ALONE = 0.7, KEEPS = 0.9, TURN = 0.5, BY_ROWS = has_local_rows ? 0.8 : OTHER,
                 BY_RANGES = 0.97 - 0.12 * cost_of_ranges(wg, wg->k->width),
                 WIDER = cost_has_calls(wg)                                                      ? 0.85
                         : BY_RANGES > 0.92 && (cost_has_skips(wg) || cost_has_distant_rows(wg)) ? 0.92
                                                                                                 : BY_RANGES;
    struct kernel *k = wg->k;
    struct form usual = {k->width, k->rows, 0}, alone = {1, 1, 0};
    if (k->width > target_lanes(k->target)) { /* the whole work-group */
        return;
    }
    bool keeps = k->kept_share > 0 && k->kept_share < KEEPS;
    alone.cycles = cost_of_work_item(wg, 1) * (keeps ? k->kept_share : 1) + (keeps ? TURN * wg->nregions : 0);
    bool is_half = !wg->any_guard && k->width == target_lanes(k->target) && fits_half(wg) &&
                   !cost_waits(wg, k->width / 2);
    if (is_half) {
        take(wg, &(struct form){k->width / 2, 1, 0});
        usual.width = k->width;
        report_width(k, NULL, "one vector per value of 64 bits, as two don't fit in %u registers",
                     k->target->vector_registers);
    }
    usual.cycles = cost_of_work_item(wg, usual.width);
    log_write(LOG_DEBUG, "weirc: kernel %s: a work-item takes about %.1f cycles in packs of %u, %.1f alone",
              k->meta->name, usual.cycles, usual.width, alone.cycles);
    struct form best = usual;
    double least = usual.cycles;
    uint32_t most = wg->any_guard ? 0 : widest(wg);
    most = most < usual.width * 4 ? most : usual.width * 4;
    for (uint32_t width = most; width >= usual.width / 2 && !is_half; width /= 2) {
        for (uint32_t rows = 1; rows * 2 <= width; rows *= 2) {
            struct form f = {width, rows, 0};
            /* of rows that are vectors each nothing is put together */
            bool is_wider = rows == 1 || (width / rows >= target_lanes(k->target) && !has_local_rows);
            if (may_be(wg, &usual, &f)) {
                consider(wg, f, width <= usual.width ? OTHER : is_wider ? WIDER : BY_ROWS, &best, &least);
            }
        }
    }
    if (alone.cycles < best.cycles * ALONE && (keeps || !is_half)) {
        best = alone;
        k->keeps_vectors = keeps;
    }
    take(wg, &best);
    if (best.width == 1) {
        report_width(k, where, "%s: about %.1f cycles per work-item, %.1f in packs of %u",
                     where ? "lanes part" : "nothing is gained by lanes", alone.cycles, usual.cycles,
                     usual.width);
    } else if (best.rows > 1) {
        report_width(k, NULL,
                     "%u rows of %u work-items: about %.1f cycles per work-item, %.1f in packs of %u",
                     best.rows, best.width / best.rows, best.cycles, usual.cycles, usual.width);
    } else if (best.width != usual.width) {
        report_width(k, NULL, "about %.1f cycles per work-item, %.1f in packs of %u", best.cycles,
                     usual.cycles, usual.width);
    }
}

void width_decide(struct wg *wg, bool is_free) {
    struct kernel *k = wg->k;
    if (k->width > 1) {
        turn_column(wg);
    }
    if (is_free) {
        limit_forms(wg);
    }
    uint32_t usual = k->width;
    bool is_group = is_free && k->width > 1 && widen_to_group(wg);
    if (k->width > 1) {
        wg_know_packs(wg);
    }
    if (is_group) {
        narrow_to_rows(wg, usual);
    }
    if (is_free && k->width > 1) {
        turn_packs(wg);
    }
    while (is_free && yields(wg)) {
        wg_know_packs(wg);
    }
    bool is_asked = k->job->request->width & REQUEST_WIDTH;
    if (is_free && is_asked) {
        row_count_raise(wg);
    } else if (is_free && k->width > 1 && cost_is_known(wg) && !k->checked && !k->meta->subgroup_size) {
        choose_form(wg);
    }
}
