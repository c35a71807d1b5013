/* case_image.c: images: sampling in two and three dimensions, filters, copies. */
#include "bench.h"

#include <math.h>
#include <string.h>

KERNELS(image);
enum { T = 16, SIDE = 512, VOLUME = 64, RAYS = 128, STEPS = 72, SMALL = 256, LARGE = 1024 };
enum { R = 4, NEAR = 3, HALO = 2 };

/* Which texel (x, y) is, or the nearest one of the image. */
static size_t edge(int x, int y, int side) {
    x = x < 0 ? 0 : x >= side ? side - 1 : x;
    y = y < 0 ? 0 : y >= side ? side - 1 : y;
    return (size_t)y * side + x;
}

static float channel(uint32_t texel, int c) {
    return (float)(texel >> (8 * c) & 255) / 255.0f;
}

static uint32_t packed(const float *color) {
    uint32_t texel = 0;
    for (int c = 0; c < 4; c++)
        texel |= (uint32_t)lrintf(255.0f * color[c]) << (8 * c);
    return texel;
}

/* ---- sampling in two dimensions -------------------------------------------------------------------------- */

static const float COSINE = 0.8125f, SINE = 0.5625f; /* near enough; all coordinates are exact */

static void turn(int i, float *x, float *y) {
    float px = (float)(i % SIDE) + 0.5f - SIDE / 2, py = (float)(i / SIDE) + 0.5f - SIDE / 2;
    *x = COSINE * px - SINE * py + SIDE / 2;
    *y = SINE * px + COSINE * py + SIDE / 2;
}

static void setup_nearest(struct run *run) {
    uint32_t *in = random_uints(SIDE * SIDE, 0, 50), *want = allocate(SIDE * SIDE * 4);
    float x, y;
    for (int i = 0; i < SIDE * SIDE; i++) {
        turn(i, &x, &y);
        want[i] = in[edge((int)floorf(x), (int)floorf(y), SIDE)];
    }
    run_build(run, image_cl, "");
    struct dims size = {SIDE, SIDE};
    struct buffer *from = run_image(run, CL_RGBA, CL_UNORM_INT8, size, in);
    struct buffer *to = run_image(run, CL_RGBA, CL_UNORM_INT8, size, NULL);
    run_launch(run, "turn_nearest", (struct dims){SIDE / T, SIDE / T}, (struct dims){T, T}, "bbff", from, to,
               COSINE, SINE);
    run_expect_bytes(run, to, want, (size_t)SIDE * SIDE * 4, 0);
    run->bytes = 8.0 * SIDE * SIDE;
}

static void setup_integers(struct run *run) {
    uint32_t *in = random_uints(SIDE * SIDE * 4, 0, 51), *want = allocate(SIDE * SIDE * 16);
    float x, y;
    for (int i = 0; i < SIDE * SIDE; i++) {
        turn(i, &x, &y);
        if (x >= 0 && x < SIDE && y >= 0 && y < SIDE)
            memcpy(want + 4 * i, in + 4 * edge((int)x, (int)y, SIDE), 16);
    }
    run_build(run, image_cl, "");
    struct dims size = {SIDE, SIDE};
    struct buffer *from = run_image(run, CL_RGBA, CL_UNSIGNED_INT32, size, in);
    struct buffer *to = run_image(run, CL_RGBA, CL_UNSIGNED_INT32, size, NULL);
    run_launch(run, "turn_integers", (struct dims){SIDE / T, SIDE / T}, (struct dims){T, T}, "bbsff", from,
               to, run_sampler(run, false, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST), COSINE, SINE);
    run_expect(run, to, want, SIDE * SIDE * 4, 0);
    run->bytes = 32.0 * SIDE * SIDE;
}

static int wrapped(int i) {
    return (i + 2 * SIDE) % SIDE;
}

