/* limit_avx512.c: the limits with 16 lanes. */
#include "bench.h"
#define LIMITS limits_avx512
#include "limit_body.h"
