/* limit_tile.h: the tests of case_tile.c, the neighbours' exchange, sorts, Blelloch's scan, the FFT of 512 and the
 * histogram by hand, a part of limit_body.h. What the kernels move through local memory from lane to lane is a permutation
 * of registers here. */

enum { LOG_LANES = LANES == 16 ? 4 : 3 };

static const int lane_order[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

static inline ivec lanes(void) {
    return i_load(lane_order);
}

/* ---- exchange with the neighbour (case_barrier.c) ----------------------------------------------------------- */

enum { NEIGHBOUR_ROUNDS = 200, NEIGHBOUR_ITEMS = 65536 };

static inline void neighbour_rounds(uint32_t *out, size_t first, size_t n) {
    uint32_t x[1024] __attribute__((aligned(64)));
    for (size_t l = 0; l < n; l += LANES)
        i_store(x + l, i_add(lanes(), i_set((int)(first + l))));
    for (int round = 0; round < NEIGHBOUR_ROUNDS; round++) {
        ivec here = i_load(x), begin = here;
        for (size_t l = 0; l < n; l += LANES) {
            ivec right = l + LANES < n ? i_load(x + l + LANES) : begin;
            i_store(x + l, i_add(i_add(i_left(here, 1), here), i_next(here, right)));
            here = right;
        }
    }
    memcpy(out + first, x, n * 4);
}

/* Of at most `n` vectors: they stay in registers. */
#define NEIGHBOUR_IN_REGISTERS(n)                                                                            \
    static void neighbour_in_##n(uint32_t *out, size_t first) {                                              \
        ivec x[n];                                                                                           \
        for (int i = 0; i < n; i++)                                                                          \
            x[i] = i_add(lanes(), i_set((int)first + i * LANES));                                            \
        for (int round = 0; round < NEIGHBOUR_ROUNDS; round++) {                                             \
            ivec begin = x[0];                                                                               \
            _Pragma("GCC unroll 16") for (int i = 0; i < n; i++) x[i] =                                      \
                i_add(i_add(i_left(x[i], 1), x[i]), i_next(x[i], i + 1 < n ? x[i + 1] : begin));             \
        }                                                                                                    \
        for (int i = 0; i < n; i++)                                                                          \
            i_store(out + first + i * LANES, x[i]);                                                          \
    }
NEIGHBOUR_IN_REGISTERS(1)
NEIGHBOUR_IN_REGISTERS(2)
NEIGHBOUR_IN_REGISTERS(4)
NEIGHBOUR_IN_REGISTERS(8)
NEIGHBOUR_IN_REGISTERS(16)

static void neighbour_group(struct run *run, size_t group) {
    size_t n = (size_t)run->test->param, first = group * n;
    switch (n / LANES) {
    case 1:
        neighbour_in_1(HOST(run, 0), first);
        break;
    case 2:
        neighbour_in_2(HOST(run, 0), first);
        break;
    case 4:
        neighbour_in_4(HOST(run, 0), first);
        break;
    case 8:
        neighbour_in_8(HOST(run, 0), first);
        break;
    case 16:
        neighbour_in_16(HOST(run, 0), first);
        break;
    default:
        neighbour_rounds(HOST(run, 0), first, n);
    }
}

static void neighbour(struct run *run) {
    limit_groups(run, NEIGHBOUR_ITEMS / (size_t)run->test->param, neighbour_group);
}

/* ---- Blelloch's scan (case_scan.c) ------------------------------------------------------------------------- */

