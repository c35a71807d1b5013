/* case_scan.c: reductions, prefix sums, histogram. */
#include "bench.h"

KERNELS(scan);
enum { GROUP = 256, REDUCED = 1 << 20, EACH = 16, SCANNED = 1 << 20, BLOCK = 1024 };

static void setup_reduce(struct run *run) {
    uint32_t each = run->test->param;
    size_t n = (size_t)REDUCED * (each > 1 ? 4 : 1), groups = n / GROUP / each;
    float *in = random_floats(n, 0, 1, 1), *want = allocate(groups * 4);
    for (size_t g = 0; g < groups; g++) {
        double sum = 0;
        for (size_t i = 0; i < GROUP * each; i++)
            sum += in[g * GROUP * each + i];
        want[g] = (float)sum;
    }
    run_build(run, scan_cl, "");
    struct buffer *from = run_buffer(run, n, 4, in), *to = run_buffer(run, groups, 4, NULL);
    run_launch(run, each > 1 ? "reduce_multi" : "reduce_tree", (struct dims){groups}, (struct dims){GROUP},
               each > 1 ? "bblu" : "bbl", from, to, (size_t)GROUP * 4, each);
    run_expect(run, to, want, groups, 1e-5);
    run->bytes = 4.0 * n;
    run->flops = n;
}

/* Blocks, the blocks' totals, and what comes before each block. */
static void setup_scan(struct run *run) {
    uint32_t *in = random_uints(SCANNED, 100, 2), *want = allocate(SCANNED * 4), sum = 0;
    for (size_t i = 0; i < SCANNED; i++)
        want[i] = sum += in[i];
    run_build(run, scan_cl, "");
    bool blelloch = run->test->param;
    const char *kernel = blelloch ? "scan_blelloch" : "scan_hillis";
    struct dims local = {blelloch ? BLOCK / 2 : BLOCK};
    struct buffer *from = run_buffer(run, SCANNED, 4, in), *to = run_buffer(run, SCANNED, 4, NULL);
    struct buffer *totals = run_buffer(run, SCANNED / BLOCK, 4, NULL);
    struct buffer *before = run_buffer(run, SCANNED / BLOCK, 4, NULL), *all = run_buffer(run, 1, 4, NULL);
    size_t shared = (blelloch ? 1 : 2) * BLOCK * 4;
    run_launch(run, kernel, (struct dims){SCANNED / BLOCK}, local, "bbbl", from, to, totals, shared);
    run_launch(run, kernel, (struct dims){SCANNED / BLOCK / BLOCK}, local, "bbbl", totals, before, all,
               shared);
    run_launch(run, "scan_add", (struct dims){SCANNED / GROUP}, (struct dims){GROUP}, "bbu", to, before,
               BLOCK);
    run_expect(run, to, want, SCANNED, 0);
    run->bytes = 8.0 * SCANNED;
}

TESTS(scan, {"reduce_tree", setup_reduce, NULL, 1, .quick = true},
      {"reduce_multi", setup_reduce, NULL, EACH, .quick = true},
      {"scan_hillis", setup_scan, NULL, 0, .quick = true}, {"scan_blelloch", setup_scan, NULL, 1});
