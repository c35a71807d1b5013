/* message_passing.c: group 0 writes data, then a flag; who sees the flag must see the data. */
#include "litmus.h"

/* Group 1 waits a little for the flag, so that both outcomes occur. */
#define READ_FLAG(order, scope)                                                                              \
    "int f = 0; for (int j = 0; j < 50 && !f; j++)"                                                          \
    " f = atomic_load_explicit(&x[c], memory_order_" order ", memory_scope_" scope ");"
#define WRITE_FLAG(order, scope)                                                                             \
    "atomic_store_explicit(&x[c], 1, memory_order_" order ", memory_scope_" scope ");"
#define FENCE(order, scope)                                                                                  \
    "atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_" order ", memory_scope_" scope ");"
#define RESULT "r0[r] = f; r1[r] = f ? data[c] : 1;"

static const struct litmus tests[] = {
    {"release store, acquire load, device",
     {"data[c] = 1;" WRITE_FLAG("release", "device"), READ_FLAG("acquire", "device") RESULT},
     {1, 0},
     1,
     false},
    {"release store, acquire load, all_svm_devices",
     {"data[c] = 1;" WRITE_FLAG("release", "all_svm_devices"),
      READ_FLAG("acquire", "all_svm_devices") RESULT},
     {1, 0},
     1,
     false},
    {"seq_cst store and load, device",
     {"data[c] = 1;" WRITE_FLAG("seq_cst", "device"), READ_FLAG("seq_cst", "device") RESULT},
     {1, 0},
     1,
     false},
    {"release and acquire fences, device",
     {"data[c] = 1;" FENCE("release", "device") WRITE_FLAG("relaxed", "device"),
      READ_FLAG("relaxed", "device") FENCE("acquire", "device") RESULT},
     {1, 0},
     1,
     false},
    {"acq_rel fences, all_svm_devices",
     {"data[c] = 1;" FENCE("acq_rel", "all_svm_devices") WRITE_FLAG("relaxed", "all_svm_devices"),
      READ_FLAG("relaxed", "all_svm_devices") FENCE("acq_rel", "all_svm_devices") RESULT},
     {1, 0},
     1,
     false},
    {"mem_fence",
     {"*(volatile global int *)&data[c] = 1; mem_fence(CLK_GLOBAL_MEM_FENCE);" WRITE_FLAG("relaxed",
                                                                                          "device"),
      READ_FLAG("relaxed", "device") "mem_fence(CLK_GLOBAL_MEM_FENCE);" RESULT},
     {1, 0},
     1,
     false},
    {"write_mem_fence and read_mem_fence",
     {"*(volatile global int *)&data[c] = 1; write_mem_fence(CLK_GLOBAL_MEM_FENCE);" WRITE_FLAG("relaxed",
                                                                                                "device"),
      READ_FLAG("relaxed", "device") "read_mem_fence(CLK_GLOBAL_MEM_FENCE);" RESULT},
     {1, 0},
     1,
     false},
    {"release fence, acquire load",
     {"data[c] = 1;" FENCE("release", "device") WRITE_FLAG("relaxed", "device"),
      READ_FLAG("acquire", "device") RESULT},
     {1, 0},
     1,
     false},
    {"release store, acquire fence",
     {"data[c] = 1;" WRITE_FLAG("release", "device"),
      READ_FLAG("relaxed", "device") FENCE("acquire", "device") RESULT},
     {1, 0},
     1,
     false},
    {"seq_cst fences, device",
     {"data[c] = 1;" FENCE("seq_cst", "device") WRITE_FLAG("relaxed", "device"),
      READ_FLAG("relaxed", "device") FENCE("seq_cst", "device") RESULT},
     {1, 0},
     1,
     false},
    {"release sequence: a relaxed increment after the release store",
     {"data[c] = 1;" WRITE_FLAG("release", "device") "data[c + 1] = 1; atomic_fetch_add_explicit(&x[c], 1, "
                                                     "memory_order_relaxed, memory_scope_device);",
      READ_FLAG("acquire", "device") "r0[r] = f; r1[r] = f == 2 ? data[c] : 1;"},
     {2, 0},
     1,
     false},
    {"release by an exchange, acquire by a compare-exchange",
     {"data[c] = 1; atomic_exchange_explicit(&x[c], 1, memory_order_release, memory_scope_device);",
      "int f = 0; for (int j = 0; j < 50 && !f; j++) { int one = 1; f = "
      "atomic_compare_exchange_strong_explicit(&x[c], &one, 2, memory_order_acquire, memory_order_relaxed, "
      "memory_scope_device); }" RESULT},
     {1, 0},
     1,
     false},
    {"a volatile flag between mem_fences",
     {"data[c] = 1; mem_fence(CLK_GLOBAL_MEM_FENCE); *(volatile global int *)&x[c] = 1;",
      "int f = 0; for (int j = 0; j < 50 && !f; j++) f = *(volatile global int *)&x[c];"
      "mem_fence(CLK_GLOBAL_MEM_FENCE);" RESULT},
     {1, 0},
     1,
     false},
    {"relaxed order",
     {WRITE_FLAG("relaxed", "device") "*(volatile global int *)&data[c] = 1;",
      READ_FLAG("relaxed", "device") RESULT},
     {1, 0},
     1,
     true},
};

int main(void) {
    return litmus_main(tests, sizeof tests / sizeof *tests);
}