/* Exclusive prefix sums of n elements in place, n a multiple of LANES; up and down a tree. Returns the total. */
static uint32_t blelloch(uint32_t *s, size_t n) {
    ivec from[LOG_LANES];
    imask high[LOG_LANES], low[LOG_LANES];
    for (int i = 0; i < LOG_LANES; i++) {
        int stride = 1 << i;
        ivec place = i_and(lanes(), i_set(2 * stride - 1));
        high[i] = im_equal(place, i_set(2 * stride - 1));
        low[i] = im_equal(place, i_set(stride - 1));
        from[i] = i_xor(lanes(), i_set(stride));
    }
    uint32_t last[SCAN_BLOCK / LANES] __attribute__((aligned(64)));
    last[0] = 0;
    size_t vectors = n / LANES, padded = (vectors + LANES - 1) / LANES * LANES;
    for (size_t v = 0; v < vectors; v++) {
        ivec x = i_load(s + v * LANES);
        for (int i = 0; i < LOG_LANES; i++)
            x = i_select(high[i], i_add(x, i_permute(x, from[i])), x);
        i_store(s + v * LANES, x);
        last[v] = s[v * LANES + LANES - 1];
    }
    uint32_t total = last[0];
    if (vectors > 1) {
        memset(last + vectors, 0, (padded - vectors) * 4);
        total = blelloch(last, padded);
    } else {
        last[0] = 0;
    }
    for (size_t v = 0; v < vectors; v++) {
        ivec x = i_select(high[LOG_LANES - 1], i_set((int)last[v]), i_load(s + v * LANES));
        for (int i = LOG_LANES - 1; i >= 0; i--) {
            ivec other = i_permute(x, from[i]);
            x = i_select(low[i], other, i_select(high[i], i_add(x, other), x));
        }
        i_store(s + v * LANES, x);
    }
    return total;
}

static uint32_t blelloch_block(const uint32_t *in, uint32_t *out) {
    uint32_t s[SCAN_BLOCK] __attribute__((aligned(64)));
    memcpy(s, in, sizeof s);
    uint32_t total = blelloch(s, SCAN_BLOCK);
    for (size_t l = 0; l < SCAN_BLOCK; l += LANES)
        i_store(out + l, i_add(i_load(s + l), i_load(in + l)));
    return total;
}

static void blelloch_group(struct run *run, size_t group) {
    ((uint32_t *)HOST(run, 2))[group] = blelloch_block((const uint32_t *)HOST(run, 0) + group * SCAN_BLOCK,
                                                       (uint32_t *)HOST(run, 1) + group * SCAN_BLOCK);
}

static void scan_blelloch(struct run *run) {
    limit_groups(run, ELEMENTS(run, 2), blelloch_group);
    blelloch_block(HOST(run, 2), HOST(run, 3));
    limit_groups(run, ELEMENTS(run, 2), scan_add_group);
}

/* ---- bitonic sorts (case_tile.c, case_sort.c) -------------------------------------------------------------- */

/* Compares and exchanges in vectors of 2 * LANES and more, steps from `step` down to LANES, for runs of length k. */
static void exchange_vectors(uint32_t *s, size_t n, size_t base, size_t step, size_t k) {
    for (; step >= LANES; step /= 2)
        for (size_t start = 0; start < n; start += 2 * step) {
            bool up = ((base + start) & k) == 0;
            uint32_t *least = up ? s + start : s + start + step, *most = up ? s + start + step : s + start;
            for (size_t l = 0; l < step; l += LANES) {
                ivec a = i_load(s + start + l), b = i_load(s + start + step + l);
                i_store(least + l, i_umin(a, b));
                i_store(most + l, i_umax(a, b));
            }
        }
}

/* All steps below LANES, for runs from length `first` to `k`, vector by vector. */
static void exchange_lanes(uint32_t *s, size_t n, size_t base, size_t first, size_t k) {
    ivec other[LOG_LANES];
    imask upper[LOG_LANES + 1];
    for (int i = 0; i < LOG_LANES; i++) {
        other[i] = i_xor(lanes(), i_set(1 << i));
        upper[i] = im_equal(i_and(lanes(), i_set(1 << i)), i_set(1 << i));
    }
    for (size_t v = 0; v < n; v += LANES) {
        ivec x = i_load(s + v);
        for (size_t run = first; run <= k; run *= 2) {
            int top = run <= LANES ? __builtin_ctzl(run) : LOG_LANES;
            imask down = run < LANES ? upper[top] : (base + v) & run ? im_all : im_none;
            for (int i = top - 1; i >= 0; i--) {
                ivec y = i_permute(x, other[i]);
                x = i_select(im_xor(upper[i], down), i_umax(x, y), i_umin(x, y));
            }
        }
        i_store(s + v, x);
    }
}

