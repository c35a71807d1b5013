/* beneath.c: plain stores of a launch that an atomic of their group came over.
 *
 * A cell knows its last writer alone. A counter that one work-item sets, and its group adds to behind a barrier, has the
 * group's atomics as the last: then other groups' atomics, which are in no order with the store, would see nothing but
 * atomics.
 * In: such a store's cell, as an atomic replaces it. Out: the same, for the other groups' atomics. Of several stores of one
 * place, and of places that meet in the table, the last one is known. */
#include "check.h"

#include <stdlib.h>

enum { STORES = 1024 };

struct beneath {
    uint64_t address, cell;
    uint16_t site;
};

void beneath_keep(struct check_launch *l, uint64_t address, uint64_t cell, uint32_t site) {
    pthread_mutex_lock(&l->lock);
    if (!l->beneath)
        l->beneath = calloc(STORES, sizeof *l->beneath);
    struct beneath *b = l->beneath ? &l->beneath[address / 4 % STORES] : NULL;
    /* Who came first has seen the store's own site. */
    if (b && (b->address != address || b->cell != cell))
        *b = (struct beneath){address, cell, (uint16_t)site};
    atomic_store_explicit(&l->has_beneath, l->beneath != NULL, memory_order_relaxed);
    pthread_mutex_unlock(&l->lock);
}

bool beneath_find(struct check_launch *l, uint64_t address, uint64_t *cell, uint32_t *site) {
    bool found = false;
    if (!atomic_load_explicit(&l->has_beneath, memory_order_relaxed))
        return false;
    pthread_mutex_lock(&l->lock);
    const struct beneath *b = &l->beneath[address / 4 % STORES];
    if (b->address == address) {
        *cell = b->cell;
        *site = b->site;
        found = true;
    }
    pthread_mutex_unlock(&l->lock);
    return found;
}

void beneath_forget(struct check_launch *l) {
    free(l->beneath);
}
