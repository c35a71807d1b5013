/* case_group.c: FFT, N-body, k-means, and the collectives of work-groups and sub-groups. */
#include "bench.h"

#include <complex.h>
#include <math.h>
#include <string.h>

KERNELS(group);
KERNELS(collective);
enum { POINTS = 1024, TRANSFORMS = 128, BODIES = 2048, LOCAL = 256 };
enum { CENTRES = 16, DIMENSIONS = 4, EACH = 16, K_GROUPS = 16, TOTALS = CENTRES * (DIMENSIONS + 1) };
enum { COLLECTIVE = 1 << 18 };

static void transform(const float complex *in, double complex *out, int n, int stride) {
    if (n == 1) {
        out[0] = in[0];
        return;
    }
    transform(in, out, n / 2, 2 * stride);
    transform(in + stride, out + n / 2, n / 2, 2 * stride);
    for (int k = 0; k < n / 2; k++) {
        double complex a = out[k], b = cexp(-2 * M_PI * I * k / n) * out[k + n / 2];
        out[k] = a + b;
        out[k + n / 2] = a - b;
    }
}

/* e^(-2 pi i r k / 64) and e^(-2 pi i r k / 512) by r and k. */
static float *twiddles_of_radix8(void) {
    float complex *w = allocate((64 + 512) * sizeof *w);
    for (int r = 0; r < 8; r++) {
        for (int k = 0; k < 8; k++)
            w[r * 8 + k] = (float complex)cexp(-2 * M_PI * I * r * k / 64);
        for (int k = 0; k < 64; k++)
            w[64 + r * 64 + k] = (float complex)cexp(-2 * M_PI * I * r * k / 512);
    }
    return (float *)w;
}

static void setup_fft(struct run *run) {
    int points = run->test->param, count = POINTS * TRANSFORMS / points;
    size_t n = (size_t)points * count;
    float *in = random_floats(2 * n, -1, 1, 25), *want = allocate(n * 8);
    static double complex out[POINTS];
    for (int t = 0; t < count; t++) {
        transform((const float complex *)in + t * points, out, points, 1);
        for (int i = 0; i < points; i++) {
            want[2 * (t * points + i)] = (float)creal(out[i]);
            want[2 * (t * points + i) + 1] = (float)cimag(out[i]);
        }
    }
    run_build(run, group_cl, "");
    struct buffer *from = run_buffer(run, n, 8, in), *to = run_buffer(run, n, 8, NULL);
    if (points == POINTS)
        run_launch(run, "fft", (struct dims){count}, (struct dims){POINTS / 2}, "bb", from, to);
    else
        run_launch(run, "fft_radix8", (struct dims){count}, (struct dims){points / 8}, "bbb", from, to,
                   run_buffer(run, 64 + 512, 8, twiddles_of_radix8()));
    run_expect(run, to, want, 2 * n, 1e-4);
    run->bytes = 16.0 * n;
    run->flops = 5.0 * (points == POINTS ? 10 : 9) * n;
}

static void setup_nbody(struct run *run) {
    float *bodies = random_floats(4 * BODIES, 0.1f, 1, 26), *want = allocate(BODIES * 16);
    for (int i = 0; i < BODIES; i++) {
        double force[3] = {0};
        for (int j = 0; j < BODIES; j++) {
            double d[3], square = 0.01;
            for (int k = 0; k < 3; k++)
                d[k] = (double)bodies[4 * j + k] - bodies[4 * i + k], square += d[k] * d[k];
            double scale = bodies[4 * j + 3] / (square * sqrt(square));
            for (int k = 0; k < 3; k++)
                force[k] += d[k] * scale;
        }
        for (int k = 0; k < 3; k++)
            want[4 * i + k] = (float)force[k];
    }
    run_build(run, group_cl, "");
    struct buffer *from = run_buffer(run, BODIES, 16, bodies), *to = run_buffer(run, BODIES, 16, NULL);
    run_launch(run, "nbody", (struct dims){BODIES / LOCAL}, (struct dims){LOCAL}, "bblu", from, to,
               (size_t)LOCAL * 16, (cl_uint)BODIES);
    run_expect(run, to, want, 4 * BODIES, 2e-2); /* sums of thousands of terms that cancel */
    run->flops = 20.0 * BODIES * BODIES;
}