static void bitonic(uint32_t *s, size_t n, size_t base) {
    exchange_lanes(s, n, base, 2, LANES);
    for (size_t k = 2 * LANES; k <= n; k *= 2) {
        exchange_vectors(s, n, base, k / 2, k);
        exchange_lanes(s, n, base, k, k);
    }
}

enum { TILE_SORTED = 512, BITONIC_BLOCK = 1024 };

static void tile_sort_group(struct run *run, size_t group) {
    uint32_t s[TILE_SORTED] __attribute__((aligned(64))),
        *data = (uint32_t *)HOST(run, 1) + group * TILE_SORTED;
    memcpy(s, data, sizeof s);
    bitonic(s, TILE_SORTED, 0);
    memcpy(data, s, sizeof s);
}

static void tile_sort(struct run *run) {
    limit_groups(run, ELEMENTS(run, 1) / TILE_SORTED, tile_sort_group);
}

static size_t bitonic_length, bitonic_step; /* of the launch under way */

static void bitonic_block_group(struct run *run, size_t group) {
    uint32_t s[BITONIC_BLOCK] __attribute__((aligned(64)));
    uint32_t *data = (uint32_t *)HOST(run, 1) + group * BITONIC_BLOCK;
    memcpy(s, data, sizeof s);
    if (bitonic_length == BITONIC_BLOCK) {
        bitonic(s, BITONIC_BLOCK, group * BITONIC_BLOCK);
    } else {
        exchange_vectors(s, BITONIC_BLOCK, group * BITONIC_BLOCK, BITONIC_BLOCK / 2, bitonic_length);
        exchange_lanes(s, BITONIC_BLOCK, group * BITONIC_BLOCK, bitonic_length, bitonic_length);
    }
    memcpy(data, s, sizeof s);
}

static void bitonic_global_group(struct run *run, size_t group) {
    enum { ITEMS = 256 };
    size_t step = bitonic_step, i = group * ITEMS, low = 2 * step * (i / step) + i % step;
    uint32_t *a = (uint32_t *)HOST(run, 1) + low, *b = a + step;
    bool up = (low & bitonic_length) == 0;
    for (size_t l = 0; l < ITEMS; l += LANES) {
        ivec x = i_load(a + l), y = i_load(b + l);
        i_store((up ? a : b) + l, i_umin(x, y));
        i_store((up ? b : a) + l, i_umax(x, y));
    }
}

static void sort_bitonic(struct run *run) {
    size_t n = ELEMENTS(run, 1);
    for (bitonic_length = BITONIC_BLOCK; bitonic_length <= n; bitonic_length *= 2) {
        for (bitonic_step = bitonic_length / 2; bitonic_step >= BITONIC_BLOCK; bitonic_step /= 2)
            limit_groups(run, n / 2 / 256, bitonic_global_group);
        limit_groups(run, n / BITONIC_BLOCK, bitonic_block_group);
    }
}

static void histogram_group(struct run *run, size_t group) {
    enum { BINS = 256, PER_GROUP = 256 * 128 };
    uint32_t bins[4][BINS] = {0}, *out = (uint32_t *)HOST(run, 1) + group * BINS;
    const uint32_t *in = (const uint32_t *)HOST(run, 0) + group * PER_GROUP;
    for (size_t i = 0; i < PER_GROUP; i += 4)
        for (size_t k = 0; k < 4; k++)
            bins[k][in[i + k] & 255]++;
    for (size_t i = 0; i < BINS; i++)
        out[i] = bins[0][i] + bins[1][i] + bins[2][i] + bins[3][i];
}

