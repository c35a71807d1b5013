// bench.cl: what `weir bench` runs. Each kernel is bound by one limit of the machine.

#define GROUP 256

// x[i] is a number from 0 to 1 that depends on i, the same for each implementation.
kernel void fill(global float *x) {
    size_t i = get_global_id(0);
    x[i] = (float)(i * 7 & 1023) * (1.0f / 1024);
}

kernel void copy(global const float4 *x, global float4 *out) {
    size_t i = get_global_id(0);
    out[i] = x[i];
}

kernel void saxpy(global const float *x, global const float *y, global float *out) {
    size_t i = get_global_id(0);
    out[i] = 2.5f * x[i] + y[i];
}

// The sums of work-groups, by a tree.
kernel void reduce(global const float *x, global float *out) {
    local float s[GROUP];
    size_t l = get_local_id(0), base = get_group_id(0) * GROUP * 16;
    float sum = 0;
    for (int i = 0; i < 16; i++)
        sum += x[base + i * GROUP + l];
    s[l] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int step = GROUP / 2; step > 0; step /= 2) {
        if (l < step)
            s[l] += s[l + step];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0)
        out[get_group_id(0)] = s[0];
}

// Five points, with a halo in local memory. The grid has a border of one cell, which isn't written.
#define T 16
kernel void stencil(global const float *x, global float *out, uint pitch) {
    local float s[T + 2][T + 2];
    uint lx = get_local_id(0), ly = get_local_id(1);
    uint base = get_group_id(1) * T * pitch + get_group_id(0) * T;
    for (uint i = ly * T + lx; i < (T + 2) * (T + 2); i += T * T)
        s[i / (T + 2)][i % (T + 2)] = x[base + i / (T + 2) * pitch + i % (T + 2)];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[base + (ly + 1) * pitch + lx + 1] =
        0.5f * s[ly + 1][lx + 1] + 0.125f * (s[ly][lx + 1] + s[ly + 2][lx + 1] + s[ly + 1][lx] + s[ly + 1][lx + 2]);
}

// Eight chains of fused multiply-adds, which go to 1.
kernel void arithmetic(global float *out, uint rounds) {
    float8 x = (float8)(0.1f, 0.2f, 0.3f, 0.4f, 0.5f, 0.6f, 0.7f, 0.8f);
    for (uint i = 0; i < rounds; i++)
        x = fma(x, (float8)(0.999f), (float8)(0.001f));
    out[get_global_id(0)] = (x.s0 + x.s1 + x.s2 + x.s3 + x.s4 + x.s5 + x.s6 + x.s7) / 8;
}

// A product of matrices by tiles in local memory; a work-item has 8 elements of a column.
#define B 64
#define D 16
#define E 8
kernel void product(global const float *a, global const float *b, global float *c, uint n) {
    local float sa[D][B], sb[D][B];
    uint x = get_local_id(0), y = get_local_id(1), l = y * B + x;
    uint row = get_group_id(1) * B, column = get_group_id(0) * B;
    float sum[E] = {0};
    for (uint k = 0; k < n; k += D) {
        for (uint i = l; i < D * B; i += B * B / E) {
            sa[i % D][i / D] = a[(row + i / D) * n + k + i % D];
            sb[i / B][i % B] = b[(k + i / B) * n + column + i % B];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint d = 0; d < D; d++)
            for (uint e = 0; e < E; e++)
                sum[e] += sa[d][y * E + e] * sb[d][x];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (uint e = 0; e < E; e++)
        c[(row + y * E + e) * n + column + x] = sum[e];
}

// Each work-item passes its number to its neighbour, across two barriers.
kernel void exchange(global uint *out, uint rounds) {
    local uint s[GROUP];
    uint l = get_local_id(0), right = (l + 1) % GROUP, x = get_global_id(0);
    for (uint i = 0; i < rounds; i++) {
        s[l] = x;
        barrier(CLK_LOCAL_MEM_FENCE);
        x = x * 3 + s[right];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = x;
}
