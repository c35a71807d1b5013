// matrix.cl: dense and sparse linear algebra. Matrices are square, by rows.

#define T 16

kernel void matmul(global const float *a, global const float *b, global float *c, uint n) {
    local float ta[T][T], tb[T][T];
    uint x = get_local_id(0), y = get_local_id(1), col = get_global_id(0), row = get_global_id(1);
    float sum = 0;
    for (uint k = 0; k < n; k += T) {
        ta[y][x] = a[row * n + k + x];
        tb[y][x] = b[(k + y) * n + col];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint i = 0; i < T; i++)
            sum += ta[y][i] * tb[i][x];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[row * n + col] = sum;
}

// R x R results of each of 16 x 16 work-items; they load the tiles together.
#define BLOCKED(R)                                                                                           \
    kernel void matmul_##R(global const float *a, global const float *b, global float *c, uint n) {          \
        local float ta[T][T * R], tb[T][T * R];                                                              \
        uint x = get_local_id(0), y = get_local_id(1);                                                       \
        uint row0 = get_group_id(1) * T * R, col0 = get_group_id(0) * T * R;                                 \
        float sum[R][R];                                                                                     \
        for (uint i = 0; i < R; i++)                                                                         \
            for (uint j = 0; j < R; j++)                                                                     \
                sum[i][j] = 0;                                                                               \
        for (uint k = 0; k < n; k += T) {                                                                    \
            for (uint i = 0; i < R; i++) {                                                                   \
                ta[x][i * T + y] = a[(row0 + i * T + y) * n + k + x];                                        \
                tb[y][i * T + x] = b[(k + y) * n + col0 + i * T + x];                                        \
            }                                                                                                \
            barrier(CLK_LOCAL_MEM_FENCE);                                                                    \
            for (uint q = 0; q < T; q++)                                                                     \
                for (uint i = 0; i < R; i++)                                                                 \
                    for (uint j = 0; j < R; j++)                                                             \
                        sum[i][j] += ta[q][i * T + y] * tb[q][j * T + x];                                    \
            barrier(CLK_LOCAL_MEM_FENCE);                                                                    \
        }                                                                                                    \
        for (uint i = 0; i < R; i++)                                                                         \
            for (uint j = 0; j < R; j++)                                                                     \
                c[(row0 + i * T + y) * n + col0 + j * T + x] = sum[i][j];                                    \
    }
BLOCKED(4)
BLOCKED(8)

