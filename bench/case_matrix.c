/* case_matrix.c: dense and sparse linear algebra. */
#include "bench.h"

KERNELS(matrix);
enum {
    T = 16,
    SIDE = 1024,
    LU_N = 32,
    LU_COUNT = 512,
    ROWS = 8192,
    ROW_GROUP = 64,
    STRIP = 16,
    ADJACENT = 5
};

static void setup_matmul(struct run *run) {
    static const char *const kernels[] = {[1] = "matmul",
                                          [4] = "matmul_4",
                                          [8] = "matmul_8",
                                          [ADJACENT] = "matmul_adjacent",
                                          [STRIP] = "matmul_strip"};
    uint32_t blocked = run->test->param, n = blocked == 1 ? 256 : 512;
    float *a = random_floats((size_t)n * n, -1, 1, 3), *b = random_floats((size_t)n * n, -1, 1, 4);
    float *want = allocate((size_t)n * n * 4);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < n; k++)
            for (uint32_t j = 0; j < n; j++)
                want[i * n + j] += a[i * n + k] * b[k * n + j];
    run_build(run, matrix_cl, "");
    struct buffer *ma = run_buffer(run, (size_t)n * n, 4, a), *mb = run_buffer(run, (size_t)n * n, 4, b);
    struct buffer *mc = run_buffer(run, (size_t)n * n, 4, NULL);
    size_t side = n / T / (blocked == ADJACENT ? 4 : blocked);
    struct dims groups = {side, side}, local = {T, T};
    if (blocked == STRIP) {
        groups = (struct dims){n / 64, n / 16};
        local = (struct dims){16, 4};
    }
    run_launch(run, kernels[blocked], groups, local, "bbbu", ma, mb, mc, n);
    run_expect(run, mc, want, (size_t)n * n, 1e-4);
    run->flops = 2.0 * n * n * n;
    run->bytes = 12.0 * n * n;
}

static void setup_matmul_bytes(struct run *run) {
    enum { N = 512 };
    uint32_t *random = random_uints((size_t)N * N / 2, 0, 11);
    int8_t *a = (int8_t *)random, *b = a + (size_t)N * N;
    int32_t *want = allocate((size_t)N * N * 4);
    for (uint32_t i = 0; i < N; i++)
        for (uint32_t k = 0; k < N; k++)
            for (uint32_t j = 0; j < N; j++)
                want[i * N + j] += a[i * N + k] * b[(k / 4 * N + j) * 4 + k % 4];
    run_build(run, matrix_cl, "-cl-std=CL3.0");
    struct buffer *ma = run_buffer(run, (size_t)N * N / 4, 4, a),
                  *mb = run_buffer(run, (size_t)N * N / 4, 4, b);
    struct buffer *mc = run_buffer(run, (size_t)N * N, 4, NULL);
    run_launch(run, "matmul_bytes", (struct dims){N / 64, N / 8}, (struct dims){64, 1}, "bbbu", ma, mb, mc,
               N);
    run_expect(run, mc, want, (size_t)N * N, 0);
    run->bytes = 6.0 * N * N;
}

static void setup_transpose(struct run *run) {
    float *in = random_floats(SIDE * SIDE, 0, 1, 5), *want = allocate(SIDE * SIDE * 4);
    for (int i = 0; i < SIDE; i++)
        for (int j = 0; j < SIDE; j++)
            want[j * SIDE + i] = in[i * SIDE + j];
    run_build(run, matrix_cl, "");
    struct buffer *from = run_buffer(run, SIDE * SIDE, 4, in), *to = run_buffer(run, SIDE * SIDE, 4, NULL);
    uint32_t each = (uint32_t)run->test->param;
    if (each) {
        run_launch(run, "transpose_each", (struct dims){SIDE / 64, SIDE / each}, (struct dims){64, 1}, "bbu",
                   from, to, SIDE);
    } else {
        run_launch(run, "transpose", (struct dims){SIDE / T, SIDE / T}, (struct dims){T, T}, "bbu", from, to,
                   SIDE);
    }
    run_expect(run, to, want, SIDE * SIDE, 1e-30);
    run->bytes = 8.0 * SIDE * SIDE;
}

