/* case_barrier.c: barriers at work-group sizes from 16 to 1024, the same number of work-items in all. */
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

TESTS(barrier, {"barrier_16", setup_only, NULL, 16}, {"barrier_64", setup_only, NULL, 64, .quick = true},
      {"barrier_256", setup_only, NULL, 256}, {"barrier_1024", setup_only, NULL, 1024},
      {"neighbour_16", setup_neighbour, NULL, 16}, {"neighbour_64", setup_neighbour, NULL, 64},
      {"neighbour_256", setup_neighbour, NULL, 256, .quick = true},
      {"neighbour_1024", setup_neighbour, NULL, 1024});
