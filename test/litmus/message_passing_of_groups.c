/* message_passing_of_groups.c: what all work-items of a group have written, or read, where one of them or each of them has
 * the flag: as work-items one by one, and as packs. The harness' kernel waits in a loop, so only one that names a function
 * of sub-groups has packs. */
#include "litmus.h"

#define PACKS   "if (get_sub_group_size() > 64) return;"
#define BARRIER "work_group_barrier(CLK_GLOBAL_MEM_FENCE);"
#define FENCE(order)                                                                                         \
    "atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_" order ", memory_scope_device);"

/* One work-item releases what others have written before the barrier, and acquires what others read after it. */
#define ONE_WRITES                                                                                           \
    "data[c + l] = 1;" BARRIER "if (l == 0) atomic_store_explicit(&x[c], 1, memory_order_release, "          \
    "memory_scope_device);"
#define ONE_READS                                                                                            \
    "if (l == 0) { int f = 0; for (int j = 0; j < 50 && !f; j++) f = atomic_load_explicit(&x[c], "           \
    "memory_order_acquire, memory_scope_device); r0[r] = f; }" BARRIER                                       \
    "if (r0[r] && !data[c + (l ^ 5)]) atomic_fetch_add_explicit(&y[c], 1, memory_order_relaxed, "            \
    "memory_scope_device);" COUNT
#define COUNT                                                                                                \
    BARRIER "if (l == 0) r1[r] = atomic_load_explicit(&y[c], memory_order_relaxed, memory_scope_device) != " \
            "0;"

/* Each work-item has a flag of its own; r0 is 1 in any case, so that r1 tells. */
#define EACH_WRITES(before, order)                                                                           \
    "data[c + l] = 1;" before "atomic_store_explicit(&x[c + l], 1, memory_order_" order                      \
    ", memory_scope_device);"
#define EACH_READS(order, after)                                                                             \
    "int f = atomic_load_explicit(&x[c + l], memory_order_" order ", memory_scope_device);" after            \
    "if (f && !data[c + l]) atomic_fetch_add_explicit(&y[c], 1, memory_order_relaxed, memory_scope_device);" \
    "r0[r] = 1;" COUNT

static const struct litmus tests[] = {
    {"release and acquire of one work-item beside barriers", {ONE_WRITES, ONE_READS}, {1, 1}, 16, false},
    {"the same in packs", {PACKS ONE_WRITES, PACKS ONE_READS}, {1, 1}, 16, false},
    {"release and acquire of each work-item of a pack",
     {PACKS EACH_WRITES("", "release"), PACKS EACH_READS("acquire", "")},
     {1, 1},
     16,
     false},
    {"fences of the work-items of a pack",
     {PACKS EACH_WRITES(FENCE("release"), "relaxed"), PACKS EACH_READS("relaxed", FENCE("acquire"))},
     {1, 1},
     16,
     false},
    {"mem_fence of the work-items of a pack",
     {PACKS EACH_WRITES("mem_fence(CLK_GLOBAL_MEM_FENCE);", "relaxed"),
      PACKS EACH_READS("relaxed", "mem_fence(CLK_GLOBAL_MEM_FENCE);")},
     {1, 1},
     16,
     false},
    {"fences where some work-items of a pack are off",
     {PACKS "if (l % 3) {" EACH_WRITES(FENCE("release"), "relaxed") "}", PACKS
      "r0[r] = 1; if (l % 3) { int f = atomic_load_explicit(&x[c + l], memory_order_relaxed, "
      "memory_scope_device);" FENCE("acquire") "if (f && !data[c + l]) atomic_fetch_add_explicit(&y[c], 1, "
                                               "memory_order_relaxed, memory_scope_device); }" COUNT},
     {1, 1},
     16,
     false},
    {"barriers of device scope between packs",
     {PACKS "data[c + l] = 1; work_group_barrier(CLK_GLOBAL_MEM_FENCE, memory_scope_device);"
            "atomic_store_explicit(&x[c + l], 1, memory_order_relaxed, memory_scope_device);",
      PACKS "int f = atomic_load_explicit(&x[c + l], memory_order_relaxed, "
            "memory_scope_device);"
            "work_group_barrier(CLK_GLOBAL_MEM_FENCE, memory_scope_device);"
            "if (f && !data[c + (l ^ 3)]) atomic_fetch_add_explicit(&y[c], 1, memory_order_relaxed, "
            "memory_scope_device);"
            "r0[r] = 1;" COUNT},
     {1, 1},
     16,
     false},
};

int main(void) {
    return litmus_main(tests, sizeof tests / sizeof *tests);
}
