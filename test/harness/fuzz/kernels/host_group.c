/* host_group.c: runs a kernel that clang compiled for the host, each work-item of a group as a fiber that goes on until the next
 * barrier. Gives on_host.h its functions. */
#define _GNU_SOURCE
#include "kernels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

enum { STACK = 1 << 21, GATHERED = 128 };
enum wait { RUNS, AT_BARRIER, AT_SUBGROUP_BARRIER, ENDED };

static const struct host_launch *launch;
static uint32_t group[3], size[3];
static struct fiber {
    ucontext_t context;
    enum wait wait;
    uint32_t id[3];
    char *stack;
} fibers[MOST_ITEMS], *now;
static uint32_t nfibers;
static ucontext_t scheduler;
static char gathered[2][MOST_ITEMS][GATHERED];

static uint32_t linear(const struct fiber *f) {
    return (f->id[2] * size[1] + f->id[1]) * size[0] + f->id[0];
}

uint32_t host_id(uint32_t what, uint32_t d);
uint32_t host_id(uint32_t what, uint32_t d) {
    const uint32_t *g = launch->global, *l = launch->local;
    uint32_t at[3];
    for (int i = 0; i < 3; i++)
        at[i] = group[i] * l[i] + now->id[i];
    if (d >= launch->dims && what < 8)
        return what == 1 || what == 3 || what == 5 || what == 7;
    switch (what) {
    case 0:
        return now->id[d];
    case 1:
        return size[d];
    case 2:
        return group[d];
    case 3:
        return (g[d] + l[d] - 1) / l[d];
    case 4:
        return at[d] + launch->offset[d];
    case 5:
        return g[d];
    case 6:
        return launch->offset[d];
    case 7:
        return l[d];
    case 8:
        return linear(now);
    default:
        return (at[2] * g[1] + at[1]) * g[0] + at[0];
    }
}

/* Work-items of which sub-groups are pieces, one after the other: those of a row, or all, where they go over its end. */
static uint32_t row(void) {
    uint32_t lanes = launch->subgroup;
    bool over_ends = size[0] % lanes && (launch->required || size[0] > lanes);
    return over_ends ? nfibers : size[0];
}

static uint32_t subgroup_of(const struct fiber *f) {
    uint32_t lanes = launch->subgroup, place = linear(f);
    return place / row() * ((row() + lanes - 1) / lanes) + place % row() / lanes;
}

uint32_t host_subgroup(uint32_t what);
uint32_t host_subgroup(uint32_t what) {
    uint32_t lanes = launch->subgroup, place = linear(now) % row(), left = row() - place / lanes * lanes;
    if (what == 2)
        return subgroup_of(now);
    return what == 0 ? place % lanes : left < lanes ? left : lanes;
}

static void wait_at(enum wait wait) {
    now->wait = wait;
    swapcontext(&now->context, &scheduler);
}

void host_barrier(void);
void host_barrier(void) {
    wait_at(AT_BARRIER);
}

void host_subgroup_barrier(void);
void host_subgroup_barrier(void) {
    wait_at(AT_SUBGROUP_BARRIER);
}

uint32_t host_gather(const void *value, uint32_t bytes, void *all);
uint32_t host_gather(const void *value, uint32_t bytes, void *all) {
    memcpy(gathered[0][linear(now)], value, bytes);
    wait_at(AT_BARRIER);
    for (uint32_t i = 0; i < nfibers; i++)
        memcpy((char *)all + (size_t)i * bytes, gathered[0][i], bytes);
    wait_at(AT_BARRIER);
    return nfibers;
}

static bool same_subgroup(const struct fiber *a, const struct fiber *b) {
    return subgroup_of(a) == subgroup_of(b);
}

uint32_t host_subgroup_gather(const void *value, uint32_t bytes, void *all);
uint32_t host_subgroup_gather(const void *value, uint32_t bytes, void *all) {
    uint32_t n = 0;
    memcpy(gathered[1][linear(now)], value, bytes);
    wait_at(AT_SUBGROUP_BARRIER);
    for (uint32_t i = 0; i < nfibers; i++)
        if (same_subgroup(now, &fibers[i]))
            memcpy((char *)all + (size_t)n++ * bytes, gathered[1][i], bytes);
    wait_at(AT_SUBGROUP_BARRIER);
    return n;
}

static void fiber_main(void) {
    launch->call(launch->arg);
    now->wait = ENDED;
    setcontext(&scheduler);
}

/* Lets those go on whose barrier all have reached. Whether there are any. */
static bool release(void) {
    uint32_t waiting = 0, ended = 0, released = 0;
    for (uint32_t i = 0; i < nfibers; i++)
        waiting += fibers[i].wait == AT_BARRIER, ended += fibers[i].wait == ENDED;
    if (ended == nfibers)
        return false;
    for (uint32_t i = 0; i < nfibers; i++) {
        bool all = fibers[i].wait == AT_SUBGROUP_BARRIER;
        for (uint32_t k = 0; all && k < nfibers; k++)
            all = !same_subgroup(&fibers[i], &fibers[k]) || fibers[k].wait == AT_SUBGROUP_BARRIER;
        for (uint32_t k = 0; all && k < nfibers; k++)
            if (same_subgroup(&fibers[i], &fibers[k]))
                fibers[k].wait = RUNS, released++;
    }
    if (!released && waiting == nfibers)
        for (uint32_t i = 0; i < nfibers; i++)
            fibers[i].wait = RUNS, released++;
    if (!released) {
        printf("work-items wait at different barriers: the generator's mistake\n");
        exit(2);
    }
    return true;
}

static void start(struct fiber *f, uint32_t x, uint32_t y, uint32_t z) {
    if (!f->stack)
        f->stack = malloc(STACK);
    f->id[0] = x, f->id[1] = y, f->id[2] = z;
    f->wait = RUNS;
    getcontext(&f->context);
    f->context.uc_stack.ss_sp = f->stack;
    f->context.uc_stack.ss_size = STACK;
    f->context.uc_link = NULL;
    makecontext(&f->context, fiber_main, 0);
}

static void run_group(void) {
    nfibers = 0;
    for (uint32_t z = 0; z < size[2]; z++)
        for (uint32_t y = 0; y < size[1]; y++)
            for (uint32_t x = 0; x < size[0]; x++)
                start(&fibers[nfibers++], x, y, z);
    do
        for (uint32_t i = 0; i < nfibers; i++)
            if (fibers[i].wait == RUNS) {
                now = &fibers[i];
                swapcontext(&scheduler, &now->context);
            }
    while (release());
}

void host_run(const struct host_launch *l) {
    launch = l;
    for (group[2] = 0; group[2] * l->local[2] < l->global[2]; group[2]++)
        for (group[1] = 0; group[1] * l->local[1] < l->global[1]; group[1]++)
            for (group[0] = 0; group[0] * l->local[0] < l->global[0]; group[0]++) {
                for (int d = 0; d < 3; d++) {
                    uint32_t left = l->global[d] - group[d] * l->local[d];
                    size[d] = left < l->local[d] ? left : l->local[d];
                }
                run_group();
            }
}
