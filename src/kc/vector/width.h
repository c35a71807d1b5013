/* width.h: how many work-items a pack has. */
#ifndef WEIR_KC_WIDTH_H
#define WEIR_KC_WIDTH_H

#include "kernel.h"

/* ---- width.c: how many work-items a pack has ---- */

void width_choose(struct kernel *); /* before the passes */
void width_limit(struct kernel *);  /* the built-in library is linked: of large kernels it is less */
/* Of kernels whose work-items may wait for each other it is 1. Whether it may still change: not if the host knows it,
 * as that of sub-groups. */
bool width_settle(struct kernel *);

/* ---- kept_vectors.c ---- */

void kept_vectors_pass(struct kernel *);

#endif
