/* machine.h: what the processor and its memory can do at most, measured by code written by hand. Of `weir bench`, and of
 * bench/, which compares more kernels with it. */
#ifndef WEIR_CLI_MACHINE_H
#define WEIR_CLI_MACHINE_H

#include <stdbool.h>
#include <stddef.h>

/* Those that the process may use at once: by its affinity and its control group's quota. */
unsigned machine_threads(void);
double machine_load(void); /* processes that run or want to, of the last minute; 0: not known */
/* Calls body(argument, group) for all groups, in chunks that threads take as they go. One caller at a time. False: a thread
 * can't be made. */
bool machine_groups(void *argument, size_t groups, void (*body)(void *argument, size_t group));

bool machine_has_avx2(void);   /* with fused multiply-adds */
bool machine_has_avx512(void); /* as kernels use it */

/* Each takes 0.3 seconds; 0: not known. */
double
machine_bandwidth(void); /* bytes per second that a copy of arrays far beyond the caches reads and writes */
double machine_flops(void); /* single-precision operations per second of fused multiply-adds */
double machine_exchange(
    void); /* 32-bit values per second that groups of 256 pass through their threads' nearest caches */
double machine_launch(size_t groups,
                      double operations); /* seconds until all threads have done so many for each group */

#endif
