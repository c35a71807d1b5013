/* mutual_exclusion.c: plain accesses between acquiring and releasing a lock are of one group at a time: each finds what the other
 * has written, or nothing. */
#include "litmus.h"

/* Who gets the lock counts; 7 tells that it hasn't. */
#define COUNT(TRY, LEAVE, result)                                                                            \
    "int mine = 0; for (int j = 0; j < 2000 && !mine; j++) mine = " TRY ";"                                  \
    "int old = 7; if (mine) { old = data[c]; data[c] = old + 1; " LEAVE "; }" result "[r] = old;"
#define BOTH(TRY, LEAVE) {COUNT(TRY, LEAVE, "r0"), COUNT(TRY, LEAVE, "r1")}, {0, 0}, 1, false

static const struct litmus tests[] = {
    {"atomic_flag",
     BOTH("!atomic_flag_test_and_set_explicit((volatile global atomic_flag *)&x[c], "
          "memory_order_acquire, memory_scope_device)",
          "atomic_flag_clear_explicit((volatile global atomic_flag *)&x[c], memory_order_release, "
          "memory_scope_device)")},
    {"exchange and store",
     BOTH("!atomic_exchange_explicit(&x[c], 1, memory_order_acq_rel, memory_scope_device)",
          "atomic_store_explicit(&x[c], 0, memory_order_release, memory_scope_device)")},
    {"legacy functions and mem_fence",
     BOTH("!atomic_cmpxchg((volatile global int *)&x[c], 0, 1); mem_fence(CLK_GLOBAL_MEM_FENCE)",
          "mem_fence(CLK_GLOBAL_MEM_FENCE); atomic_xchg((volatile global int *)&x[c], 0)")},
    {"compare-exchange and seq_cst",
     BOTH("({ int none = 0; atomic_compare_exchange_strong(&x[c], &none, 1); })", "atomic_store(&x[c], 0)")},
};

int main(void) {
    return litmus_main(tests, sizeof tests / sizeof *tests);
}
