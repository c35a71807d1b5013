/* bench.h: the kernels of `weir bench`. */
#ifndef WEIR_CLI_BENCH_H
#define WEIR_CLI_BENCH_H

#include "cli.h"

enum bound { BOUND_MEMORY, BOUND_FLOPS, BOUND_EXCHANGE, BOUND_LAUNCH, BOUNDS };
enum { BENCH_KERNELS = 8 };
#define BENCH_LAUNCH_GROUPS 64 /* of the short launch, and what each of them does */
#define BENCH_LAUNCH_FLOPS  (2.0 * 8 * 100 * 256)
struct bench_kernel {
    const char *name, *function;
    enum bound bound;
    double amount; /* per run: bytes, operations, values exchanged, launches */
};
const struct bench_kernel *bench_kernel(unsigned i);
/* The seconds of its fastest run on the platform of that name; exits with a message where it doesn't work. */
double bench_measure(const char *platform, unsigned i);

#endif
