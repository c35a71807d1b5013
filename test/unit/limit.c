/* The count of the memory that is taken. */
#include "unit.h"

#include "../../src/rt/memory/limit.c"

TEST(memory_is_taken_and_given_back) {
    size_t all = device_global_bytes();
    assert_true(device_max_alloc() <= all / 2);
    assert_true(limit_take(all));
    assert_false(limit_take(1));
    limit_give(all);
    assert_false(limit_take(all + 1));
    assert_true(limit_take(0));
}
