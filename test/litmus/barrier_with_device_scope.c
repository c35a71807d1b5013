/* barrier_with_device_scope.c: message passing where the barrier's fences order the data of all work-items. */
#include "litmus.h"

#define BARRIER(scope) "work_group_barrier(CLK_GLOBAL_MEM_FENCE, memory_scope_" scope ");"
#define SPLIT(scope)                                                                                         \
    "intel_work_group_barrier_arrive(CLK_GLOBAL_MEM_FENCE, memory_scope_" scope ");"                         \
    "intel_work_group_barrier_wait(CLK_GLOBAL_MEM_FENCE, memory_scope_" scope ");"
#define WRITER(scope, BARRIER)                                                                               \
    "data[c + l] = 1;" BARRIER(scope) "if (l == 0) atomic_store_explicit(&x[c], 1, memory_order_relaxed,"    \
                                      " memory_scope_" scope ");"
/* Every work-item looks for the message after the barrier that follows the flag's load. */
#define READER(scope, BARRIER)                                                                               \
    "int f = 0; if (l == 0) { for (int j = 0; j < 50 && !f; j++)"                                            \
    " f = atomic_load_explicit(&x[c], memory_order_relaxed, memory_scope_" scope                             \
    "); r0[r] = f; }" BARRIER(scope) "if (r0[r] && !data[c + l]) atomic_fetch_add_explicit(&y[c], 1, "       \
                                     "memory_order_relaxed, memory_scope_device);"                           \
                                     "work_group_barrier(CLK_GLOBAL_MEM_FENCE);"                             \
                                     "if (l == 0) r1[r] = atomic_load_explicit(&y[c], "                      \
                                     "memory_order_relaxed, memory_scope_device) != 0;"

static const struct litmus tests[] = {
    {"barrier, device", {WRITER("device", BARRIER), READER("device", BARRIER)}, {1, 1}, 16, false},
    {"barrier, all_svm_devices",
     {WRITER("all_svm_devices", BARRIER), READER("all_svm_devices", BARRIER)},
     {1, 1},
     16,
     false},
    {"barrier, all_devices",
     {WRITER("all_devices", BARRIER), READER("all_devices", BARRIER)},
     {1, 1},
     16,
     false},
    {"split barrier, device", {WRITER("device", SPLIT), READER("device", SPLIT)}, {1, 1}, 16, false},
};

int main(void) {
    return litmus_main(tests, sizeof tests / sizeof *tests);
}
