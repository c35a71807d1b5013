/* 04: a matrix product in tiles: each work-group brings two tiles into local memory, and uses every element of them often. */
#include "learn.h"

enum { N = 256, TILE = 16 };
static const char source[] =
    "kernel void product(global const float *a, global const float *b, global float *c, int n) {\n"
    "    local float ta[TILE][TILE], tb[TILE][TILE];\n"
    "    int x = get_local_id(0), y = get_local_id(1), column = get_global_id(0), row = get_global_id(1);\n"
    "    float sum = 0;\n"
    "    for (int tile = 0; tile < n; tile += TILE) {\n"
    "        ta[y][x] = a[row * n + tile + x];\n"
    "        tb[y][x] = b[(tile + y) * n + column];\n"
    "        barrier(CLK_LOCAL_MEM_FENCE); /* the tiles are there */\n"
    "        for (int k = 0; k < TILE; k++)\n"
    "            sum += ta[y][k] * tb[k][x];\n"
    "        barrier(CLK_LOCAL_MEM_FENCE); /* nobody needs them any more */\n"
    "    }\n"
    "    c[row * n + column] = sum;\n"
    "}\n";

int main(void) {
    static float a[N][N], b[N][N], c[N][N];
    const size_t global[] = {N, N}, local[] = {TILE, TILE};
    const cl_int n = N;
    int is_right = 1;
    for (int i = 0; i < N * N; i++) {
        a[i / N][i % N] = (float)(i * 7 % 101) / 101;
        b[i / N][i % N] = (float)(i * 5 % 103) / 103;
    }
    start();
    cl_kernel product = kernel_of(source, "-DTILE=16", "product");
    cl_mem buffers[] = {buffer_of(sizeof a, a), buffer_of(sizeof b, b), buffer_of(sizeof c, NULL)};
    for (cl_uint i = 0; i < 3; i++)
        argument(product, i, sizeof buffers[i], &buffers[i]);
    argument(product, 3, sizeof n, &n);
    MUST(clEnqueueNDRangeKernel(queue, product, 2, NULL, global, local, 0, NULL, NULL));
    read_back(buffers[2], sizeof c, c);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            float sum = 0;
            for (int k = 0; k < N; k++)
                sum += a[i][k] * b[k][j];
            is_right &= c[i][j] - sum < 1e-2f && sum - c[i][j] < 1e-2f;
        }
    return verdict("matrix product", is_right);
}
