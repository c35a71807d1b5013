/* coherence.c: two reads of one cell never see its values in the wrong order, and increments are never lost. */
#include "litmus.h"

static const struct litmus tests[] = {
    {"two relaxed reads of one cell",
     {"atomic_store_explicit(&x[c], 1, memory_order_relaxed, memory_scope_device);",
      "r0[r] = atomic_load_explicit(&x[c], memory_order_relaxed, memory_scope_device);"
      "r1[r] = atomic_load_explicit(&x[c], memory_order_relaxed, memory_scope_device);"},
     {1, 0},
     1,
     false},
    {"two increments return different values",
     {"r0[r] = atomic_fetch_add_explicit(&x[c], 1, memory_order_relaxed, memory_scope_device);",
      "r1[r] = atomic_fetch_add_explicit(&x[c], 1, memory_order_relaxed, memory_scope_device);"},
     {0, 0},
     1,
     false},
    {"two legacy increments return different values",
     {"r0[r] = atomic_inc((volatile global int *)&x[c]);",
      "r1[r] = atomic_inc((volatile global int *)&x[c]);"},
     {1, 1},
     1,
     false},
    {"two exchanges don't both win",
     {"r0[r] = atomic_exchange_explicit(&x[c], 1, memory_order_acq_rel, memory_scope_device);",
      "r1[r] = atomic_exchange_explicit(&x[c], 2, memory_order_acq_rel, memory_scope_device);"},
     {0, 0},
     1,
     false},
};

int main(void) {
    return litmus_main(tests, sizeof tests / sizeof *tests);
}
