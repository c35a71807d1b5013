/* tile.h: a local variable and all that accesses it. */
#ifndef WEIR_KC_TILE_H
#define WEIR_KC_TILE_H

#include "kernel.h"

enum { TILE_FEW = 2 }; /* Of so many rows one access may be of a single element, which memory has at hand. */

struct tile {
    LLVMValueRef root;    /* its address: an instruction that is marked (analysis/objects.c) */
    struct list accesses; /* loads and stores, also those under masks, none of them volatile or atomic */
};
/* Fills in the accesses; false: somebody else may learn the address. */
bool tile_find(LLVMValueRef root, struct tile *);
/* Addresses of the kernel's local variables, and of its arguments that are pointers to local memory: those that are one marked
 * instruction each. */
struct list tile_roots(struct kernel *);
bool tile_is_store(LLVMValueRef access);
LLVMValueRef tile_address(LLVMValueRef access);
LLVMTypeRef tile_type(LLVMValueRef access);  /* of the value that is read or written */
LLVMValueRef tile_mask(LLVMValueRef access); /* NULL: all of it is accessed */

#endif
