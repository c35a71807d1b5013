/* undefined.c: values that come from local memory which no work-item of the group has written.
 *
 * In: what checked kernels say of them (kc/lower/definedness.c): such a value matters now, or has been stored to local
 * memory. Out: findings; the cells of what was stored, which are as if nobody had. */
#include "check.h"

#include <stdio.h>

static const char *const uses[] = {
    [WEIR_USE_BRANCHES] = "branches on it",
    [WEIR_USE_ADDRESSES] = "computes an address from it",
    [WEIR_USE_STORES] = "stores it to global memory",
};

void undefined_used(struct check_worker *c, uint32_t origin, uint32_t item, uint32_t site, uint32_t how) {
    uint32_t cell = origin & 0xffff;
    struct finding f = {.kind = FINDING_UNINITIALIZED,
                        .a = {.site = origin >> 16, .does = "reads what nobody has written", .item = item},
                        .b = {.site = site, .does = uses[how], .item = item}};
    if (cell != 0xffff)
        f.address = (uint64_t)c->worker->local + 4 * (uint64_t)cell;
    snprintf(f.fix, sizeof f.fix, "write local memory before it is read: it begins with any contents");
    finding_report(c, &f);
}

void undefined_stored(struct check_worker *c, uint64_t p, uint64_t bytes) {
    uint64_t end = p + bytes;
    if (p < c->local->start || end > c->local->start + c->worker->local_bytes)
        return;
    for (p &= ~UINT64_C(3); p < end; p += 4)
        c->local->writers[(p - c->local->start) / 4] = 0;
}