static void histogram(struct run *run) {
    limit_groups(run, ELEMENTS(run, 1) / 256, histogram_group);
}

/* ---- LU (case_tile.c, case_matrix.c) ----------------------------------------------------------------------- */

enum { LU_SIDE = 32 };

static void lu(const float *in, float *out) {
    float s[LU_SIDE][LU_SIDE] __attribute__((aligned(64)));
    memcpy(s, in, sizeof s);
    for (int k = 0; k < LU_SIDE - 1; k++) {
        float inverse = 1 / s[k][k];
        vec pivot[LU_SIDE / LANES];
        for (int v = 0; v < LU_SIDE / LANES; v++) {
            imask right = im_above(i_add(lanes(), i_set(v * LANES)), i_set(k));
            pivot[v] = v_float(i_select(right, v_bits(v_load(s[k] + v * LANES)), i_set(0)));
        }
        for (int r = k + 1; r < LU_SIDE; r++)
            s[r][k] *= inverse;
        for (int first = (k + 1) / LANES, r = k + 1; r < LU_SIDE; r++) {
            vec factor = v_set(s[r][k]);
            for (int v = first; v < LU_SIDE / LANES; v++)
                v_store(s[r] + v * LANES, v_fnma(factor, pivot[v], v_load(s[r] + v * LANES)));
        }
    }
    memcpy(out, s, sizeof s);
}

static void lu_in_place_group(struct run *run, size_t group) {
    float *tile = (float *)HOST(run, 1) + group * LU_SIDE * LU_SIDE;
    lu(tile, tile);
}

static void lu_group(struct run *run, size_t group) {
    size_t first = group * LU_SIDE * LU_SIDE;
    lu((const float *)HOST(run, 0) + first, (float *)HOST(run, 1) + first);
}

static void tile_lu(struct run *run) {
    limit_groups(run, ELEMENTS(run, 1) / LU_SIDE / LU_SIDE, lu_in_place_group);
}

static void lu_tiles(struct run *run) {
    limit_groups(run, ELEMENTS(run, 1) / LU_SIDE / LU_SIDE, lu_group);
}

/* ---- dynamic programming (case_tile.c) --------------------------------------------------------------------- */

enum { PATHS = 256, PATH_ROWS = 20, PATH_EACH = PATHS - 2 * PATH_ROWS };

/* Columns outside the matrix cost more than any way. */
static void paths_group(struct run *run, size_t group) {
    enum { FAR = 1 << 29, COSTS = 1 << 16 };
    int now[2][PATHS + 2 * LANES];
    const int *costs = HOST(run, 0);
    ptrdiff_t x = (ptrdiff_t)group * PATH_EACH - PATH_ROWS, least = x < 0 ? -x : 0,
              most = x + PATHS > COSTS ? COSTS - x : PATHS;
    for (int i = 0; i < 2; i++)
        for (size_t l = 0; l < PATHS + 2 * LANES; l += LANES)
            i_store(now[i] + l, i_set(FAR));
    memcpy(now[0] + LANES + least, costs + x + least, (size_t)(most - least) * 4);
    for (ptrdiff_t r = 1; r <= PATH_ROWS; r++) {
        const int *from = now[(r - 1) & 1] + LANES, *cost = costs + r * COSTS + x;
        int *to = now[r & 1] + LANES, edge[PATHS];
        if (least || most < PATHS) {
            for (ptrdiff_t l = 0; l < PATHS; l++)
                edge[l] = l >= least && l < most ? cost[l] : FAR;
            cost = edge;
        }
        ivec before = i_load(from - LANES), here = i_load(from);
        for (size_t l = 0; l < PATHS; l += LANES) {
            ivec after = i_load(from + l + LANES);
            ivec way = i_min(here, i_min(i_previous(before, here), i_next(here, after)));
            i_store(to + l, i_add(i_min(way, i_set(FAR)), i_load(cost + l)));
            before = here;
            here = after;
        }
    }
    ptrdiff_t end = most < PATHS - PATH_ROWS ? most : PATHS - PATH_ROWS;
    memcpy((int *)HOST(run, 1) + x + PATH_ROWS, now[PATH_ROWS & 1] + LANES + PATH_ROWS,
           (size_t)(end - PATH_ROWS) * 4);
}