static void setup_linear(struct run *run) {
    uint32_t *in = random_uints(SIDE * SIDE, 0, 52), *want = allocate(SIDE * SIDE * 4);
    float x, y;
    for (int i = 0; i < SIDE * SIDE; i++) {
        turn(i, &x, &y);
        float left = floorf(x - 0.5f), top = floorf(y - 0.5f), color[4] = {0};
        for (int k = 0; k < 4; k++) {
            float a = k & 1 ? x - 0.5f - left : 1 - (x - 0.5f - left);
            float b = k & 2 ? y - 0.5f - top : 1 - (y - 0.5f - top);
            uint32_t texel = in[wrapped((int)top + k / 2) * SIDE + wrapped((int)left + k % 2)];
            for (int c = 0; c < 4; c++)
                color[c] += a * b * channel(texel, c);
        }
        want[i] = packed(color);
    }
    run_build(run, image_cl, "");
    struct dims size = {SIDE, SIDE};
    struct buffer *from = run_image(run, CL_RGBA, CL_UNORM_INT8, size, in);
    struct buffer *to = run_image(run, CL_RGBA, CL_UNORM_INT8, size, NULL);
    run_launch(run, "turn_linear", (struct dims){SIDE / T, SIDE / T}, (struct dims){T, T}, "bbff", from, to,
               COSINE, SINE);
    run_expect_bytes(run, to, want, (size_t)SIDE * SIDE * 4, 1);
    run->bytes = 8.0 * SIDE * SIDE;
}

/* A part in the middle, enlarged. */
static void setup_zoom(struct run *run) {
    const float scale = 0.4375f / SIDE, start = 0.28125f;
    float *in = random_floats(SIDE * SIDE * 4, 0, 1, 53), *want = allocate(SIDE * SIDE * 16);
    for (int i = 0; i < SIDE * SIDE; i++) {
        float x = (((float)(i % SIDE) + 0.5f) * scale + start) * SIDE - 0.5f, left = floorf(x);
        float y = (((float)(i / SIDE) + 0.5f) * scale + start) * SIDE - 0.5f, top = floorf(y);
        for (int k = 0; k < 4; k++) {
            float a = k & 1 ? x - left : 1 - (x - left), b = k & 2 ? y - top : 1 - (y - top);
            const float *texel = in + 4 * edge((int)left + k % 2, (int)top + k / 2, SIDE);
            for (int c = 0; c < 4; c++)
                want[4 * i + c] += a * b * texel[c];
        }
    }
    run_build(run, image_cl, "");
    struct dims size = {SIDE, SIDE};
    struct buffer *from = run_image(run, CL_RGBA, CL_FLOAT, size, in);
    struct buffer *to = run_image(run, CL_RGBA, CL_FLOAT, size, NULL);
    run_launch(run, "zoom", (struct dims){SIDE / T, SIDE / T}, (struct dims){T, T}, "bbsff", from, to,
               run_sampler(run, true, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_LINEAR), scale, start);
    run_expect(run, to, want, SIDE * SIDE * 4, 1e-4);
    run->bytes = 20.0 * SIDE * SIDE;
}

/* ---- a volume -------------------------------------------------------------------------------------------- */

static float voxel(const float *in, int x, int y, int z) {
    bool inside = x >= 0 && x < VOLUME && y >= 0 && y < VOLUME && z >= 0 && z < VOLUME;
    return inside ? in[(z * VOLUME + y) * VOLUME + x] : 0;
}

static void setup_volume(struct run *run) {
    const float scale = 1.0f / VOLUME, slope = 0.125f;
    float *in = random_floats(VOLUME * VOLUME * VOLUME, 0, 1, 54), *want = allocate(RAYS * RAYS * 4);
    for (int i = 0; i < RAYS * RAYS; i++)
        for (int step = 0; step < STEPS; step++) {
            float z = (float)step - 4.25f, x = 0.5f * (float)(i % RAYS) + 0.25f + slope * z - 0.5f,
                  y = 0.5f * (float)(i / RAYS) + 0.25f - slope * z - 0.5f;
            z -= 0.5f;
            float u = floorf(x), v = floorf(y), w = floorf(z);
            for (int k = 0; k < 8; k++) {
                float a = k & 1 ? x - u : 1 - (x - u), b = k & 2 ? y - v : 1 - (y - v);
                float c = k & 4 ? z - w : 1 - (z - w);
                want[i] += a * b * c * voxel(in, (int)u + (k & 1), (int)v + (k >> 1 & 1), (int)w + (k >> 2));
            }
        }
    run_build(run, image_cl, "");
    struct buffer *from = run_image(run, CL_R, CL_FLOAT, (struct dims){VOLUME, VOLUME, VOLUME}, in);
    struct buffer *to = run_buffer(run, RAYS * RAYS, 4, NULL);
    run_launch(run, "project", (struct dims){RAYS / T, RAYS / T}, (struct dims){T, T}, "bbffu", from, to,
               scale, slope, (cl_uint)STEPS);
    run_expect(run, to, want, RAYS * RAYS, 1e-4);
}

/* ---- filters --------------------------------------------------------------------------------------------- */