static void setup_kmeans(struct run *run) {
    enum { PER_GROUP = LOCAL * EACH, N = PER_GROUP * K_GROUPS };
    uint32_t *points = random_uints(N * DIMENSIONS, 1000, 27), *nearest = allocate(N * 4);
    uint32_t *centres = random_uints(CENTRES * DIMENSIONS, 1000, 28), *sums = allocate(K_GROUPS * TOTALS * 4);
    for (int i = 0; i < N; i++) {
        uint32_t least = UINT32_MAX;
        for (uint32_t c = 0; c < CENTRES; c++) {
            uint32_t distance = 0;
            for (int d = 0; d < DIMENSIONS; d++) {
                int delta = (int)points[i * DIMENSIONS + d] - (int)centres[c * DIMENSIONS + d];
                distance += (uint32_t)(delta * delta);
            }
            if (distance < least)
                least = distance, nearest[i] = c;
        }
        uint32_t *total = sums + i / PER_GROUP * TOTALS + nearest[i] * (DIMENSIONS + 1);
        for (int d = 0; d < DIMENSIONS; d++)
            total[d] += points[i * DIMENSIONS + d];
        total[DIMENSIONS]++;
    }
    run_build(run, group_cl, "");
    struct buffer *from = run_buffer(run, N * DIMENSIONS, 4, points);
    struct buffer *to = run_buffer(run, CENTRES * DIMENSIONS, 4, centres);
    struct buffer *out = run_buffer(run, N, 4, NULL), *totals = run_buffer(run, K_GROUPS * TOTALS, 4, NULL);
    run_launch(run, "kmeans", (struct dims){K_GROUPS}, (struct dims){LOCAL}, "bbbbu", from, to, out, totals,
               (cl_uint)EACH);
    run_expect(run, out, nearest, N, 0);
    run_expect(run, totals, sums, K_GROUPS * TOTALS, 0);
}

/* ---- collectives ----------------------------------------------------------------------------------------- */

static void combine(const uint32_t *in, uint32_t *out, bool work_group) {
    uint32_t sum = 0, most = 0;
    bool any = false;
    for (int l = 0; l < LOCAL; l++) {
        sum += in[l];
        out[l] = sum;
        any |= in[l] == 0;
        if ((sum ^ in[l]) > most)
            most = sum ^ in[l];
    }
    for (int l = 0; work_group && l < LOCAL; l++)
        out[l] += 3 * sum + 5 * most + 7 * in[3] + (any ? 11 : 0);
}

static void setup_collective(struct run *run) {
    bool work_group = run->test->param;
    uint32_t *in = random_uints(COLLECTIVE, 1000, 29), *want = allocate(COLLECTIVE * 4);
    for (int i = 0; i < COLLECTIVE; i += LOCAL)
        combine(in + i, want + i, work_group);
    cl_bool has = CL_FALSE;
    cl_uint sub_groups = 0;
    if (run->mode == OPENCL && work_group)
        clGetDeviceInfo(run->device, CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT, sizeof has, &has,
                        NULL);
    else if (run->mode == OPENCL)
        clGetDeviceInfo(run->device, CL_DEVICE_MAX_NUM_SUB_GROUPS, sizeof sub_groups, &sub_groups, NULL);
    run_need(run, has || sub_groups, work_group ? "work-group collectives" : "sub-groups");
    run_build(run, collective_cl, work_group ? "-cl-std=CL3.0 -DWORK_GROUP" : "-cl-std=CL3.0 -DSUB_GROUP");
    struct buffer *from = run_buffer(run, COLLECTIVE, 4, in), *to = run_buffer(run, COLLECTIVE, 4, NULL);
    run_launch(run, work_group ? "work_group" : "sub_group", (struct dims){COLLECTIVE / LOCAL},
               (struct dims){LOCAL}, work_group ? "bb" : "bbl", from, to, (size_t)LOCAL * 4);
    run_expect(run, to, want, COLLECTIVE, 0);
    run->bytes = 8.0 * COLLECTIVE;
}

TESTS(group, {"fft_1024", setup_fft, NULL, POINTS, .quick = true}, {"fft_512", setup_fft, NULL, 512},
      {"nbody", setup_nbody, .quick = true}, {"kmeans", setup_kmeans},
      {"work_group_functions", setup_collective, NULL, 1},
      {"sub_group_functions", setup_collective, NULL, 0});
