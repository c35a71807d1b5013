/* store_buffering.c: each group writes its cell and reads the other's; with sequential consistency one sees it. */
#include "litmus.h"

#define STORE(p, order, scope)                                                                               \
    "atomic_store_explicit(&" p "[c], 1, memory_order_" order ", memory_scope_" scope ");"
#define LOAD(to, p, order, scope)                                                                            \
    to "[r] = atomic_load_explicit(&" p "[c], memory_order_" order ", memory_scope_" scope ");"
#define FENCE(order, scope)                                                                                  \
    "atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_" order ", memory_scope_" scope ");"
#define PAIR(order, scope, between)                                                                          \
    {STORE("x", order, scope) between LOAD("r0", "y", order, scope),                                         \
     STORE("y", order, scope) between LOAD("r1", "x", order, scope)}

static const struct litmus tests[] = {
    {"seq_cst, device", PAIR("seq_cst", "device", ""), {0, 0}, 1, false},
    {"seq_cst, all_svm_devices", PAIR("seq_cst", "all_svm_devices", ""), {0, 0}, 1, false},
    {"seq_cst fence, device", PAIR("relaxed", "device", FENCE("seq_cst", "device")), {0, 0}, 1, false},
    {"seq_cst fence, all_svm_devices",
     PAIR("relaxed", "all_svm_devices", FENCE("seq_cst", "all_svm_devices")),
     {0, 0},
     1,
     false},
    {"read-modify-write, seq_cst",
     {"atomic_exchange_explicit(&x[c], 1, memory_order_seq_cst, memory_scope_device);" LOAD(
          "r0", "y", "seq_cst", "device"),
      "atomic_exchange_explicit(&y[c], 1, memory_order_seq_cst, memory_scope_device);" LOAD(
          "r1", "x", "seq_cst", "device")},
     {0, 0},
     1,
     false},
    {"relaxed order", PAIR("relaxed", "device", ""), {0, 0}, 1, true},
    {"acq_rel fence", PAIR("relaxed", "device", FENCE("acq_rel", "device")), {0, 0}, 1, true},
};

int main(void) {
    return litmus_main(tests, sizeof tests / sizeof *tests);
}