static void tile_paths(struct run *run) {
    limit_groups(run, (ELEMENTS(run, 1) + PATH_EACH - 1) / PATH_EACH, paths_group);
}

enum { ALIGNED = 32, ALIGNED_VECTORS = ALIGNED / LANES, PENALTY = 3 };

/* Lane x has column x of a diagonal; what is left of and above the matrix comes in from the side, and where lane x is at
 * row -1. Rows that there aren't are read as well, and computed for nobody. */
static void align_group(struct run *run, size_t group) {
    static _Thread_local int scores[3 * ALIGNED][ALIGNED], diagonals[2 * ALIGNED][ALIGNED];
    int *out = (int *)HOST(run, 1) + group * ALIGNED * ALIGNED;
    memcpy(scores[ALIGNED], (const int *)HOST(run, 0) + group * ALIGNED * ALIGNED, ALIGNED * ALIGNED * 4);
    ivec old[ALIGNED_VECTORS], older[ALIGNED_VECTORS], now[ALIGNED_VECTORS], column[ALIGNED_VECTORS];
    for (int v = 0; v < ALIGNED_VECTORS; v++) {
        column[v] = i_add(lanes(), i_set(v * LANES));
        old[v] = i_set(-PENALTY);
        older[v] = i_set(0);
    }
    for (int d = 0; d < 2 * ALIGNED - 1; d++) {
        ivec left = i_set(-PENALTY * (d + 1)), corner = i_set(-PENALTY * d);
        for (int v = 0; v < ALIGNED_VECTORS; v++) {
            ivec score = i_gather(scores[ALIGNED + d], i_mul(column[v], i_set(1 - ALIGNED)));
            ivec here = i_add(i_previous(v ? older[v - 1] : corner, older[v]), score);
            ivec gap = i_max(i_previous(v ? old[v - 1] : left, old[v]), old[v]);
            here = i_max(here, i_add(gap, i_set(-PENALTY)));
            i_store(diagonals[d] + v * LANES, here);
            now[v] = i_select(im_equal(column[v], i_set(d + 1)), i_set(-PENALTY * (d + 2)), here);
        }
        for (int v = 0; v < ALIGNED_VECTORS; v++) {
            older[v] = old[v];
            old[v] = now[v];
        }
    }
    for (int y = 0; y < ALIGNED; y++)
        for (int v = 0; v < ALIGNED_VECTORS; v++)
            i_store(out + y * ALIGNED + v * LANES,
                    i_gather(diagonals[y], i_mul(column[v], i_set(ALIGNED + 1))));
}

static void tile_align(struct run *run) {
    limit_groups(run, ELEMENTS(run, 1) / ALIGNED / ALIGNED, align_group);
}

/* ---- four steps of a stencil (case_tile.c) ----------------------------------------------------------------- */

enum { STEPS = 4, STEP_SIDE = 512, STEP_INNER = TILE - 2 * STEPS, STEP_VECTORS = TILE / LANES };

