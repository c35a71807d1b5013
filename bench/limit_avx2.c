/* limit_avx2.c: the limits with 8 lanes. */
#include "bench.h"
#define LIMITS limits_avx2
#include "limit_body.h"
