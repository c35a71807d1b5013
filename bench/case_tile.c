/* case_tile.c: many steps over a tile in local memory, each of which leaves out some work-items. */
#include "bench.h"

#include <stdlib.h>
#include <string.h>

KERNELS(tile);
enum { TILES = 512 };

static int by_key(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static void setup_sort(struct run *run) {
    enum { EACH = 512, N = TILES * EACH };
    uint32_t *keys = random_uints(N, 0, 61), *want = allocate(N * 4);
    memcpy(want, keys, N * 4);
    for (size_t tile = 0; tile < TILES; tile++)
        qsort(want + tile * EACH, EACH, 4, by_key);
    run_build(run, tile_cl, "");
    struct buffer *in = run_buffer(run, N, 4, keys), *data = run_buffer(run, N, 4, NULL);
    run_reset(run, in, data);
    run_launch(run, "tile_sort", (struct dims){TILES}, (struct dims){EACH / 2}, "b", data);
    run_expect(run, data, want, N, 0);
}

enum { STEPS = 4, SIDE = 16, INNER = SIDE - 2 * STEPS };

static int inside(int x, int size) {
    return x < 0 ? 0 : x >= size ? size - 1 : x;
}

static void setup_stencil(struct run *run) {
    enum { SIZE = 512, GROUPS = SIZE / INNER, N = SIZE * SIZE, ROW = SIZE + 2 * STEPS };
    float *in = random_floats(N, 0, 1, 62), *want = allocate(N * 4);
    float *now = allocate(ROW * ROW * 4), *next = allocate(ROW * ROW * 4);
    for (int y = 0; y < ROW; y++)
        for (int x = 0; x < ROW; x++)
            now[y * ROW + x] = in[inside(y - STEPS, SIZE) * SIZE + inside(x - STEPS, SIZE)];
    for (int step = 1; step <= STEPS; step++) {
        for (int y = step; y < ROW - step; y++)
            for (int x = step; x < ROW - step; x++) {
                const float *c = now + y * ROW + x;
                next[y * ROW + x] = 0.2f * (c[0] + c[-ROW] + c[ROW] + c[-1] + c[1]);
            }
        float *old = now;
        now = next;
        next = old;
    }
    for (int y = 0; y < SIZE; y++)
        memcpy(want + y * SIZE, now + (y + STEPS) * ROW + STEPS, SIZE * 4);
    run_build(run, tile_cl, "");
    struct buffer *from = run_buffer(run, N, 4, in), *to = run_buffer(run, N, 4, NULL);
    run_launch(run, "tile_stencil", (struct dims){GROUPS, GROUPS}, (struct dims){SIDE, SIDE}, "bbuu", from,
               to, (cl_uint)SIZE, (cl_uint)SIZE);
    run_expect(run, to, want, N, 1e-5);
    run->bytes = 8.0 * N;
}

static void setup_lu(struct run *run) {
    enum { C = 32, N = TILES * C * C };
    float *in = random_floats(N, 0, 1, 63), *want = allocate(N * 4);
    for (size_t tile = 0; tile < TILES; tile++)
        for (int i = 0; i < C; i++)
            in[tile * C * C + i * C + i] += C; /* no pivots needed */
    memcpy(want, in, N * 4);
    for (size_t tile = 0; tile < TILES; tile++) {
        float *a = want + tile * C * C;
        for (int k = 0; k < C - 1; k++)
            for (int r = k + 1; r < C; r++) {
                a[r * C + k] /= a[k * C + k];
                for (int c = k + 1; c < C; c++)
                    a[r * C + c] -= a[r * C + k] * a[k * C + c];
            }
    }
    run_build(run, tile_cl, "");
    struct buffer *from = run_buffer(run, N, 4, in), *tiles = run_buffer(run, N, 4, NULL);
    run_reset(run, from, tiles);
    run_launch(run, "tile_lu", (struct dims){TILES}, (struct dims){C}, "b", tiles);
    run_expect(run, tiles, want, N, 1e-4);
}

static void setup_paths(struct run *run) {
    enum { ROWS = 20, COLUMNS = 1 << 16, PATHS = 256, EACH = PATHS - 2 * ROWS };
    size_t n = (size_t)COLUMNS * (ROWS + 1);
    uint32_t *costs = random_uints(n, 100, 64), *now = allocate(COLUMNS * 4), *next = allocate(COLUMNS * 4);
    memcpy(now, costs, COLUMNS * 4);
    for (size_t r = 1; r <= ROWS; r++) {
        for (size_t x = 0; x < COLUMNS; x++) {
            uint32_t least = now[x];
            least = x && now[x - 1] < least ? now[x - 1] : least;
            least = x + 1 < COLUMNS && now[x + 1] < least ? now[x + 1] : least;
            next[x] = least + costs[r * COLUMNS + x];
        }
        uint32_t *old = now;
        now = next;
        next = old;
    }
    run_build(run, tile_cl, "");
    struct buffer *from = run_buffer(run, n, 4, costs), *to = run_buffer(run, COLUMNS, 4, NULL);
    run_launch(run, "tile_paths", (struct dims){(COLUMNS + EACH - 1) / EACH}, (struct dims){PATHS}, "bbuu",
               from, to, (cl_uint)COLUMNS, (cl_uint)ROWS);
    run_expect(run, to, now, COLUMNS, 0);
}

static void setup_align(struct run *run) {
    enum { C = 32, N = TILES * C * C, PENALTY = 3 };
    uint32_t *scores = random_uints(N, 10, 65);
    int32_t *want = allocate(N * 4);
    for (size_t tile = 0; tile < TILES; tile++) {
        int32_t above[C + 1];
        for (int x = 0; x <= C; x++)
            above[x] = -PENALTY * x;
        for (int y = 0; y < C; y++) {
            int32_t corner = above[0];
            above[0] = -PENALTY * (y + 1);
            for (int x = 1; x <= C; x++) {
                int32_t here = corner + (int32_t)scores[(tile * C + y) * C + x - 1], gap = above[x - 1];
                gap = (above[x] > gap ? above[x] : gap) - PENALTY;
                corner = above[x];
                above[x] = here > gap ? here : gap;
                want[(tile * C + y) * C + x - 1] = above[x];
            }
        }
    }
    run_build(run, tile_cl, "");
    struct buffer *from = run_buffer(run, N, 4, scores), *to = run_buffer(run, N, 4, NULL);
    run_launch(run, "tile_align", (struct dims){TILES}, (struct dims){C}, "bbu", from, to, (cl_uint)PENALTY);
    run_expect(run, to, want, N, 0);
}

TESTS(tile, {"tile_sort", setup_sort, .quick = true}, {"tile_stencil", setup_stencil}, {"tile_lu", setup_lu},
      {"tile_paths", setup_paths}, {"tile_align", setup_align});
