/* hash.c: a streamed 128-bit content hash, for cache keys and checksums: XXH3 of libxxhash, compiled in from its
 * header, so that libweir.so needs no library for it.
 *
 * Not cryptographic: whoever may write the cache may run code as this user anyway. It must only make
 * accidental equality and undetected damage improbable, and be fast on megabytes of IR.
 */
#include "base.h"

#define XXH_INLINE_ALL
#include <stdio.h>
#include <xxhash.h>

_Static_assert(sizeof(XXH3_state_t) <= sizeof(struct hash), "struct hash holds the state");
_Static_assert(_Alignof(XXH3_state_t) <= _Alignof(struct hash), "struct hash is aligned for it");

void hash_init(struct hash *h) {
    XXH3_128bits_reset((XXH3_state_t *)h);
}

void hash_bytes(struct hash *h, const void *bytes, size_t n) {
    if (n)
        XXH3_128bits_update((XXH3_state_t *)h, bytes, n);
}

void hash_hex(const struct hash *h, char out[33]) {
    XXH128_hash_t value = XXH3_128bits_digest((const XXH3_state_t *)h);
    snprintf(out, 33, "%016llx%016llx", (unsigned long long)value.high64, (unsigned long long)value.low64);
}
