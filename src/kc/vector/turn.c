/* turn.c: along which dimension of the work-group packs lie.
 *
 * In: k->run with its regions, and what is known of packs along dimension 0. Out: the same, or dimension 0 and another one
 * have changed places in all that follows: ids, sizes and loops over work-items (k->turned). Nothing says in which order
 * the work-items between two barriers run. So where indices go up along dimension 1, as
 *     a[get_global_id(0) * n + get_global_id(1)]
 * packs along it have rows where others would gather. Kernels that could notice the order of work-items (atomics, printf,
 * sub-groups) stay as they are, and so do those that would gain little by the estimate of cost.c. */
#include "report.h"
#include "vector.h"
#include <string.h>

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
    const double ODDS = 0.75; /* it is an estimate */
    struct kernel *k = wg->k;
    uint32_t width = k->width;
    if (!k->local_size[0] || k->turned || k->checked || wg->synchronizes ||
        k->job->request->width & REQUEST_WIDTH || width != width_along(k, 0) || !cost_is_known(wg)) {
        return;
    }
    double before = 0;
    for (unsigned d = 1; d < 3; d++) {
        uint32_t other = width_along(k, d);
        if (other < SHORT || !is_asked(k, d)) {
            continue;
        }
        before = before > 0 ? before : cost_of_work_item(wg, width);
        exchange(wg, d, other);
        double after = cost_of_work_item(wg, other);
        log_write(
            LOG_DEBUG,
            "weirc: kernel %s: a work-item takes about %.1f cycles in packs along dimension %u, %.1f before",
            k->meta->name, after, d, before);
        if (after < before * ODDS) {
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
