/* 05: a stencil with a halo: a work-group's tile in local memory is two elements wider than the group, one at each end. */
#include "learn.h"

enum { N = 1 << 16, LOCAL = 128, STEPS = 10 };
static const char source[] =
    "kernel void smooth(global const float *from, global float *to, local float *t) {\n"
    "    size_t i = get_global_id(0), l = get_local_id(0) + 1, n = get_global_size(0), last = "
    "get_local_size(0);\n"
    "    t[l] = from[i];\n"
    "    if (l == 1)\n"
    "        t[0] = i ? from[i - 1] : 0; /* the halo: neighbours' elements, zeros beyond the ends */\n"
    "    if (l == last)\n"
    "        t[last + 1] = i + 1 < n ? from[i + 1] : 0;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    to[i] = 0.25f * t[l - 1] + 0.5f * t[l] + 0.25f * t[l + 1];\n"
    "}\n";

int main(void) {
    static float x[2][N], result[N];
    int is_right = 1;
    for (int i = 0; i < N; i++)
        x[0][i] = (float)(i * 37 % 256);
    start();
    cl_kernel smooth = kernel_of(source, "", "smooth");
    cl_mem both[] = {buffer_of(sizeof x[0], x[0]), buffer_of(sizeof x[1], NULL)};
    argument(smooth, 2, (LOCAL + 2) * sizeof(float), NULL);
    for (int step = 0; step < STEPS; step++) {
        argument(smooth, 0, sizeof(cl_mem),
                 &both[step % 2]); /* arguments are taken when a launch is enqueued */
        argument(smooth, 1, sizeof(cl_mem), &both[(step + 1) % 2]);
        launch(smooth, N, LOCAL);
        for (int i = 0; i < N; i++) {
            float left = i ? x[step % 2][i - 1] : 0, right = i + 1 < N ? x[step % 2][i + 1] : 0;
            x[(step + 1) % 2][i] = 0.25f * left + 0.5f * x[step % 2][i] + 0.25f * right;
        }
    }
    read_back(both[STEPS % 2], sizeof result, result);
    for (int i = 0; i < N; i++)
        is_right &= result[i] - x[STEPS % 2][i] < 1e-3f && x[STEPS % 2][i] - result[i] < 1e-3f;
    return verdict("stencil", is_right);
}
