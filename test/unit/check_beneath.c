/* Plain stores that atomics of other work-items took the place of keep the site of the store. */
#include "../../src/check/beneath.c"
#include "unit.h"

TEST(a_store_that_several_atomics_are_about_to_replace_keeps_its_own_site) {
    enum { AT = 4096, STORE = 8, ATOMIC = 10 };
    struct check_launch launch = {.lock = PTHREAD_MUTEX_INITIALIZER};
    uint64_t cell;
    uint32_t site;
    beneath_keep(&launch, AT, 77, STORE);
    beneath_keep(&launch, AT, 77, ATOMIC); /* it has read the site that another atomic had entered by then */
    assert_true(beneath_find(&launch, AT, &cell, &site));
    assert_int_equal(cell, 77);
    assert_int_equal(site, STORE);
    beneath_keep(&launch, AT, 78, ATOMIC);
    assert_true(beneath_find(&launch, AT, &cell, &site));
    assert_int_equal(site, ATOMIC);
    beneath_forget(&launch);
}
