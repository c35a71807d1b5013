/* limit_body.h: the tests' kernels as one would write them by hand for vectors of LANES: the same algorithm, the
 * same work-groups and local memory, work-items as lanes. limit_avx2.c and limit_avx512.c define the vectors and
 * include this. Sizes and the order of buffers are those of case_*.c. */
#include <string.h>

#define HOST(run, i)     ((run)->buffers[i].host)
#define ELEMENTS(run, i) ((run)->buffers[i].size / 4)

/* ---- reductions and scans (case_scan.c) -------------------------------------------------------------------- */

enum { REDUCE_GROUP = 256, REDUCE_EACH = 16, SCAN_BLOCK = 1024 };

static float tree(float *sums) {
    size_t step = REDUCE_GROUP / 2;
    for (; step >= LANES; step /= 2)
        for (size_t l = 0; l < step; l += LANES)
            v_store(sums + l, v_add(v_load(sums + l), v_load(sums + l + step)));
    for (; step; step /= 2)
        for (size_t l = 0; l < step; l++)
            sums[l] += sums[l + step];
    return sums[0];
}

static void reduce_tree_group(struct run *run, size_t group) {
    const float *in = (const float *)HOST(run, 0) + group * REDUCE_GROUP;
    float sums[REDUCE_GROUP] __attribute__((aligned(64)));
    for (size_t l = 0; l < REDUCE_GROUP; l += LANES)
        v_store(sums + l, v_load(in + l));
    ((float *)HOST(run, 1))[group] = tree(sums);
}

static void reduce_multi_group(struct run *run, size_t group) {
    const float *in = (const float *)HOST(run, 0) + group * REDUCE_GROUP * REDUCE_EACH;
    float sums[REDUCE_GROUP] __attribute__((aligned(64)));
    for (size_t l = 0; l < REDUCE_GROUP; l += LANES) {
        vec sum = v_set(0);
        for (size_t i = 0; i < REDUCE_EACH; i++)
            sum = v_add(sum, v_load(in + i * REDUCE_GROUP + l));
        v_store(sums + l, sum);
    }
    ((float *)HOST(run, 1))[group] = tree(sums);
}

static void reduce_tree(struct run *run) {
    limit_groups(run, ELEMENTS(run, 1), reduce_tree_group);
}

static void reduce_multi(struct run *run) {
    limit_groups(run, ELEMENTS(run, 1), reduce_multi_group);
}

/* Zeros before the block stand for the elements that the first work-items don't have. */
static uint32_t scan_block(const uint32_t *in, uint32_t *out) {
    uint32_t halves[2][SCAN_BLOCK / 2 + SCAN_BLOCK] __attribute__((aligned(64)));
    uint32_t *from = halves[0] + SCAN_BLOCK / 2, *to = halves[1] + SCAN_BLOCK / 2;
    memset(halves[0], 0, SCAN_BLOCK * 2);
    memset(halves[1], 0, SCAN_BLOCK * 2);
    memcpy(from, in, SCAN_BLOCK * 4);
    for (size_t step = 1; step < SCAN_BLOCK; step *= 2) {
        uint32_t *target = step == SCAN_BLOCK / 2 ? out : to;
        for (size_t l = 0; l < SCAN_BLOCK; l += LANES)
            i_store(target + l, i_add(i_load(from + l), i_load(from + l - step)));
        uint32_t *old = from;
        from = to;
        to = old;
    }
    return out[SCAN_BLOCK - 1];
}

static void scan_group(struct run *run, size_t group) {
    ((uint32_t *)HOST(run, 2))[group] = scan_block((const uint32_t *)HOST(run, 0) + group * SCAN_BLOCK,
                                                   (uint32_t *)HOST(run, 1) + group * SCAN_BLOCK);
}

static void scan_add_group(struct run *run, size_t group) {
    uint32_t *out = (uint32_t *)HOST(run, 1) + group * SCAN_BLOCK;
    ivec before = i_set(group ? (int)((const uint32_t *)HOST(run, 3))[group - 1] : 0);
    for (size_t l = 0; group && l < SCAN_BLOCK; l += LANES)
        i_store(out + l, i_add(i_load(out + l), before));
}

static void scan_hillis(struct run *run) {
    limit_groups(run, ELEMENTS(run, 2), scan_group);
    scan_block(HOST(run, 2), HOST(run, 3));
    limit_groups(run, ELEMENTS(run, 2), scan_add_group);
}

/* ---- matrix products (case_matrix.c) ----------------------------------------------------------------------- */

enum { DEPTH = 16, ROWS = 4 };

