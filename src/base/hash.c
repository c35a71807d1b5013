/* hash.c: a streamed 128-bit content hash, for cache keys and checksums.
 *
 * Not cryptographic: whoever may write the cache may run code as this user anyway. It must only make
 * accidental equality and undetected damage improbable, and be fast on megabytes of IR.
 */
#include "base.h"

#include <stdio.h>
#include <string.h>

#define BLOCK 16
/* Odd multipliers: fractional digits of the golden ratio and of square roots. */
#define K1 0x9e3779b97f4a7c15u
#define K2 0xbb67ae8584caa73bu
#define K3 0x3c6ef372fe94f82bu
#define K4 0xa54ff53a5f1d36f1u

static uint64_t rotate(uint64_t x, int n) {
    return x << n | x >> (64 - n);
}

static uint64_t word(const unsigned char *p) {
    uint64_t v = 0;
    for (int i = 0; i < 8; i++)
        v |= (uint64_t)p[i] << 8 * i;
    return v;
}

/* For a fixed block the step is a bijection of (a, b): no state is lost on the way. */
static void absorb(struct hash *h, const unsigned char *block) {
    h->a = rotate(h->a ^ word(block) * K1, 29) * K2 + h->b;
    h->b = rotate(h->b ^ word(block + 8) * K3, 37) * K4 + h->a;
}

void hash_init(struct hash *h) {
    *h = (struct hash){.a = K3, .b = K1};
}

void hash_bytes(struct hash *h, const void *bytes, size_t n) {
    const unsigned char *p = bytes;
    size_t have = h->length % BLOCK;
    h->length += n;
    if (have) {
        size_t part = n < BLOCK - have ? n : BLOCK - have;
        memcpy(h->tail + have, p, part);
        if (have + part < BLOCK)
            return;
        absorb(h, h->tail);
        p += part;
        n -= part;
    }
    for (; n >= BLOCK; p += BLOCK, n -= BLOCK)
        absorb(h, p);
    if (n)
        memcpy(h->tail, p, n);
}

static uint64_t avalanche(uint64_t x) {
    x = (x ^ x >> 31) * K2;
    x = (x ^ x >> 29) * K4;
    return x ^ x >> 32;
}

void hash_hex(const struct hash *state, char out[33]) {
    struct hash h = *state;
    memset(h.tail + h.length % BLOCK, 0, BLOCK - h.length % BLOCK);
    absorb(&h, h.tail);
    h.a ^= h.length; /* tells zero padding from zero bytes */
    for (int i = 0; i < 2; i++) {
        h.a = avalanche(h.a) + h.b;
        h.b = avalanche(h.b) + h.a;
    }
    snprintf(out, 33, "%016llx%016llx", (unsigned long long)h.a, (unsigned long long)h.b);
}
