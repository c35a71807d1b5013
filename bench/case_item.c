/* case_item.c: kernels without barriers: Black-Scholes, points of three numbers, Mandelbrot, SHA-256, rates of
 * reactions in doubles, binary searches. */
#include "bench.h"

#include <math.h>

#define INITIAL 0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19

KERNELS(item);
enum {
    OPTIONS = 1 << 18,
    SIDE = 512,
    LIMIT = 256,
    MESSAGES = 1 << 14,
    LOCAL = 256,
    POINTS = 1 << 14,
    REACTIONS = 24
};

static double cumulative(double x) {
    return 0.5 * erfc(-x * sqrt(0.5));
}

static const char *options(void); /* the kernels' macros */

static void setup_black_scholes(struct run *run) {
    const double rate = 0.02, volatility = 0.3;
    float *price = random_floats(OPTIONS, 5, 30, 21), *strike = random_floats(OPTIONS, 1, 100, 22);
    float *years = random_floats(OPTIONS, 0.25f, 10, 23), *call = allocate(OPTIONS * 4);
    float *put = allocate(OPTIONS * 4);
    for (int i = 0; i < OPTIONS; i++) {
        double s = price[i], t = years[i], spread = volatility * sqrt(t), now = strike[i] * exp(-rate * t);
        double d1 = (log(s / strike[i]) + (rate + volatility * volatility / 2) * t) / spread,
               d2 = d1 - spread;
        call[i] = (float)(s * cumulative(d1) - now * cumulative(d2));
        put[i] = (float)(now * cumulative(-d2) - s * cumulative(-d1));
    }
    run_build(run, item_cl, options());
    struct buffer *bs = run_buffer(run, OPTIONS, 4, price), *bk = run_buffer(run, OPTIONS, 4, strike);
    struct buffer *bt = run_buffer(run, OPTIONS, 4, years);
    struct buffer *bc = run_buffer(run, OPTIONS, 4, NULL), *bp = run_buffer(run, OPTIONS, 4, NULL);
    run_launch(run, "black_scholes", (struct dims){OPTIONS / LOCAL}, (struct dims){LOCAL}, "bbbbbff", bs, bk,
               bt, bc, bp, rate, volatility);
    run_expect(run, bc, call, OPTIONS, 1e-4);
    run_expect(run, bp, put, OPTIONS, 1e-4);
    run->bytes = 20.0 * OPTIONS;
}

static void setup_points(struct run *run) {
    enum { N = 1 << 18 };
    const float c = 0.8f, d = 0.6f;
    float *in = random_floats(3 * N, -1, 1, 24), *want = allocate(3 * N * 4);
    for (int i = 0; i < N; i++) {
        const float *p = in + 3 * i;
        want[3 * i] = p[0] * c - p[1] * d;
        want[3 * i + 1] = p[0] * d + p[1] * c;
        want[3 * i + 2] = p[2] + 1;
    }
    run_build(run, item_cl, options());
    struct buffer *from = run_buffer(run, 3 * N, 4, in), *to = run_buffer(run, 3 * N, 4, NULL);
    run_launch(run, "points_of_three", (struct dims){N / LOCAL}, (struct dims){LOCAL}, "bbff", from, to, c,
               d);
    run_expect(run, to, want, 3 * N, 1e-5);
    run->bytes = 24.0 * N;
}

/* Exact: neither side may fuse a multiplication with an addition. */
static void set_up_mandelbrot(struct run *run, size_t side) {
    const double scale = 2.0 / SIDE;
    run_build(run, item_cl, options());
    struct buffer *out = run_buffer(run, SIDE * SIDE, 4, NULL);
    uint32_t *want = allocate(SIDE * SIDE * 4);
    double iterations = 0;
    for (int i = 0; i < SIDE * SIDE; i++) {
        float cx = (float)(i % SIDE) * (float)scale - 2.0f, cy = (float)(i / SIDE) * (float)scale - 1.0f;
        float zx = 0, zy = 0;
        uint32_t n = 0;
        for (; n < LIMIT && zx * zx + zy * zy <= 4; n++) {
            float xx = zx * zx, yy = zy * zy;
            zy = 2 * zx * zy + cy;
            zx = xx - yy + cx;
        }
        want[i] = n;
        iterations += n;
    }
    run_launch(run, "mandelbrot", (struct dims){SIDE / side, SIDE / side}, (struct dims){side, side}, "bfu",
               out, scale, (cl_uint)LIMIT);
    run_expect(run, out, want, SIDE * SIDE, 0);
    run->flops = 7 * iterations;
    run->bytes = 4.0 * SIDE * SIDE;
}

static void setup_mandelbrot(struct run *run) {
    set_up_mandelbrot(run, 16);
}

/* The same in groups whose rows are shorter than a vector. */
static void setup_mandelbrot_8x8(struct run *run) {
    set_up_mandelbrot(run, 8);
}

static void setup_mandelbrot_4x4(struct run *run) {
    set_up_mandelbrot(run, 4);
}

/* ---- SHA-256 --------------------------------------------------------------------------------------------- */

/* The constants are the fractions of the cube roots of the first 64 primes. */
static void find_constants(uint32_t k[64]) {
    int n = 0;
    for (int p = 2; n < 64; p++) {
        bool prime = true;
        for (int d = 2; d * d <= p; d++)
            prime &= p % d != 0;
        if (!prime)
            continue;
        long double root = cbrtl((long double)p);
        k[n++] = (uint32_t)((root - floorl(root)) * 0x1p32L);
    }
}