/* ROWS rows of two vectors each of `sum` gain the product of a tile's columns and another's rows. */
static inline void multiply(float *sum, const float *a, const float *b, size_t side) {
    vec s[ROWS][2];
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < 2; j++)
            s[i][j] = v_load(sum + i * side + j * LANES);
    for (size_t k = 0; k < DEPTH; k++) {
        vec b0 = v_load(b + k * side), b1 = v_load(b + k * side + LANES);
        for (int i = 0; i < ROWS; i++) {
            vec x = v_set(a[k * side + i]);
            s[i][0] = v_fma(x, b0, s[i][0]);
            s[i][1] = v_fma(x, b1, s[i][1]);
        }
    }
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < 2; j++)
            v_store(sum + i * side + j * LANES, s[i][j]);
}

/* One vector wide: a tile of 16 columns has no two vectors of 16 lanes. */
static inline void multiply_narrow(float *sum, const float *a, const float *b, size_t side) {
    vec s[ROWS];
    for (int i = 0; i < ROWS; i++)
        s[i] = v_load(sum + i * side);
    for (size_t k = 0; k < DEPTH; k++) {
        vec b0 = v_load(b + k * side);
        for (int i = 0; i < ROWS; i++)
            s[i] = v_fma(v_set(a[k * side + i]), b0, s[i]);
    }
    for (int i = 0; i < ROWS; i++)
        v_store(sum + i * side, s[i]);
}

/* One work-group: `side` x `side` results of matrices of n rows. */
static inline void product(struct run *run, size_t group, size_t side, size_t n) {
    float ta[DEPTH * 128] __attribute__((aligned(64))), tb[DEPTH * 128] __attribute__((aligned(64)));
    float sum[128 * 128] __attribute__((aligned(64)));
    size_t row = group / (n / side) * side, column = group % (n / side) * side;
    const float *a = (const float *)HOST(run, 0) + row * n, *b = (const float *)HOST(run, 1) + column;
    memset(sum, 0, side * side * 4);
    for (size_t k = 0; k < n; k += DEPTH) {
        for (size_t i = 0; i < side; i++)
            for (size_t q = 0; q < DEPTH; q++)
                ta[q * side + i] = a[i * n + k + q];
        for (size_t q = 0; q < DEPTH; q++)
            memcpy(tb + q * side, b + (k + q) * n, side * 4);
        for (size_t i = 0; i < side; i += ROWS)
            if (side < 2 * LANES)
                multiply_narrow(sum + i * side, ta + i, tb, side);
            else
                for (size_t j = 0; j < side; j += 2 * LANES)
                    multiply(sum + i * side + j, ta + i, tb + j, side);
    }
    for (size_t i = 0; i < side; i++)
        memcpy((float *)HOST(run, 2) + (row + i) * n + column, sum + i * side, side * 4);
}

static void product_16(struct run *run, size_t group) {
    product(run, group, 16, 256);
}

static void product_64(struct run *run, size_t group) {
    product(run, group, 64, 512);
}

static void product_128(struct run *run, size_t group) {
    product(run, group, 128, 512);
}

static void matmul(struct run *run) {
    limit_groups(run, 16 * 16, product_16);
}

static void matmul_4(struct run *run) {
    limit_groups(run, 8 * 8, product_64);
}

static void matmul_8(struct run *run) {
    limit_groups(run, 4 * 4, product_128);
}

/* ---- stencil (case_grid.c) --------------------------------------------------------------------------------- */

enum { TILE = 16, GRID = 1024, PITCH = GRID + 2 };

static void stencil_group(struct run *run, size_t group) {
    float s[TILE + 2][TILE + 2];
    size_t base = group / (GRID / TILE) * TILE * PITCH + group % (GRID / TILE) * TILE;
    const float *in = (const float *)HOST(run, 0) + base;
    float *out = (float *)HOST(run, 1) + base + PITCH + 1;
    for (size_t y = 0; y < TILE + 2; y++)
        memcpy(s[y], in + y * PITCH, sizeof s[y]);
    for (size_t y = 0; y < TILE; y++)
        for (size_t x = 0; x < TILE; x += LANES) {
            vec sides = v_add(v_add(v_load(&s[y][x + 1]), v_load(&s[y + 2][x + 1])),
                              v_add(v_load(&s[y + 1][x]), v_load(&s[y + 1][x + 2])));
            vec middle = v_mul(v_set(0.5f), v_load(&s[y + 1][x + 1]));
            v_store(out + y * PITCH + x, v_fma(v_set(0.125f), sides, middle));
        }
}

static void stencil_2d(struct run *run) {
    limit_groups(run, (GRID / TILE) * (GRID / TILE), stencil_group);
}

