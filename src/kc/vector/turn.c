/* turn.c: along which dimension of the work-group packs lie.
 *
 * In: k->run with its regions, and what is known of packs along dimension 0. Out: the same, or dimension 0 and another one
 * have changed places in all that follows: ids, sizes and loops over work-items (k->turned). Nothing says in which order
 * the work-items between two barriers run. So where indices go up along dimension 1, as
 *     a[get_global_id(0) * n + get_global_id(1)]
 * packs along it have rows where others would gather. Kernels that could notice the order of work-items (atomics, printf,
 * sub-groups) stay as they are, and so do those that would gain little. */
#include "report.h"
#include "vector.h"
#include <string.h>

/* Whether what lanes have is apart by a number that the pack shares, but which only the run tells: an id times a row's
 * length, perhaps in a sum. */
static bool is_far_apart(const struct wg *wg, LLVMValueRef v, unsigned depth) {
    int64_t stride;
    if (!LLVMIsAInstruction(v) || !depth || uniform_stride(wg->pack, v, &stride)) {
        return false;
    }
    LLVMValueRef x = LLVMGetOperand(v, 0), y = LLVMGetNumOperands(v) > 1 ? LLVMGetOperand(v, 1) : NULL;
    switch (LLVMGetInstructionOpcode(v)) {
    case LLVMZExt:
    case LLVMSExt:
    case LLVMTrunc:
        return is_far_apart(wg, x, depth - 1);
    case LLVMAdd:
    case LLVMSub:
    case LLVMOr:
        return is_far_apart(wg, x, depth - 1) || is_far_apart(wg, y, depth - 1);
    case LLVMMul:
    case LLVMShl:
        return uniform_is(wg->pack, x) != uniform_is(wg->pack, y);
    default:
        return false;
    }
}

enum distance { KNOWN, FAR, UNKNOWN };

/* How far an access' elements are apart in bytes, where no index wraps around. */
static enum distance find_distance(const struct wg *wg, LLVMValueRef at, int64_t *bytes) {
    enum { DEPTH = 8 };
    struct gep_step steps[GEP_STEPS];
    LLVMTargetDataRef layout = LLVMGetModuleDataLayout(wg->k->module);
    int64_t step;
    for (*bytes = 0; !uniform_stride(wg->pack, at, &step); at = LLVMGetOperand(at, 0)) {
        if (!LLVMIsAGetElementPtrInst(at)) {
            return UNKNOWN;
        }
        unsigned n = ir_gep_steps(layout, at, steps);
        for (unsigned i = 0; i < n; i++) {
            LLVMValueRef x = steps[i].index;
            while (x && (LLVMIsAZExtInst(x) || LLVMIsASExtInst(x))) {
                x = LLVMGetOperand(x, 0);
            }
            if (x && !uniform_stride(wg->pack, x, &step)) {
                return is_far_apart(wg, x, DEPTH) ? FAR : UNKNOWN;
            }
            *bytes += x ? step * (int64_t)steps[i].bytes : 0;
        }
    }
    *bytes += step;
    return KNOWN;
}

/* About how many instructions an access takes; of what only the run tells, as `guess` says. In global memory elements far
 * apart take a line of the cache each, and columns of a matrix the same few places in the cache. */
static uint64_t cost_of_access(const struct wg *wg, LLVMValueRef i, uint64_t guess) {
    enum { NEAR = 4, LINES = 8 };
    bool is_load = LLVMIsALoadInst(i);
    LLVMTypeRef type = LLVMTypeOf(is_load ? i : LLVMGetOperand(i, 0));
    LLVMValueRef at = LLVMGetOperand(i, is_load ? 0 : 1);
    int64_t bytes = (int64_t)LLVMABISizeOfType(LLVMGetModuleDataLayout(wg->k->module), type), apart;
    if (uniform_is(wg->pack, at)) {
        return 1;
    }
    if (uniform_offsets(wg->pack, at)) {
        return NEAR;
    }
    enum distance distance = find_distance(wg, at, &apart);
    if (distance == UNKNOWN) {
        return guess;
    }
    if (distance == KNOWN && apart <= NEAR * bytes && apart >= -NEAR * bytes) {
        return apart == bytes || apart == -bytes || !apart ? 1 : NEAR;
    }
    return wg->k->width * (wg_kind(i) == MEMORY_GLOBAL ? LINES : 1);
}

