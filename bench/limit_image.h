/* limit_image.h: the tests of case_image.c by hand, a part of limit_body.h. Sizes are known: they are powers of two, and
 * textures wrap around by a mask. */
#include <immintrin.h>
#include <math.h>

enum { IMAGE_TILE = 16, TEXTURE = 512, TEXTURE_TILES = TEXTURE / IMAGE_TILE };

static const int lane_numbers[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

/* Of texel (x, y) and those right of it. */
static inline vec columns_at(size_t x) {
    return v_add(v_from_int(i_add(i_load(lane_numbers), i_set((int)x))), v_set(0.5f));
}

static inline void turned(size_t x, size_t y, vec at[2]) {
    const float a = 0.8125f, b = 0.5625f, half = TEXTURE / 2;
    vec px = v_sub(columns_at(x), v_set(half)), py = v_set((float)y + 0.5f - half);
    at[0] = v_add(v_fnma(v_set(b), py, v_mul(v_set(a), px)), v_set(half));
    at[1] = v_add(v_fma(v_set(a), py, v_mul(v_set(b), px)), v_set(half));
}

static inline vec channel_of(ivec texels, int c) {
    return v_from_int(i_and(i_logical(texels, 8 * c), i_set(255)));
}

static inline ivec texels_of(const vec color[4]) { /* 0 to 255 */
    ivec texels = v_to_int(color[0]);
    for (int c = 1; c < 4; c++)
        texels = i_or(texels, i_left(v_to_int(color[c]), 8 * c));
    return texels;
}

static inline vec mixed(vec a, vec b, vec weight) {
    return v_fma(weight, v_sub(b, a), a);
}

/* Calls for all vectors of a tile. */
#define TILE_EACH(x, y, group, tiles)                                                                        \
    for (size_t y = (group) / (tiles) * IMAGE_TILE, y_end = y + IMAGE_TILE; y < y_end; y++)                  \
        for (size_t x = (group) % (tiles) * IMAGE_TILE, x_end = x + IMAGE_TILE; x < x_end; x += LANES)

/* ---- sampling ---------------------------------------------------------------------------------------------- */

static void nearest_group(struct run *run, size_t group) {
    TILE_EACH(x, y, group, TEXTURE_TILES) {
        vec at[2];
        ivec i[2];
        turned(x, y, at);
        for (int k = 0; k < 2; k++)
            i[k] = i_max(i_min(v_to_int(v_floor(at[k])), i_set(TEXTURE - 1)), i_set(0));
        i_store((int *)HOST(run, 1) + y * TEXTURE + x,
                i_gather(HOST(run, 0), i_add(i_mul(i[1], i_set(TEXTURE)), i[0])));
    }
}

static void linear_group(struct run *run, size_t group) {
    const ivec wrap = i_set(TEXTURE - 1);
    TILE_EACH(x, y, group, TEXTURE_TILES) {
        vec at[2], low[2], color[4];
        ivec i[2], texels[4];
        turned(x, y, at);
        for (int k = 0; k < 2; k++) {
            at[k] = v_sub(at[k], v_set(0.5f));
            low[k] = v_floor(at[k]);
            at[k] = v_sub(at[k], low[k]);
            i[k] = v_to_int(low[k]);
        }
        for (int k = 0; k < 4; k++) {
            ivec column = i_and(i_add(i[0], i_set(k & 1)), wrap),
                 row = i_and(i_add(i[1], i_set(k / 2)), wrap);
            texels[k] = i_gather(HOST(run, 0), i_add(i_mul(row, i_set(TEXTURE)), column));
        }
        for (int c = 0; c < 4; c++)
            color[c] = mixed(mixed(channel_of(texels[0], c), channel_of(texels[1], c), at[0]),
                             mixed(channel_of(texels[2], c), channel_of(texels[3], c), at[0]), at[1]);
        i_store((int *)HOST(run, 1) + y * TEXTURE + x, texels_of(color));
    }
}

/* A pixel's four channels are a vector. The part that is enlarged lies inside the image. */
static void zoom_group(struct run *run, size_t group) {
    const float scale = 0.4375f, start = 0.28125f * TEXTURE - 0.5f;
    TILE_EACH(x, y, group, TEXTURE_TILES) {
        float v = ((float)y + 0.5f) * scale + start, b = v - (float)(int)v;
        const float *row = (const float *)HOST(run, 0) + (size_t)v * TEXTURE * 4;
        for (size_t i = x; i < x + LANES; i++) {
            float u = ((float)i + 0.5f) * scale + start, a = u - (float)(int)u;
            const float *p = row + (size_t)u * 4, *q = p + TEXTURE * 4;
            __m128 sum = _mm_mul_ps(_mm_set1_ps((1 - a) * (1 - b)), _mm_loadu_ps(p));
            sum = _mm_fmadd_ps(_mm_set1_ps(a * (1 - b)), _mm_loadu_ps(p + 4), sum);
            sum = _mm_fmadd_ps(_mm_set1_ps((1 - a) * b), _mm_loadu_ps(q), sum);
            sum = _mm_fmadd_ps(_mm_set1_ps(a * b), _mm_loadu_ps(q + 4), sum);
            _mm_storeu_ps((float *)HOST(run, 1) + (y * TEXTURE + i) * 4, sum);
        }
    }
}

enum { RAYS = 128, VOLUME = 64, RAY_STEPS = 72 };

/* A slice's value at (x, y); zeros around it. */
static inline vec slice_at(const float *slice, const vec at[2]) {
    const vec zero = v_set(0), last = v_set(VOLUME - 1);
    vec low[2], corners[4];
    for (int k = 0; k < 2; k++)
        low[k] = v_floor(at[k]);
    for (int k = 0; k < 4; k++) {
        vec x = v_add(low[0], v_set((float)(k & 1))), y = v_add(low[1], v_set((float)(k / 2)));
        mask inside = m_and(m_and(m_at_most(zero, x), m_at_most(x, last)),
                            m_and(m_at_most(zero, y), m_at_most(y, last)));
        x = v_min(v_max(x, zero), last);
        y = v_min(v_max(y, zero), last);
        corners[k] = v_gather(slice, v_to_int(v_fma(y, v_set(VOLUME), x)));
        corners[k] = m_select(inside, corners[k], zero);
    }
    vec a = v_sub(at[0], low[0]);
    return mixed(mixed(corners[0], corners[1], a), mixed(corners[2], corners[3], a), v_sub(at[1], low[1]));
}

static void project_group(struct run *run, size_t group) {
    const float *volume = HOST(run, 0);
    TILE_EACH(x, y, group, RAYS / IMAGE_TILE) {
        vec start = v_sub(v_mul(columns_at(x), v_set(0.5f)), v_set(0.5f)), sum = v_set(0);
        for (int i = 0; i < RAY_STEPS; i++) {
            float z = (float)i - 4.25f, slices = z - 0.5f, low = floorf(slices);
            vec at[2] = {v_add(start, v_set(0.125f * z)), v_set(0.5f * (float)y - 0.25f - 0.125f * z)};
            vec values[2] = {v_set(0), v_set(0)};
            for (int k = 0; k < 2; k++)
                if ((int)low + k >= 0 && (int)low + k < VOLUME)
                    values[k] = slice_at(volume + ((int)low + k) * VOLUME * VOLUME, at);
            sum = v_add(sum, mixed(values[0], values[1], v_set(slices - low)));
        }
        v_store((float *)HOST(run, 1) + y * RAYS + x, sum);
    }
}

/* ---- filters ----------------------------------------------------------------------------------------------- */

enum { BLUR = 4, BLUR_WIDTH = 2 * BLUR + 1 };

static inline size_t at_edge(size_t i, int step, size_t side) {
    ptrdiff_t j = (ptrdiff_t)i + step;
    return j < 0 ? 0 : j >= (ptrdiff_t)side ? side - 1 : (size_t)j;
}

/* The texels of a tile and `halo` around it, those outside the image repeated. */
static void tile_load(void *to, const void *from, size_t group, size_t side, int halo, size_t bytes) {
    size_t x = group % (side / IMAGE_TILE) * IMAGE_TILE, y = group / (side / IMAGE_TILE) * IMAGE_TILE;
    bool inside = x && x + IMAGE_TILE < side;
    char *out = to;
    for (int dy = -halo; dy < IMAGE_TILE + halo; dy++) {
        const char *row = (const char *)from + at_edge(y, dy, side) * side * bytes;
        size_t width = (size_t)(IMAGE_TILE + 2 * halo);
        if (inside)
            memcpy(out, row + (x - (size_t)halo) * bytes, width * bytes);
        for (int dx = -halo; !inside && dx < IMAGE_TILE + halo; dx++)
            memcpy(out + (size_t)(dx + halo) * bytes, row + at_edge(x, dx, side) * bytes, bytes);
        out += width * bytes;
    }
}

static void blur_rgba8_pass(struct run *run, size_t group, int source, bool rows) {
    enum { PITCH_IN = IMAGE_TILE + 2 * BLUR };
    int in[PITCH_IN * PITCH_IN];
    const float *weights = HOST(run, 3);
    tile_load(in, HOST(run, source), group, TEXTURE, BLUR, 4);
    TILE_EACH(x, y, group, TEXTURE_TILES) {
        const int *p = in + (y % IMAGE_TILE) * PITCH_IN + x % IMAGE_TILE + (rows ? BLUR * PITCH_IN : BLUR);
        vec color[4] = {v_set(0), v_set(0), v_set(0), v_set(0)};
        for (int i = 0; i < BLUR_WIDTH; i++) {
            ivec texels = i_load(p + i * (rows ? 1 : PITCH_IN));
            for (int c = 0; c < 4; c++)
                color[c] = v_fma(v_set(weights[i]), channel_of(texels, c), color[c]);
        }
        i_store((int *)HOST(run, source + 1) + y * TEXTURE + x, texels_of(color));
    }
}

/* The four channels of a pixel lie side by side. */
static void blur_float_pass(struct run *run, size_t group, int source, bool rows) {
    enum { PITCH_IN = 4 * (IMAGE_TILE + 2 * BLUR), PIXELS = LANES / 4 };
    static _Thread_local float in[PITCH_IN * (IMAGE_TILE + 2 * BLUR)];
    const float *weights = HOST(run, 3);
    tile_load(in, HOST(run, source), group, TEXTURE, BLUR, 16);
    TILE_EACH(x, y, group, TEXTURE_TILES)
    for (size_t j = 0; j < LANES; j += PIXELS) {
        const float *p =
            in + (y % IMAGE_TILE) * PITCH_IN + 4 * (x % IMAGE_TILE + j) + (rows ? BLUR * PITCH_IN : 4 * BLUR);
        vec sum = v_set(0);
        for (int i = 0; i < BLUR_WIDTH; i++)
            sum = v_fma(v_set(weights[i]), v_load(p + i * (rows ? 4 : PITCH_IN)), sum);
        v_store((float *)HOST(run, source + 1) + 4 * (y * TEXTURE + x + j), sum);
    }
}

static void bilateral_group(struct run *run, size_t group) {
    enum { SIDE = 256, NEAR = 3, PITCH_IN = IMAGE_TILE + 2 * NEAR };
    int in[PITCH_IN * PITCH_IN];
    tile_load(in, HOST(run, 0), group, SIDE, NEAR, 4);
    TILE_EACH(x, y, group, SIDE / IMAGE_TILE) {
        const int *p = in + (y % IMAGE_TILE) * PITCH_IN + x % IMAGE_TILE;
        ivec here = i_load(p + NEAR * PITCH_IN + NEAR);
        vec sum[4] = {v_set(0), v_set(0), v_set(0), v_set(0)}, total = v_set(0);
        for (int i = 0; i < (2 * NEAR + 1) * (2 * NEAR + 1); i++) {
            int dx = i % (2 * NEAR + 1) - NEAR, dy = i / (2 * NEAR + 1) - NEAR;
            ivec texels = i_load(p + (dy + NEAR) * PITCH_IN + dx + NEAR);
            vec power = v_set(-0.08f * (float)(dx * dx + dy * dy));
            for (int c = 0; c < 3; c++) {
                vec d = v_sub(channel_of(texels, c), channel_of(here, c));
                power = v_fnma(v_mul(v_set(4.0f / (255 * 255)), d), d, power);
            }
            vec weight = exponential(power);
            total = v_add(total, weight);
            for (int c = 0; c < 4; c++)
                sum[c] = v_fma(weight, channel_of(texels, c), sum[c]);
        }
        for (int c = 0; c < 4; c++)
            sum[c] = v_div(sum[c], total);
        i_store((int *)HOST(run, 1) + y * SIDE + x, texels_of(sum));
    }
}

static void tile_group(struct run *run, size_t group) {
    enum { AROUND = 2, WIDTH = 2 * AROUND + 1, PITCH_IN = IMAGE_TILE + 2 * AROUND };
    float in[PITCH_IN * PITCH_IN];
    const float *weights = HOST(run, 2);
    tile_load(in, HOST(run, 0), group, TEXTURE, AROUND, 4);
    TILE_EACH(x, y, group, TEXTURE_TILES) {
        const float *p = in + (y % IMAGE_TILE) * PITCH_IN + x % IMAGE_TILE;
        vec sum = v_set(0);
        for (int i = 0; i < WIDTH; i++)
            for (int j = 0; j < WIDTH; j++)
                sum = v_fma(v_set(weights[i * WIDTH + j]), v_load(p + i * PITCH_IN + j), sum);
        v_store((float *)HOST(run, 1) + y * TEXTURE + x, sum);
    }
}

#define IMAGE_PASS(name, body, ...)                                                                          \
    static void name##_group(struct run *run, size_t group) {                                                \
        body(run, group, __VA_ARGS__);                                                                       \
    }