static void steps_group(struct run *run, size_t group) {
    ptrdiff_t x0 = (ptrdiff_t)(group % (STEP_SIDE / STEP_INNER)) * STEP_INNER - STEPS,
              y0 = (ptrdiff_t)(group / (STEP_SIDE / STEP_INNER)) * STEP_INNER - STEPS;
    const float *in = HOST(run, 0);
    float row[TILE], *out = HOST(run, 1);
    ivec t[TILE][STEP_VECTORS];
    for (ptrdiff_t y = 0; y < TILE; y++) {
        ptrdiff_t at = y0 + y < 0 ? 0 : y0 + y >= STEP_SIDE ? STEP_SIDE - 1 : y0 + y;
        const float *from = in + at * STEP_SIDE + x0;
        if (x0 < 0 || x0 + TILE > STEP_SIDE) {
            for (ptrdiff_t x = 0; x < TILE; x++)
                row[x] = from[x0 + x < 0 ? -x0 : x0 + x >= STEP_SIDE ? STEP_SIDE - 1 - x0 : x];
            from = row;
        }
        for (int v = 0; v < STEP_VECTORS; v++)
            t[y][v] = i_load(from + v * LANES);
    }
    _Pragma("GCC unroll 4") for (int step = 1; step <= STEPS; step++) {
        ivec above[STEP_VECTORS], old[STEP_VECTORS];
        memcpy(above, t[step - 1], sizeof above);
        _Pragma("GCC unroll 16") for (int y = step; y < TILE - step; y++) {
            memcpy(old, t[y], sizeof old);
            for (int v = 0; v < STEP_VECTORS; v++) {
                ivec left = i_previous(old[v ? v - 1 : v], old[v]);
                ivec right = i_next(old[v], old[v + 1 < STEP_VECTORS ? v + 1 : v]);
                vec sum = v_add(v_add(v_float(old[v]), v_add(v_float(above[v]), v_float(t[y + 1][v]))),
                                v_add(v_float(left), v_float(right)));
                t[y][v] = v_bits(v_mul(v_set(0.2f), sum));
            }
            memcpy(above, old, sizeof above);
        }
    }
    for (int y = STEPS; y < TILE - STEPS; y++) {
        for (int v = 0; v < STEP_VECTORS; v++)
            i_store(row + v * LANES, t[y][v]);
        memcpy(out + (y0 + y) * STEP_SIDE + x0 + STEPS, row + STEPS, STEP_INNER * 4);
    }
}

static void tile_stencil(struct run *run) {
    limit_groups(run, (STEP_SIDE / STEP_INNER) * (STEP_SIDE / STEP_INNER), steps_group);
}

/* ---- FFT of 512 points, radix 8 (case_group.c) ------------------------------------------------------------- */

typedef struct {
    vec re, im;
} cvec;

static inline cvec c_add(cvec a, cvec b) {
    return (cvec){v_add(a.re, b.re), v_add(a.im, b.im)};
}

static inline cvec c_sub(cvec a, cvec b) {
    return (cvec){v_sub(a.re, b.re), v_sub(a.im, b.im)};
}

static inline cvec c_turn(cvec a) { /* times -i */
    return (cvec){a.im, v_sub(v_set(0), a.re)};
}

static inline cvec c_mul(cvec a, cvec b) {
    return (cvec){v_fnma(a.im, b.im, v_mul(a.re, b.re)), v_fma(a.re, b.im, v_mul(a.im, b.re))};
}

static inline void fft_of_8(cvec *v) {
    const vec diagonal = v_set(0.70710678118654752f);
    cvec s[4], d[4];
    for (int k = 0; k < 4; k++) {
        s[k] = c_add(v[k], v[k + 4]);
        d[k] = c_sub(v[k], v[k + 4]);
    }
    d[1] = (cvec){v_mul(diagonal, v_add(d[1].re, d[1].im)), v_mul(diagonal, v_sub(d[1].im, d[1].re))};
    d[2] = c_turn(d[2]);
    vec sum = v_add(d[3].re, d[3].im);
    d[3] = (cvec){v_mul(diagonal, v_sub(d[3].im, d[3].re)), v_mul(v_set(-0.70710678118654752f), sum)};
    for (int odd = 0; odd < 2; odd++) {
        const cvec *a = odd ? d : s;
        cvec t0 = c_add(a[0], a[2]), t1 = c_sub(a[0], a[2]), t2 = c_add(a[1], a[3]);
        cvec t3 = c_turn(c_sub(a[1], a[3]));
        v[odd] = c_add(t0, t2);
        v[odd + 2] = c_add(t1, t3);
        v[odd + 4] = c_sub(t0, t2);
        v[odd + 6] = c_sub(t1, t3);
    }
}

