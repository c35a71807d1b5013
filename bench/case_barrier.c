/* case_barrier.c: barriers at work-group sizes from 16 to 1024, the same number of work-items in all; a split barrier, and
 * the same kernel with a whole one in the place of each half. */
#include "bench.h"

KERNELS(barrier);
enum { ITEMS = 65536, ROUNDS = 200 };

static void setup_only(struct run *run) {
    uint32_t *want = allocate(ITEMS * 4);
    for (uint32_t i = 0; i < ITEMS; i++) {
        want[i] = i;
        for (int r = 0; r < ROUNDS; r++)
            want[i] = want[i] * 1664525 + 1013904223;
    }
    run_build(run, barrier_cl, "");
    struct buffer *out = run_buffer(run, ITEMS, 4, NULL);
    size_t local = run->test->param;
    run_launch(run, "barrier_only", (struct dims){ITEMS / local}, (struct dims){local}, "bu", out, ROUNDS);
    run_expect(run, out, want, ITEMS, 0);
}

static void setup_neighbour(struct run *run) {
    uint32_t *want = allocate(ITEMS * 4), size = run->test->param, old[1024];
    for (uint32_t group = 0; group < ITEMS; group += size) {
        uint32_t *x = want + group;
        for (uint32_t l = 0; l < size; l++)
            x[l] = group + l;
        for (int r = 0; r < ROUNDS; r++) {
            for (uint32_t l = 0; l < size; l++)
                old[l] = x[l];
            for (uint32_t l = 0; l < size; l++)
                x[l] = old[l] * 3 + old[(l + 1) % size];
        }
    }
    run_build(run, barrier_cl, "");
    struct buffer *out = run_buffer(run, ITEMS, 4, NULL);
    run_launch(run, "barrier_neighbour", (struct dims){ITEMS / size}, (struct dims){size}, "bul", out, ROUNDS,
               (size_t)size * 4);
    run_expect(run, out, want, ITEMS, 0);
}

static void setup_split_or_whole(struct run *run, const char *options) {
    uint32_t size = run->test->param, *in = random_uints(ITEMS + 32, 1000, 1);
    uint32_t *want = allocate(ITEMS * 4), x[1024], given[1024];
    for (uint32_t group = 0; group < ITEMS; group += size) {
        for (uint32_t l = 0; l < size; l++)
            x[l] = group + l;
        for (uint32_t r = 0; r < ROUNDS; r++) {
            uint32_t *own = in + r % 16 + group;
            for (uint32_t l = 0; l < size; l++)
                given[l] = x[l] + own[l];
            for (uint32_t l = 0; l < size; l++) {
                want[group + l] = x[l] * own[l];
                uint32_t y = own[l] * 1664525 + own[l + 16];
                x[l] = y * 3 + given[(l + 1) % size];
            }
        }
    }
    run_build(run, barrier_cl, options);
    struct buffer *from = run_buffer(run, ITEMS + 32, 4, in);
    struct buffer *log = run_buffer(run, ITEMS, 4, NULL);
    run_launch(run, "barrier_split", (struct dims){ITEMS / size}, (struct dims){size}, "bbul", from, log,
               ROUNDS, (size_t)size * 8);
    run_expect(run, log, want, ITEMS, 0);
}

static void setup_split(struct run *run) {
    setup_split_or_whole(run, "");
}

static void setup_whole(struct run *run) {
    setup_split_or_whole(run, "-DWHOLE");
}

TESTS(barrier, {"barrier_16", setup_only, NULL, 16}, {"barrier_64", setup_only, NULL, 64, .quick = true},
      {"barrier_256", setup_only, NULL, 256}, {"barrier_1024", setup_only, NULL, 1024},
      {"neighbour_16", setup_neighbour, NULL, 16}, {"neighbour_64", setup_neighbour, NULL, 64},
      {"neighbour_256", setup_neighbour, NULL, 256, .quick = true},
      {"neighbour_1024", setup_neighbour, NULL, 1024}, {"split_256", setup_split, NULL, 256},
      {"split_as_whole_256", setup_whole, NULL, 256}, {"split_1024", setup_split, NULL, 1024},
      {"split_as_whole_1024", setup_whole, NULL, 1024});
