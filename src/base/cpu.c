/* cpu.c: what both processes must know alike of the machine's processor. */
#include "base.h"

unsigned cpu_vector_bits(void) {
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512vl"))
        return 512;
    if (__builtin_cpu_supports("avx2"))
        return 256;
#endif
    return 128;
}
