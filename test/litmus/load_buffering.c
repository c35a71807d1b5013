/* load_buffering.c: each group reads one cell and writes the other; the reads can't both see the writes. */
#include "litmus.h"

#define PAIR(load, store)                                                                                    \
    {"r0[r] = atomic_load_explicit(&x[c], memory_order_" load ", memory_scope_device);"                      \
     "atomic_store_explicit(&y[c], 1, memory_order_" store ", memory_scope_device);",                        \
     "r1[r] = atomic_load_explicit(&y[c], memory_order_" load ", memory_scope_device);"                      \
     "atomic_store_explicit(&x[c], 1, memory_order_" store ", memory_scope_device);"}

static const struct litmus tests[] = {
    {"acquire, release", PAIR("acquire", "release"), {1, 1}, 1, false},
    {"seq_cst", PAIR("seq_cst", "seq_cst"), {1, 1}, 1, false},
    {"relaxed order", PAIR("relaxed", "relaxed"), {1, 1}, 1, true},
};

int main(void) {
    return litmus_main(tests, sizeof tests / sizeof *tests);
}