/* to[8 * l + r] = x[r], lane l. */
static inline void store_by_eights(float *to, const vec x[8]) {
    vec a[8], b[8];
    for (int i = 0; i < 4; i++)
        v_interleave(x[i], x[i + 4], &a[2 * i], &a[2 * i + 1]); /* 0 4, 1 5, 2 6, 3 7 by halves */
    for (int i = 0; i < 2; i++)
        for (int half = 0; half < 2; half++)
            v_interleave(a[2 * i + half], a[2 * (i + 2) + half], &b[4 * i + 2 * half],
                         &b[4 * i + 2 * half + 1]);
    for (int quarter = 0; quarter < 4; quarter++) {
        v_interleave(b[quarter], b[4 + quarter], &a[0], &a[1]);
        v_store(to + 2 * quarter * LANES, a[0]);
        v_store(to + (2 * quarter + 1) * LANES, a[1]);
    }
}

static inline void store_in_eights(float *to, vec x) { /* eights of lanes to every 64th place */
    float lane[LANES];
    v_store(lane, x);
    for (int i = 0; i < LANES; i += 8)
        memcpy(to + i * 8, lane + i, 32);
}

static inline cvec c_load(const float *pairs) {
    cvec c;
    v_deinterleave(v_load(pairs), v_load(pairs + LANES), &c.re, &c.im);
    return c;
}

static void fft_512_group(struct run *run, size_t group) {
    enum { POINTS = 512, ITEMS = POINTS / 8 };
    float re[2][POINTS], im[2][POINTS];
    const float *in = (const float *)HOST(run, 0) + group * POINTS * 2, *twiddles = HOST(run, 2);
    float *out = (float *)HOST(run, 1) + group * POINTS * 2;
    cvec v[8];
    for (int l = 0; l < ITEMS; l += LANES) {
        vec part[8];
        for (int r = 0; r < 8; r++)
            v[r] = c_load(in + 2 * (l + ITEMS * r));
        fft_of_8(v);
        for (int r = 0; r < 8; r++)
            part[r] = v[r].re;
        store_by_eights(re[0] + 8 * l, part);
        for (int r = 0; r < 8; r++)
            part[r] = v[r].im;
        store_by_eights(im[0] + 8 * l, part);
    }
    for (int l = 0; l < ITEMS; l += LANES) {
        for (int r = 0; r < 8; r++) {
            float pairs[2 * LANES]; /* of work-items l % 8 */
            for (int i = 0; i < LANES; i += 8)
                memcpy(pairs + 2 * i, twiddles + 2 * (r * 8), 64);
            v[r] = (cvec){v_load(re[0] + l + ITEMS * r), v_load(im[0] + l + ITEMS * r)};
            v[r] = r ? c_mul(v[r], c_load(pairs)) : v[r];
        }
        fft_of_8(v);
        for (int r = 0; r < 8; r++) {
            store_in_eights(re[1] + 8 * l + 8 * r, v[r].re);
            store_in_eights(im[1] + 8 * l + 8 * r, v[r].im);
        }
    }
    for (int l = 0; l < ITEMS; l += LANES) {
        for (int r = 0; r < 8; r++) {
            v[r] = (cvec){v_load(re[1] + l + ITEMS * r), v_load(im[1] + l + ITEMS * r)};
            v[r] = r ? c_mul(v[r], c_load(twiddles + 2 * (64 + r * 64 + l))) : v[r];
        }
        fft_of_8(v);
        for (int r = 0; r < 8; r++) {
            vec first, second;
            v_interleave(v[r].re, v[r].im, &first, &second);
            v_store(out + 2 * (l + ITEMS * r), first);
            v_store(out + 2 * (l + ITEMS * r) + LANES, second);
        }
    }
}

static void fft_512(struct run *run) {
    limit_groups(run, ELEMENTS(run, 0) / 1024, fft_512_group);
}