static float *bell(void) {
    float *weights = allocate((2 * R + 1) * 4), sum = 0;
    for (int i = -R; i <= R; i++)
        sum += weights[i + R] = expf(-0.125f * (float)(i * i));
    for (int i = 0; i <= 2 * R; i++)
        weights[i] /= sum;
    return weights;
}

/* Two launches; what lies between them has the same format. */
static void launch_blur(struct run *run, cl_channel_type type, void *in, float *weights) {
    struct dims size = {SIDE, SIDE}, groups = {SIDE / T, SIDE / T}, local = {T, T};
    run_build(run, image_cl, "");
    struct buffer *from = run_image(run, CL_RGBA, type, size, in);
    struct buffer *between = run_image(run, CL_RGBA, type, size, NULL);
    struct buffer *to = run_image(run, CL_RGBA, type, size, NULL);
    struct buffer *by = run_buffer(run, 2 * R + 1, 4, weights);
    run_launch(run, "blur_rows", groups, local, "bbb", from, between, by);
    run_launch(run, "blur_columns", groups, local, "bbb", between, to, by);
}

static void setup_blur_rgba8(struct run *run) {
    uint32_t *in = random_uints(SIDE * SIDE, 0, 55), *between = allocate(SIDE * SIDE * 4);
    uint32_t *want = allocate(SIDE * SIDE * 4);
    float *weights = bell();
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < SIDE * SIDE; i++) {
            float color[4] = {0};
            for (int k = -R; k <= R; k++)
                for (int c = 0; c < 4; c++)
                    color[c] +=
                        weights[k + R] * (pass ? channel(between[edge(i % SIDE, i / SIDE + k, SIDE)], c)
                                               : channel(in[edge(i % SIDE + k, i / SIDE, SIDE)], c));
            (pass ? want : between)[i] = packed(color);
        }
    launch_blur(run, CL_UNORM_INT8, in, weights);
    run_expect_bytes(run, &run->buffers[2], want, (size_t)SIDE * SIDE * 4, 2);
    run->bytes = 16.0 * SIDE * SIDE;
}

static void setup_blur_float(struct run *run) {
    float *in = random_floats(SIDE * SIDE * 4, 0, 1, 56), *between = allocate(SIDE * SIDE * 16);
    float *want = allocate(SIDE * SIDE * 16), *weights = bell();
    for (int i = 0; i < SIDE * SIDE; i++)
        for (int k = -R; k <= R; k++)
            for (int c = 0; c < 4; c++)
                between[4 * i + c] += weights[k + R] * in[4 * edge(i % SIDE + k, i / SIDE, SIDE) + c];
    for (int i = 0; i < SIDE * SIDE; i++)
        for (int k = -R; k <= R; k++)
            for (int c = 0; c < 4; c++)
                want[4 * i + c] += weights[k + R] * between[4 * edge(i % SIDE, i / SIDE + k, SIDE) + c];
    launch_blur(run, CL_FLOAT, in, weights);
    run_expect(run, &run->buffers[2], want, SIDE * SIDE * 4, 1e-5);
    run->bytes = 64.0 * SIDE * SIDE;
}

static void setup_bilateral(struct run *run) {
    const float space = 0.08f, range = 4.0f;
    uint32_t *in = random_uints(SMALL * SMALL, 0, 57), *want = allocate(SMALL * SMALL * 4);
    for (int i = 0; i < SMALL * SMALL; i++) {
        float color[4] = {0}, total = 0;
        for (int y = -NEAR; y <= NEAR; y++)
            for (int x = -NEAR; x <= NEAR; x++) {
                uint32_t texel = in[edge(i % SMALL + x, i / SMALL + y, SMALL)];
                float d = -space * (float)(x * x + y * y);
                for (int c = 0; c < 3; c++)
                    d -= range * powf(channel(texel, c) - channel(in[i], c), 2);
                for (int c = 0; c < 4; c++)
                    color[c] += expf(d) * channel(texel, c);
                total += expf(d);
            }
        for (int c = 0; c < 4; c++)
            color[c] /= total;
        want[i] = packed(color);
    }
    run_build(run, image_cl, "");
    struct dims size = {SMALL, SMALL};
    struct buffer *from = run_image(run, CL_RGBA, CL_UNORM_INT8, size, in);
    struct buffer *to = run_image(run, CL_RGBA, CL_UNORM_INT8, size, NULL);
    run_launch(run, "bilateral", (struct dims){SMALL / T, SMALL / T}, (struct dims){T, T}, "bbsff", from, to,
               run_sampler(run, false, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_NEAREST), space, range);
    run_expect_bytes(run, to, want, (size_t)SMALL * SMALL * 4, 1);
    run->flops = 40.0 * (2 * NEAR + 1) * (2 * NEAR + 1) * SMALL * SMALL;
    run->bytes = 8.0 * SMALL * SMALL;
}