static const char *options(void) {
    static char text[1400];
    uint32_t k[64];
    find_constants(k);
    int n = snprintf(text, sizeof text, "-DROUND_CONSTANTS=");
    for (int i = 0; i < 64; i++)
        n += snprintf(text + n, sizeof text - n, "%s%uu", i ? "," : "", k[i]);
    snprintf(text + n, sizeof text - n,
             " -DINITIAL_STATE=0x6a09e667,0xbb67ae85,0x3c6ef372,0xa54ff53a,0x510e527f,0x9b05688c,0x1f83d9ab,"
             "0x5be0cd19");
    return text;
}

static uint32_t right(uint32_t x, int n) {
    return x >> n | x << (32 - n);
}

static void hash(const uint32_t *block, uint32_t *digest, const uint32_t *k) {
    static const uint32_t initial[8] = {INITIAL};
    uint32_t w[64], a[8];
    for (int i = 0; i < 16; i++)
        w[i] = block[i];
    for (int i = 16; i < 64; i++)
        w[i] = w[i - 16] + w[i - 7] + (right(w[i - 15], 7) ^ right(w[i - 15], 18) ^ w[i - 15] >> 3) +
               (right(w[i - 2], 17) ^ right(w[i - 2], 19) ^ w[i - 2] >> 10);
    for (int i = 0; i < 8; i++)
        a[i] = initial[i];
    for (int i = 0; i < 64; i++) {
        uint32_t t1 = a[7] + (right(a[4], 6) ^ right(a[4], 11) ^ right(a[4], 25)) +
                      ((a[4] & a[5]) ^ (~a[4] & a[6])) + k[i] + w[i];
        uint32_t t2 = (right(a[0], 2) ^ right(a[0], 13) ^ right(a[0], 22)) +
                      ((a[0] & a[1]) ^ (a[0] & a[2]) ^ (a[1] & a[2]));
        for (int j = 7; j; j--)
            a[j] = a[j - 1];
        a[4] += t1;
        a[0] = t1 + t2;
    }
    for (int i = 0; i < 8; i++)
        digest[i] = initial[i] + a[i];
}

static void setup_sha256(struct run *run) {
    uint32_t *in = random_uints(MESSAGES * 16, 0, 24), *want = allocate(MESSAGES * 32), k[64];
    find_constants(k);
    for (int i = 0; i < MESSAGES; i++)
        hash(in + i * 16, want + i * 8, k);
    run_build(run, item_cl, options());
    struct buffer *from = run_buffer(run, MESSAGES * 16, 4, in), *to = run_buffer(run, MESSAGES * 8, 4, NULL);
    run_launch(run, "sha256", (struct dims){MESSAGES / LOCAL}, (struct dims){LOCAL}, "bb", from, to);
    run_expect(run, to, want, MESSAGES * 8, 0);
    run->bytes = 96.0 * MESSAGES;
}

static void setup_reaction_rates(struct run *run) {
    float *in = random_floats(POINTS, 300, 3000, 25), *want = allocate(POINTS * 4);
    for (int p = 0; p < POINTS; p++) {
        double t = in[p], sum = 0;
        for (int i = 0; i < REACTIONS; i++)
            sum += exp((20 + 0.37 * i) + (0.5 - 0.11 * i) * log(t) - (150 + 700 * i) / t);
        want[p] = (float)log10(sum);
    }
    run_build(run, item_cl, options());
    struct buffer *from = run_buffer(run, POINTS, 4, in), *to = run_buffer(run, POINTS, 4, NULL);
    run_launch(run, "reaction_rates", (struct dims){POINTS / LOCAL}, (struct dims){LOCAL}, "bb", from, to);
    run_expect(run, to, want, POINTS, 1e-6);
    run->bytes = 8.0 * POINTS;
}

static int ascending(const void *a, const void *b) {
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

static void setup_binary_search(struct run *run) {
    enum { N = 100000, KEYS = 1 << 15 };
    float *sorted = random_floats(N, 0, 1, 26), *keys = random_floats(KEYS, 0, 1, 27);
    uint32_t *want = allocate(KEYS * 4);
    qsort(sorted, N, sizeof *sorted, ascending);
    for (int k = 0; k < KEYS; k++) {
        size_t first = 0, last = N;
        while (first < last) {
            size_t middle = (first + last) / 2;
            first = sorted[middle] < keys[k] ? middle + 1 : first;
            last = sorted[middle] < keys[k] ? last : middle;
        }
        want[k] = (uint32_t)first;
    }
    run_build(run, item_cl, options());
    struct buffer *from = run_buffer(run, N, 4, sorted), *at = run_buffer(run, KEYS, 4, keys);
    struct buffer *to = run_buffer(run, KEYS, 4, NULL);
    run_launch(run, "binary_search", (struct dims){KEYS / LOCAL}, (struct dims){LOCAL}, "bbbu", from, at, to,
               (cl_uint)N);
    run_expect(run, to, want, KEYS, 0);
    run->bytes = 8.0 * KEYS;
}

TESTS(item, {"black_scholes", setup_black_scholes, .quick = true}, {"points_of_three", setup_points},
      {"mandelbrot", setup_mandelbrot, .quick = true}, {"mandelbrot_8x8", setup_mandelbrot_8x8},
      {"mandelbrot_4x4", setup_mandelbrot_4x4}, {"sha256", setup_sha256},
      {"reaction_rates", setup_reaction_rates}, {"binary_search", setup_binary_search});