// 4 x 4 adjacent results of each of 16 x 16 work-items, whose elements of the tiles are adjacent, too, as in most kernels for GPUs.
kernel void matmul_adjacent(global const float *a, global const float *b, global float *c, uint n) {
    local float ta[T][T * 4 + 4], tb[T][T * 4];
    uint x = get_local_id(0), y = get_local_id(1);
    uint row0 = get_group_id(1) * T * 4, col0 = get_group_id(0) * T * 4;
    float sum[4][4] = {{0}};
    for (uint k = 0; k < n; k += T) {
        for (uint i = 0; i < 4; i++) {
            ta[x][i * T + y] = a[(row0 + i * T + y) * n + k + x];
            tb[y][i * T + x] = b[(k + y) * n + col0 + i * T + x];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint q = 0; q < T; q++)
            for (uint i = 0; i < 4; i++)
                for (uint j = 0; j < 4; j++)
                    sum[i][j] += ta[q][y * 4 + i] * tb[q][x * 4 + j];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (uint i = 0; i < 4; i++)
        for (uint j = 0; j < 4; j++)
            c[(row0 + y * 4 + i) * n + col0 + x * 4 + j] = sum[i][j];
}

kernel void transpose(global const float *in, global float *out, uint n) {
    local float tile[T][T + 1];
    uint x = get_local_id(0), y = get_local_id(1), gx = get_group_id(0) * T, gy = get_group_id(1) * T;
    tile[y][x] = in[(gy + y) * n + gx + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[(gx + y) * n + gy + x] = tile[x][y];
}

// Each work-item turns 16 elements of a column into a part of a row.
kernel void transpose_each(global const float *in, global float *out, int n) {
    size_t x = get_global_id(0), y = get_global_id(1) * 16;
    float v[16];
    for (int i = 0; i < 16; i++)
        v[i] = in[(y + i) * n + x];
    for (int i = 0; i < 16; i++)
        out[x * n + y + i] = v[i];
}

// A matrix by a vector: each work-item walks along a row of its own, and adds up in memory.
kernel void row_products(global float *a, global float *x, global float *y, int n) {
    int i = get_global_id(0);
    y[i] = 0;
    for (int j = 0; j < n; j++)
        y[i] += a[i * n + j] * x[j];
}

// Each work-group factors its own N x N matrix; a work-item owns a row, then a column.
#define N 32
kernel void lu(global const float *in, global float *out) {
    local float a[N][N];
    uint l = get_local_id(0), base = get_group_id(0) * N * N;
    for (uint i = 0; i < N; i++)
        a[i][l] = in[base + i * N + l];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = 0; k < N - 1; k++) {
        if (l > k)
            a[l][k] /= a[k][k];
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l > k)
            for (uint i = k + 1; i < N; i++)
                a[i][l] -= a[i][k] * a[k][l];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (uint i = 0; i < N; i++)
        out[base + i * N + l] = a[i][l];
}

// A work-group for each row of a matrix in compressed rows.
kernel void spmv(global const uint *starts, global const uint *columns, global const float *values,
                 global const float *x, global float *y, local float *sums) {
    uint l = get_local_id(0), n = get_local_size(0), row = get_group_id(0);
    float sum = 0;
    for (uint i = starts[row] + l; i < starts[row + 1]; i += n)
        sum += values[i] * x[columns[i]];
    sums[l] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint step = n / 2; step; step /= 2) {
        if (l < step)
            sums[l] += sums[l + step];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0)
        y[row] = sums[0];
}

/* A strip of 16 rows and 64 columns: each work-item has 16 sums of one column, across the barriers, and all multiply by the
 * same tile, which is turned when it is filled. */
kernel void matmul_strip(global const float *a, global const float *b, global float *c, uint n) {
    local float tile[16][17];
    uint x = get_local_id(0), y = get_local_id(1), row = get_group_id(1) * 16;
    uint column = get_group_id(0) * 64 + y * 16 + x;
    float sums[16];
    for (uint j = 0; j < 16; j++)
        sums[j] = 0;
    for (uint k = 0; k < n; k += 16) {
        for (uint j = 0; j < 16; j += 4)
            tile[x][y + j] = a[(row + y + j) * n + k + x];
        barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
        for (uint i = 0; i < 16; i++) {
            float v = b[(k + i) * n + column];
            for (uint j = 0; j < 16; j++)
                sums[j] += v * tile[i][j];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (uint j = 0; j < 16; j++)
        c[(row + j) * n + column] = sums[j];
}

#ifdef __opencl_c_integer_dot_product_input_4x8bit
#define DOT(a, b) dot(a, b)
#else
#define DOT(a, b) ((int)(a).x * (b).x + (int)(a).y * (b).y + (int)(a).z * (b).z + (int)(a).w * (b).w)
#endif

// Of bytes, as neural networks have them: each work-item has the results of 8 rows, and four elements of a column of b are one
// vector.
kernel void matmul_bytes(global const char4 *a, global const char4 *b, global int *c, uint n) {
    uint col = get_global_id(0), row = get_global_id(1) * 8;
    int sum[8] = {0};
    for (uint k = 0; k < n / 4; k++) {
        char4 of_b = b[k * n + col];
        for (uint i = 0; i < 8; i++)
            sum[i] += DOT(a[(row + i) * (n / 4) + k], of_b);
    }
    for (uint i = 0; i < 8; i++)
        c[(row + i) * n + col] = sum[i];
}