/* About how many instructions a pack takes. */
static uint64_t cost(const struct wg *wg, uint64_t guess) {
    uint64_t all = 0;
    for (unsigned n = 0; n < wg->cfg->n; n++) {
        uint64_t sum = 0;
        for (LLVMValueRef i = LLVMGetFirstInstruction(wg->blocks[n]); i; i = LLVMGetNextInstruction(i)) {
            bool is_access = LLVMIsALoadInst(i) || LLVMIsAStoreInst(i);
            sum += is_access ? cost_of_access(wg, i, guess) : !uniform_is(wg->pack, i);
        }
        all += sum << width_log_runs(wg, n);
    }
    return all;
}

static const char *const id_names[] = {"__weir_local_id_", "__weir_local_id_32_", "__weir_global_id_",
                                       "__weir_global_id_32_"};
enum { ID_NAMES = sizeof id_names / sizeof *id_names };

/* Gives functions that tell an id of dimension 0 the names of those of dimension d, and the other way round. */
static void exchange_ids(struct kernel *k, unsigned d) {
    for (size_t i = 0; i < ID_NAMES; i++) {
        const char *first = job_printf("%s0", id_names[i]), *second = job_printf("%s%u", id_names[i], d);
        LLVMValueRef x = LLVMGetNamedFunction(k->module, first), y = LLVMGetNamedFunction(k->module, second);
        if (x) {
            LLVMSetValueName2(x, "", 0);
        }
        if (y) {
            LLVMSetValueName2(y, first, strlen(first));
        }
        if (x) {
            LLVMSetValueName2(x, second, strlen(second));
        }
    }
}

static void exchange_sizes(struct kernel *k, unsigned d) {
    uint32_t size = k->local_size[0];
    exchange_ids(k, d);
    k->local_size[0] = k->local_size[d];
    k->local_size[d] = size;
    k->turned = k->turned ? 0 : d;
}

static void exchange(struct wg *wg, unsigned d, uint32_t width) {
    exchange_sizes(wg->k, d);
    wg->k->width = width;
    wg_know_packs(wg);
}

/* The lanes of a pack along dimension d. */
static uint32_t width_along(const struct kernel *k, unsigned d) {
    uint32_t width = target_lanes(k->target);
    while (width > 1 && k->local_size[d] < width) {
        width /= 2;
    }
    return width;
}

static bool is_asked(struct kernel *k, unsigned d) {
    bool found = false;
    for (size_t i = 0; i < ID_NAMES; i++) {
        LLVMValueRef f = LLVMGetNamedFunction(k->module, job_printf("%s%u", id_names[i], d));
        found |= f && LLVMGetFirstUse(f);
    }
    return found;
}

void turn_packs(struct wg *wg) {
    enum { SHORT = 4 };
    struct kernel *k = wg->k;
    uint32_t width = k->width;
    if (!k->local_size[0] || k->turned || k->checked || wg->synchronizes ||
        k->job->request->width & REQUEST_WIDTH || width != width_along(k, 0)) {
        return;
    }
    uint64_t before = 0;
    for (unsigned d = 1; d < 3; d++) {
        uint32_t other = width_along(k, d);
        if (other < SHORT || !is_asked(k, d)) {
            continue;
        }
        before = before ? before : cost(wg, width / 2);
        exchange(wg, d, other);
        uint64_t after = cost(wg, other);
        if (after * width * 3 < before * other * 2) {
            report_width(k, NULL, "packs lie along dimension %u, in which elements are adjacent", d);
            return;
        }
        exchange(wg, d, width);
    }
}

unsigned turn_of_column(const struct kernel *k) {
    unsigned longest = 0;
    for (unsigned d = 1; k->local_size[0] == 1 && !k->checked && d < 3; d++) {
        longest = k->local_size[d] > k->local_size[longest] ? d : longest;
    }
    return longest;
}

/* The order of work-items remains if no other dimension lies between. */
void turn_column(struct wg *wg) {
    struct kernel *k = wg->k;
    unsigned d = k->meta->uses_subgroups || k->job->request->width & REQUEST_WIDTH ? 0 : turn_of_column(k);
    if (!d) {
        return;
    }
    if (wg->synchronizes && d == 2 && k->local_size[1] > 1) {
        k->width = 1;
        return;
    }
    exchange_sizes(k, d);
    report_width(k, NULL, "packs lie along dimension %u, as the first one has one work-item", d);
}