IMAGE_PASS(blur_rgba8_rows, blur_rgba8_pass, 0, true)
IMAGE_PASS(blur_rgba8_columns, blur_rgba8_pass, 1, false)
IMAGE_PASS(blur_float_rows, blur_float_pass, 0, true)
IMAGE_PASS(blur_float_columns, blur_float_pass, 1, false)

#define IMAGE_TEST(name, tiles)                                                                              \
    static void image_##name(struct run *run) {                                                              \
        limit_groups(run, (size_t)(tiles) * (tiles), name##_group);                                          \
    }
IMAGE_TEST(nearest, TEXTURE_TILES)
IMAGE_TEST(linear, TEXTURE_TILES)
IMAGE_TEST(zoom, TEXTURE_TILES)
IMAGE_TEST(project, RAYS / IMAGE_TILE)
IMAGE_TEST(bilateral, 256 / IMAGE_TILE)
IMAGE_TEST(tile, TEXTURE_TILES)

static void image_blur_rgba8(struct run *run) {
    limit_groups(run, TEXTURE_TILES * TEXTURE_TILES, blur_rgba8_rows_group);
    limit_groups(run, TEXTURE_TILES * TEXTURE_TILES, blur_rgba8_columns_group);
}

static void image_blur_float(struct run *run) {
    limit_groups(run, TEXTURE_TILES * TEXTURE_TILES, blur_float_rows_group);
    limit_groups(run, TEXTURE_TILES * TEXTURE_TILES, blur_float_columns_group);
}
