/* changed.c: places to which a work-item has stored one value and then another, in no order with what others do.
 *
 * A cell knows its last writer alone, and a store of the value that is there harms nobody. So where one work-item sets a flag
 * back and raises it again, and others raise it as well, nothing tells them of the first of its stores.
 * In: a pack's stores to one place, before its cells are looked at. Out: the cell of the store that was overwritten, for others'
 * stores. Of places that meet in the table the last one is known, and only what a pack stores to one place is looked at: that is
 * what flags and counters are. */
#include "access.h"

#include <string.h>

/* The place's contents before, and what the lane stores there. */
static bool changes(uint64_t at, const uint64_t *value, uint64_t more, uint32_t bytes) {
    uint64_t both[2] = {*value, more};
    return bytes <= sizeof both && memcmp((const char *)at, both, bytes) != 0;
}

void changed_keep(struct check_worker *c, const uint64_t *lanes, uint64_t mask, uint32_t code, uint32_t bytes,
                  uint32_t item) {
    const struct weir_object *o = &c->objects[code & 0xffff];
    uint32_t width = code >> WEIR_CODE_WIDTH_SHIFT & 0x7f;
    uint64_t at = lanes[0], offset = at - o->start;
    if (offset >= o->size || o->size - offset < bytes || at & ((bytes < 4 ? bytes : 4) - 1))
        return;
    for (uint64_t p = at & ~UINT64_C(3); p < at + bytes; p += 4) {
        uint64_t n = (p - o->start) / 4, cell = read_cell((uint64_t *)o->writers + n);
        uint32_t lane = CELL_WHO(cell) - item;
        bool own = CELL_SERIAL(cell) == CELL_SERIAL(c->abi.base) && lane < width && mask >> lane & 1;
        if (own && !(cell & WEIR_CELL_ATOMIC) && cell - c->abi.base >= c->abi.covered[o->space] &&
            changes(at, &lanes[width + lane], lanes[2 * width + lane], bytes))
            c->changed[p / 4 % CHANGED_MOST] = (struct changed){p, cell, read_site((uint16_t *)o->sites + n)};
    }
}

const struct changed *changed_at(const struct check_worker *c, uint64_t address) {
    const struct changed *at = &c->changed[address / 4 % CHANGED_MOST];
    return at->address == address ? at : NULL;
}