static void setup_tile(struct run *run) {
    enum { W = 2 * HALO + 1 };
    float *in = random_floats(SIDE * SIDE, 0, 1, 58), *weights = random_floats(W * W, -1, 1, 59);
    float *want = allocate(SIDE * SIDE * 4);
    for (int i = 0; i < SIDE * SIDE; i++)
        for (int k = 0; k < W * W; k++)
            want[i] += weights[k] * in[edge(i % SIDE + k % W - HALO, i / SIDE + k / W - HALO, SIDE)];
    run_build(run, image_cl, "");
    struct dims size = {SIDE, SIDE};
    struct buffer *from = run_image(run, CL_R, CL_FLOAT, size, in);
    struct buffer *to = run_image(run, CL_R, CL_FLOAT, size, NULL);
    struct buffer *by = run_buffer(run, W * W, 4, weights);
    run_launch(run, "tile", (struct dims){SIDE / T, SIDE / T}, (struct dims){T, T}, "bbb", from, to, by);
    run_expect(run, to, want, SIDE * SIDE, 1e-4);
    run->bytes = 8.0 * SIDE * SIDE;
    run->flops = 2.0 * W * W * SIDE * SIDE;
}

/* ---- copies ---------------------------------------------------------------------------------------------- */

static void setup_copy(struct run *run) {
    uint32_t *in = random_uints(LARGE * LARGE, 0, 60);
    struct dims size = {LARGE, LARGE};
    struct buffer *from = run_image(run, CL_RGBA, CL_UNORM_INT8, size, in);
    struct buffer *to = run_image(run, CL_RGBA, CL_UNORM_INT8, size, NULL);
    run_copy(run, from, to);
    run_expect(run, to, in, LARGE * LARGE, 0);
    run->bytes = 8.0 * LARGE * LARGE;
}

/* From a buffer to an image and on to another buffer. */
static void setup_copy_buffer(struct run *run) {
    uint32_t *in = random_uints(LARGE * LARGE, 0, 61);
    struct buffer *from = run_buffer(run, LARGE * LARGE, 4, in);
    struct buffer *image = run_image(run, CL_RGBA, CL_UNORM_INT8, (struct dims){LARGE, LARGE}, NULL);
    struct buffer *to = run_buffer(run, LARGE * LARGE, 4, NULL);
    run_copy(run, from, image);
    run_copy(run, image, to);
    run_expect(run, to, in, LARGE * LARGE, 0);
    run->bytes = 16.0 * LARGE * LARGE;
}

/* Both directions between the host's memory and an image. */
static void setup_transfer(struct run *run) {
    uint32_t *in = random_uints(LARGE * LARGE, 0, 62);
    struct dims size = {LARGE, LARGE};
    run_image(run, CL_RGBA, CL_UNORM_INT8, size, in);
    struct buffer *to = run_image(run, CL_RGBA, CL_UNORM_INT8, size, NULL);
    run_expect(run, to, in, LARGE * LARGE, 0);
    run->bytes = 16.0 * LARGE * LARGE;
}

static double sample_transfer(struct run *run) {
    const struct buffer *from = &run->buffers[0], *to = &run->buffers[1];
    const size_t origin[3] = {0}, size[3] = {LARGE, LARGE, 1};
    double start = seconds();
    run_check(
        clEnqueueWriteImage(run->queue, to->mem, CL_TRUE, origin, size, 0, 0, from->host, 0, NULL, NULL),
        "writing an image");
    run_check(clEnqueueReadImage(run->queue, to->mem, CL_TRUE, origin, size, 0, 0, to->host, 0, NULL, NULL),
              "reading an image");
    return seconds() - start;
}

TESTS(image, {"image_nearest_rgba8", setup_nearest}, {"image_nearest_uint", setup_integers},
      {"image_linear_rgba8", setup_linear, .quick = true}, {"image_linear_float", setup_zoom},
      {"image_linear_3d", setup_volume}, {"image_blur_rgba8", setup_blur_rgba8, .quick = true},
      {"image_blur_float", setup_blur_float}, {"image_bilateral", setup_bilateral},
      {"image_tile", setup_tile, .quick = true}, {"image_copy", setup_copy},
      {"image_copy_buffer", setup_copy_buffer}, {"image_write_read", setup_transfer, sample_transfer});
