/* case_grid.c: stencils, convolution, median filter, alignment by antidiagonals. */
#include "bench.h"

#include <stdlib.h>
#include <string.h>

KERNELS(grid);
enum { T = 16, SIDE = 1024, PITCH2 = SIDE + 2, X3 = 128, PITCH3 = X3 + 2, PLANE3 = PITCH3 * PITCH3 };
enum { CONV = 512, R = 3, PITCHC = CONV + 2 * R, IMAGE = 384, PITCHI = IMAGE + 2, LENGTH = 256, PAIRS = 64 };

static void setup_stencil2d(struct run *run) {
    size_t n = (size_t)PITCH2 * PITCH2;
    float *in = random_floats(n, 0, 1, 14), *want = allocate(n * 4);
    for (int y = 1; y <= SIDE; y++)
        for (int x = 1; x <= SIDE; x++) {
            const float *p = in + y * PITCH2 + x;
            want[y * PITCH2 + x] = 0.5f * p[0] + 0.125f * (p[-PITCH2] + p[PITCH2] + p[-1] + p[1]);
        }
    run_build(run, grid_cl, "");
    struct buffer *from = run_buffer(run, n, 4, in), *to = run_buffer(run, n, 4, NULL);
    run_launch(run, "stencil2d", (struct dims){SIDE / T, SIDE / T}, (struct dims){T, T}, "bbu", from, to,
               PITCH2);
    run_expect(run, to, want, n, 1e-6);
    run->bytes = 8.0 * n;
    run->flops = 6.0 * SIDE * SIDE;
}

static void setup_stencil3d(struct run *run) {
    size_t n = (size_t)PLANE3 * PITCH3;
    float *in = random_floats(n, 0, 1, 15), *want = allocate(n * 4);
    for (int z = 1; z <= X3; z++)
        for (int y = 1; y <= X3; y++)
            for (int x = 1; x <= X3; x++) {
                const float *p = in + z * PLANE3 + y * PITCH3 + x;
                float sides = p[-PLANE3] + p[PLANE3] + p[-PITCH3] + p[PITCH3] + p[-1] + p[1];
                want[z * PLANE3 + y * PITCH3 + x] = 0.4f * p[0] + 0.1f * sides;
            }
    run_build(run, grid_cl, "");
    struct buffer *from = run_buffer(run, n, 4, in), *to = run_buffer(run, n, 4, NULL);
    run_launch(run, "stencil3d", (struct dims){X3 / 16, X3 / 4, X3 / 4}, (struct dims){16, 4, 4}, "bbuu",
               from, to, PITCH3, PLANE3);
    run_expect(run, to, want, n, 1e-5);
    run->bytes = 8.0 * n;
    run->flops = 8.0 * X3 * X3 * X3;
}

static void setup_convolution(struct run *run) {
    enum { W = 2 * R + 1 };
    size_t n = (size_t)PITCHC * PITCHC;
    float *in = random_floats(n, 0, 1, 16), *weights = random_floats(W * W, -1, 1, 17),
          *want = allocate(n * 4);
    for (int y = 0; y < CONV; y++)
        for (int x = 0; x < CONV; x++) {
            double sum = 0;
            for (int i = 0; i < W * W; i++)
                sum += weights[i] * in[(y + i / W) * PITCHC + x + i % W];
            want[(y + R) * PITCHC + x + R] = (float)sum;
        }
    run_build(run, grid_cl, "");
    struct buffer *from = run_buffer(run, n, 4, in), *to = run_buffer(run, n, 4, NULL);
    struct buffer *by = run_buffer(run, W * W, 4, weights);
    run_launch(run, "convolution", (struct dims){CONV / T, CONV / T}, (struct dims){T, T}, "bbbu", from, to,
               by, PITCHC);
    run_expect(run, to, want, n, 1e-4);
    run->bytes = 8.0 * n;
    run->flops = 2.0 * W * W * CONV * CONV;
}

static int by_value(const void *a, const void *b) {
    return *(const uint8_t *)a - *(const uint8_t *)b;
}

static void setup_median(struct run *run) {
    uint32_t *in = random_uints((size_t)PITCHI * PITCHI, 0, 18), *want = allocate(IMAGE * IMAGE * 4);
    for (int i = 0; i < IMAGE * IMAGE; i++)
        for (int c = 0; c < 4; c++) {
            uint8_t v[9];
            for (int k = 0; k < 9; k++)
                v[k] = (uint8_t)(in[(i / IMAGE + k / 3) * PITCHI + i % IMAGE + k % 3] >> (8 * c));
            qsort(v, 9, 1, by_value);
            want[i] |= (uint32_t)v[4] << (8 * c);
        }
    run_build(run, grid_cl, "");
    struct buffer *from = run_buffer(run, (size_t)PITCHI * PITCHI, 4, in);
    struct buffer *to = run_buffer(run, IMAGE * IMAGE, 4, NULL);
    run_launch(run, "median", (struct dims){IMAGE / 64, IMAGE / 4}, (struct dims){64, 4}, "bbu", from, to,
               PITCHI);
    run_expect(run, to, want, IMAGE * IMAGE, 0);
    run->bytes = 8.0 * IMAGE * IMAGE;
}

static uint32_t common_length(const uint32_t *a, const uint32_t *b) {
    uint32_t row[LENGTH + 1] = {0};
    for (int i = 0; i < LENGTH; i++)
        for (uint32_t j = 0, diagonal = 0; j < LENGTH; j++) {
            uint32_t above = row[j + 1];
            row[j + 1] = a[i] == b[j] ? diagonal + 1 : above > row[j] ? above : row[j];
            diagonal = above;
        }
    return row[LENGTH];
}

static void setup_wavefront(struct run *run) {
    uint32_t *a = random_uints(LENGTH * PAIRS, 4, 19), *b = random_uints(LENGTH * PAIRS, 4, 20);
    uint32_t *want = allocate(PAIRS * 4);
    for (int p = 0; p < PAIRS; p++)
        want[p] = common_length(a + p * LENGTH, b + p * LENGTH);
    run_build(run, grid_cl, "");
    struct buffer *ba = run_buffer(run, LENGTH * PAIRS, 4, a), *bb = run_buffer(run, LENGTH * PAIRS, 4, b);
    struct buffer *to = run_buffer(run, PAIRS, 4, NULL);
    run_launch(run, "wavefront", (struct dims){PAIRS}, (struct dims){LENGTH}, "bbb", ba, bb, to);
    run_expect(run, to, want, PAIRS, 0);
}

TESTS(grid, {"stencil_2d", setup_stencil2d, .quick = true}, {"stencil_3d", setup_stencil3d},
      {"convolution_7x7", setup_convolution}, {"median_3x3", setup_median},
      {"wavefront_lcs", setup_wavefront, .quick = true});