/* ---- bodies (case_group.c) --------------------------------------------------------------------------------- */

enum { BODY_GROUP = 256 };

static void pull(const float *tile, const float *me, vec f[3]) {
    for (size_t i = 0; i < BODY_GROUP; i++) {
        vec d[3], square = v_set(0.01f);
        for (int k = 0; k < 3; k++) {
            d[k] = v_sub(v_set(tile[4 * i + k]), v_load(me + k * BODY_GROUP));
            square = v_fma(d[k], d[k], square);
        }
        vec r = v_rsqrt(square); /* and a step of Newton's */
        r = v_mul(r, v_fnma(v_mul(v_mul(v_set(0.5f), square), r), r, v_set(1.5f)));
        vec scale = v_mul(v_set(tile[4 * i + 3]), v_mul(r, v_mul(r, r)));
        for (int k = 0; k < 3; k++)
            f[k] = v_fma(d[k], scale, f[k]);
    }
}

static void nbody_group(struct run *run, size_t group) {
    float me[3][BODY_GROUP], forces[3][BODY_GROUP], tile[4 * BODY_GROUP];
    const float *bodies = HOST(run, 0);
    float *out = (float *)HOST(run, 1) + group * BODY_GROUP * 4;
    for (size_t l = 0; l < BODY_GROUP; l++)
        for (int k = 0; k < 3; k++)
            me[k][l] = bodies[4 * (group * BODY_GROUP + l) + k];
    memset(forces, 0, sizeof forces);
    for (size_t start = 0; start < ELEMENTS(run, 0); start += 4 * BODY_GROUP) {
        memcpy(tile, bodies + start, sizeof tile);
        for (size_t l = 0; l < BODY_GROUP; l += LANES) {
            vec f[3];
            for (int k = 0; k < 3; k++)
                f[k] = v_load(&forces[k][l]);
            pull(tile, &me[0][l], f);
            for (int k = 0; k < 3; k++)
                v_store(&forces[k][l], f[k]);
        }
    }
    for (size_t l = 0; l < BODY_GROUP; l++)
        for (int k = 0; k < 3; k++)
            out[4 * l + k] = forces[k][l];
}

static void nbody(struct run *run) {
    limit_groups(run, ELEMENTS(run, 0) / 4 / BODY_GROUP, nbody_group);
}

/* ---- Mandelbrot, Black-Scholes (case_item.c) --------------------------------------------------------------- */

enum { PICTURE = 512, MOST = 256, OPTION_GROUP = 256 };

static ivec escape(vec cx, vec cy) {
    vec zx = v_set(0), zy = v_set(0), four = v_set(4);
    mask live = m_at_most(zx, four);
    ivec n = i_set(0);
    for (int i = 0; i < MOST; i++) {
        vec xx = v_mul(zx, zx), yy = v_mul(zy, zy);
        live = m_and(live, m_at_most(v_add(xx, yy), four));
        if (!m_any(live))
            break;
        n = m_count(live, n);
        zy = v_add(v_mul(v_add(zx, zx), zy), cy);
        zx = v_add(v_sub(xx, yy), cx);
    }
    return n;
}

