/* case_sort.c: sorts and histogram. */
#include "bench.h"

#include <stdlib.h>
#include <string.h>

KERNELS(sort);
enum { BITONIC = 1 << 16, BLOCK = 1024, RADIX = 1 << 18, KEYS_PER_GROUP = 1024 };
enum { BINS = 256, BIN_GROUPS = 64, BIN_ITEMS = 256, BIN_EACH = 128 };

static int by_key(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static uint32_t *sorted(const uint32_t *keys, size_t n) {
    uint32_t *copy = allocate(n * 4);
    memcpy(copy, keys, n * 4);
    qsort(copy, n, 4, by_key);
    return copy;
}

static void setup_bitonic(struct run *run) {
    uint32_t *keys = random_uints(BITONIC, 0, 11);
    run_build(run, sort_cl, "");
    struct buffer *in = run_buffer(run, BITONIC, 4, keys), *data = run_buffer(run, BITONIC, 4, NULL);
    struct dims groups = {BITONIC / BLOCK}, local = {BLOCK / 2};
    run_reset(run, in, data);
    run_launch(run, "bitonic_local", groups, local, "buu", data, 2u, 0u);
    for (cl_uint k = 2 * BLOCK; k <= BITONIC; k *= 2) {
        for (cl_uint step = k / 2; step >= BLOCK; step /= 2)
            run_launch(run, "bitonic_global", groups, local, "buu", data, step, k);
        run_launch(run, "bitonic_local", groups, local, "buu", data, (cl_uint)BLOCK, k);
    }
    run_expect(run, data, sorted(keys, BITONIC), BITONIC, 0);
}

static void setup_radix(struct run *run) {
    enum { GROUPS = RADIX / KEYS_PER_GROUP, SCANNERS = 256 };
    uint32_t *keys = random_uints(RADIX, 0, 12);
    run_build(run, sort_cl, "");
    struct buffer *in = run_buffer(run, RADIX, 4, keys), *counts = run_buffer(run, 16 * GROUPS, 4, NULL);
    struct buffer *out[2] = {run_buffer(run, RADIX, 4, NULL), run_buffer(run, RADIX, 4, NULL)}, *from = in;
    for (cl_uint pass = 0; pass < 8; pass++) {
        struct dims groups = {GROUPS}, local = {64};
        run_launch(run, "radix_count", groups, local, "bbu", from, counts, 4 * pass);
        run_launch(run, "radix_scan", (struct dims){1}, (struct dims){SCANNERS}, "bul", counts, 16u * GROUPS,
                   (size_t)SCANNERS * 4);
        run_launch(run, "radix_scatter", groups, local, "bbbu", from, out[pass % 2], counts, 4 * pass);
        from = out[pass % 2];
    }
    run_expect(run, from, sorted(keys, RADIX), RADIX, 0);
    run->bytes = 8 * 12.0 * RADIX;
}

static void setup_histogram(struct run *run) {
    enum { PER_GROUP = BIN_ITEMS * BIN_EACH, N = PER_GROUP * BIN_GROUPS };
    uint32_t *in = random_uints(N, 0, 13), *want = allocate(BIN_GROUPS * BINS * 4);
    for (size_t i = 0; i < N; i++)
        want[i / PER_GROUP * BINS + in[i] % BINS]++;
    run_build(run, sort_cl, "");
    struct buffer *from = run_buffer(run, N, 4, in), *to = run_buffer(run, BIN_GROUPS * BINS, 4, NULL);
    run_launch(run, "histogram", (struct dims){BIN_GROUPS}, (struct dims){BIN_ITEMS}, "bbu", from, to,
               BIN_EACH);
    run_expect(run, to, want, BIN_GROUPS * BINS, 0);
    run->bytes = 4.0 * N;
}

TESTS(sort, {"sort_bitonic", setup_bitonic, .quick = true}, {"sort_radix", setup_radix},
      {"histogram", setup_histogram, .quick = true});