static void setup_row_products(struct run *run) {
    float *a = random_floats(SIDE * SIDE, -1, 1, 12), *x = random_floats(SIDE, 0, 1, 13),
          *y = allocate(SIDE * 4);
    for (int i = 0; i < SIDE; i++) {
        double sum = 0;
        for (int j = 0; j < SIDE; j++)
            sum += a[i * SIDE + j] * x[j];
        y[i] = (float)sum;
    }
    run_build(run, matrix_cl, "");
    struct buffer *ba = run_buffer(run, SIDE * SIDE, 4, a), *bx = run_buffer(run, SIDE, 4, x),
                  *by = run_buffer(run, SIDE, 4, NULL);
    run_launch(run, "row_products", (struct dims){SIDE / 64}, (struct dims){64}, "bbbu", ba, bx, by, SIDE);
    run_expect(run, by, y, SIDE, 1e-3);
    run->bytes = 4.0 * SIDE * SIDE;
    run->flops = 2.0 * SIDE * SIDE;
}

static void factor(float *a) {
    for (int k = 0; k < LU_N - 1; k++)
        for (int i = k + 1; i < LU_N; i++) {
            a[i * LU_N + k] /= a[k * LU_N + k];
            for (int j = k + 1; j < LU_N; j++)
                a[i * LU_N + j] -= a[i * LU_N + k] * a[k * LU_N + j];
        }
}

static void setup_lu(struct run *run) {
    enum { N = LU_N * LU_N };
    float *in = random_floats((size_t)N * LU_COUNT, -1, 1, 6), *want = allocate((size_t)N * LU_COUNT * 4);
    for (int m = 0; m < LU_COUNT; m++) { /* dominant diagonals need no pivots */
        for (int i = 0; i < LU_N; i++)
            in[m * N + i * LU_N + i] += 2 * LU_N;
        for (int i = 0; i < N; i++)
            want[m * N + i] = in[m * N + i];
        factor(want + (size_t)m * N);
    }
    run_build(run, matrix_cl, "");
    struct buffer *from = run_buffer(run, (size_t)N * LU_COUNT, 4, in);
    struct buffer *to = run_buffer(run, (size_t)N * LU_COUNT, 4, NULL);
    run_launch(run, "lu", (struct dims){LU_COUNT}, (struct dims){LU_N}, "bb", from, to);
    run_expect(run, to, want, (size_t)N * LU_COUNT, 1e-4);
    run->bytes = 8.0 * N * LU_COUNT;
    run->flops = 2.0 / 3 * LU_N * LU_N * LU_N * LU_COUNT;
}

static void setup_spmv(struct run *run) {
    uint32_t *lengths = random_uints(ROWS, 200, 7), *starts = allocate((ROWS + 1) * 4);
    for (int r = 0; r < ROWS; r++)
        starts[r + 1] = starts[r] + lengths[r];
    size_t n = starts[ROWS];
    uint32_t *columns = random_uints(n, ROWS, 8);
    float *values = random_floats(n, -1, 1, 9), *x = random_floats(ROWS, -1, 1, 10), *y = allocate(ROWS * 4);
    for (int r = 0; r < ROWS; r++) {
        double sum = 0;
        for (uint32_t i = starts[r]; i < starts[r + 1]; i++)
            sum += values[i] * x[columns[i]];
        y[r] = (float)sum;
    }
    run_build(run, matrix_cl, "");
    struct buffer *bs = run_buffer(run, ROWS + 1, 4, starts), *bc = run_buffer(run, n, 4, columns);
    struct buffer *bv = run_buffer(run, n, 4, values), *bx = run_buffer(run, ROWS, 4, x);
    struct buffer *by = run_buffer(run, ROWS, 4, NULL);
    run_launch(run, "spmv", (struct dims){ROWS}, (struct dims){ROW_GROUP}, "bbbbbl", bs, bc, bv, bx, by,
               (size_t)ROW_GROUP * 4);
    run_expect(run, by, y, ROWS, 1e-4);
    run->bytes = 8.0 * n + 12.0 * ROWS;
    run->flops = 2.0 * n;
}

TESTS(matrix, {"matmul_16x16", setup_matmul, NULL, 1, .quick = true},
      {"matmul_4x4_each", setup_matmul, NULL, 4, .quick = true}, {"matmul_8x8_each", setup_matmul, NULL, 8},
      {"matmul_adjacent", setup_matmul, NULL, ADJACENT}, {"matmul_strip", setup_matmul, NULL, STRIP},
      {"matmul_bytes", setup_matmul_bytes}, {"transpose", setup_transpose, .quick = true},
      {"transpose_each", setup_transpose, NULL, 16}, {"row_products", setup_row_products},
      {"lu_tiles", setup_lu}, {"spmv_group_row", setup_spmv});