static void mandelbrot_group(struct run *run, size_t group) {
    static const int lanes[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    const float scale = 2.0f / PICTURE;
    size_t x0 = group % (PICTURE / 16) * 16, y0 = group / (PICTURE / 16) * 16;
    uint32_t *out = HOST(run, 0);
    for (size_t y = y0; y < y0 + 16; y++)
        for (size_t x = x0; x < x0 + 16; x += LANES) {
            vec column = v_from_int(i_add(i_load(lanes), i_set((int)x)));
            vec cx = v_sub(v_mul(column, v_set(scale)), v_set(2)), cy = v_set((float)y * scale - 1);
            i_store(out + y * PICTURE + x, escape(cx, cy));
        }
}

static void mandelbrot(struct run *run) {
    limit_groups(run, (PICTURE / 16) * (PICTURE / 16), mandelbrot_group);
}

static vec polynomial(vec x, const float *c, int n) { /* highest power first */
    vec sum = v_set(c[0]);
    for (int i = 1; i < n; i++)
        sum = v_fma(sum, x, v_set(c[i]));
    return sum;
}

static vec exponential(vec x) { /* x < 87; what is below -87 is as good as 0 */
    static const float taylor[] = {1 / 720.f, 1 / 120.f, 1 / 24.f, 1 / 6.f, 0.5f, 1, 1};
    x = v_max(x, v_set(-87));
    ivec n = v_to_int(v_mul(x, v_set(1.44269504f)));
    vec whole = v_from_int(n), rest = v_fnma(whole, v_set(0.693145752f), x);
    rest = v_fnma(whole, v_set(1.42860677e-6f), rest);
    return v_mul(polynomial(rest, taylor, 7), v_float(i_left(i_add(n, i_set(127)), 23)));
}

static vec logarithm(vec x) { /* normal numbers: m 2^e with m between the roots of 1/2 and 2 */
    static const float series[] = {2 / 9.f, 2 / 7.f, 2 / 5.f, 2 / 3.f, 2};
    ivec e = i_right(i_sub(v_bits(x), i_set(0x3f3504f3)), 23);
    vec m = v_float(i_sub(v_bits(x), i_left(e, 23)));
    vec s = v_div(v_sub(m, v_set(1)), v_add(m, v_set(1)));
    return v_fma(v_from_int(e), v_set(0.693147181f), v_mul(s, polynomial(v_mul(s, s), series, 5)));
}

static vec cumulative(vec x) {
    static const float tail[] = {1.330274429f, -1.821255978f, 1.781477937f, -0.356563782f, 0.319381530f};
    mask positive = m_positive(x);
    vec size = m_select(positive, x, v_sub(v_set(0), x));
    vec k = v_div(v_set(1), v_fma(v_set(0.2316419f), size, v_set(1)));
    vec density = v_mul(v_set(0.39894228f), exponential(v_mul(v_mul(v_set(-0.5f), x), x)));
    vec t = v_mul(v_mul(density, k), polynomial(k, tail, 5));
    return m_select(positive, v_sub(v_set(1), t), t);
}

static void black_scholes_group(struct run *run, size_t group) {
    const float rate = 0.02f, volatility = 0.3f;
    const vec one = v_set(1), drift = v_set(rate + 0.5f * volatility * volatility);
    for (size_t i = group * OPTION_GROUP; i < (group + 1) * OPTION_GROUP; i += LANES) {
        vec price = v_load((const float *)HOST(run, 0) + i), strike = v_load((const float *)HOST(run, 1) + i);
        vec years = v_load((const float *)HOST(run, 2) + i), spread = v_mul(v_set(volatility), v_sqrt(years));
        vec d1 = v_div(v_fma(drift, years, logarithm(v_div(price, strike))), spread);
        vec n1 = cumulative(d1), n2 = cumulative(v_sub(d1, spread));
        vec now = v_mul(strike, exponential(v_mul(v_set(-rate), years)));
        v_store((float *)HOST(run, 3) + i, v_sub(v_mul(price, n1), v_mul(now, n2)));
        v_store((float *)HOST(run, 4) + i, v_sub(v_mul(now, v_sub(one, n2)), v_mul(price, v_sub(one, n1))));
    }
}

static void black_scholes(struct run *run) {
    limit_groups(run, ELEMENTS(run, 0) / OPTION_GROUP, black_scholes_group);
}

/* ---- images (case_image.c) --------------------------------------------------------------------------------- */

#include "limit_image.h"
#include "limit_tile.h"

const struct limit LIMITS[] = {
    {"reduce_tree", reduce_tree},
    {"reduce_multi", reduce_multi},
    {"scan_hillis", scan_hillis},
    {"matmul_16x16", matmul},
    {"matmul_4x4_each", matmul_4},
    {"matmul_8x8_each", matmul_8},
    {"matmul_adjacent", matmul_4},
    {"stencil_2d", stencil_2d},
    {"nbody", nbody},
    {"mandelbrot", mandelbrot},
    {"mandelbrot_8x8", mandelbrot},
    {"mandelbrot_4x4", mandelbrot},
    {"black_scholes", black_scholes},
    {"image_nearest_rgba8", image_nearest},
    {"image_linear_rgba8", image_linear},
    {"image_linear_float", image_zoom},
    {"image_linear_3d", image_project},
    {"image_blur_rgba8", image_blur_rgba8},
    {"image_blur_float", image_blur_float},
    {"image_bilateral", image_bilateral},
    {"image_tile", image_tile},
    {"neighbour_16", neighbour},
    {"neighbour_64", neighbour},
    {"neighbour_256", neighbour},
    {"neighbour_1024", neighbour},
    {"scan_blelloch", scan_blelloch},
    {"tile_sort", tile_sort},
    {"sort_bitonic", sort_bitonic},
    {"histogram", histogram},
    {"tile_lu", tile_lu},
    {"lu_tiles", lu_tiles},
    {"tile_paths", tile_paths},
    {"tile_align", tile_align},
    {"tile_stencil", tile_stencil},
    {"fft_512", fft_512},
    {NULL, NULL},
};
