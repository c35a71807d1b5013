/* unit.h: what the unit tests share: cmocka, and TESTs named as sentences, run in the order of the file. */
#ifndef UNIT_H
#define UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static struct CMUnitTest tests[100];
static size_t ntests;
#define TEST(name)                                                                                           \
    static void name(void **);                                                                               \
    static __attribute__((constructor)) void register_##name(void) {                                         \
        tests[ntests++] = (struct CMUnitTest){#name, name, NULL, NULL, NULL};                                \
    }                                                                                                        \
    static void name(void **state)

/* A pseudo-random sequence, the same in every run. */
static __attribute__((unused)) uint32_t noise(uint64_t *seed) {
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*seed >> 33);
}

int main(int argc, char **argv) {
    if (argc > 1)
        cmocka_set_test_filter(argv[1]);
    return _cmocka_run_group_tests(argv[0], tests, ntests, NULL, NULL) != 0;
}

#endif
