// grid.cl: neighbourhoods: stencils with halos in local memory, convolution, median filter, alignment.

#define T 16

// The grid has a border of one cell, which is only read.
kernel void stencil2d(global const float *in, global float *out, uint pitch) {
    local float s[T + 2][T + 2];
    uint x = get_local_id(0), y = get_local_id(1), l = y * T + x;
    uint base = get_group_id(1) * T * pitch + get_group_id(0) * T;
    for (uint i = l; i < (T + 2) * (T + 2); i += T * T)
        s[i / (T + 2)][i % (T + 2)] = in[base + i / (T + 2) * pitch + i % (T + 2)];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[base + (y + 1) * pitch + x + 1] =
        0.5f * s[y + 1][x + 1] + 0.125f * (s[y][x + 1] + s[y + 2][x + 1] + s[y + 1][x] + s[y + 1][x + 2]);
}

#define TX 16
#define TY 4
#define TZ 4
kernel void stencil3d(global const float *in, global float *out, uint pitch, uint plane) {
    local float s[TZ + 2][TY + 2][TX + 2];
    uint x = get_local_id(0), y = get_local_id(1), z = get_local_id(2), l = (z * TY + y) * TX + x;
    uint base = get_group_id(2) * TZ * plane + get_group_id(1) * TY * pitch + get_group_id(0) * TX;
    for (uint i = l; i < (TX + 2) * (TY + 2) * (TZ + 2); i += TX * TY * TZ) {
        uint sx = i % (TX + 2), sy = i / (TX + 2) % (TY + 2), sz = i / ((TX + 2) * (TY + 2));
        s[sz][sy][sx] = in[base + sz * plane + sy * pitch + sx];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    float sides = s[z][y + 1][x + 1] + s[z + 2][y + 1][x + 1] + s[z + 1][y][x + 1] + s[z + 1][y + 2][x + 1] +
                  s[z + 1][y + 1][x] + s[z + 1][y + 1][x + 2];
    out[base + (z + 1) * plane + (y + 1) * pitch + x + 1] = 0.4f * s[z + 1][y + 1][x + 1] + 0.1f * sides;
}

#define R 3
kernel void convolution(global const float *in, global float *out, constant float *weights, uint pitch) {
    local float s[T + 2 * R][T + 2 * R];
    uint x = get_local_id(0), y = get_local_id(1), width = T + 2 * R;
    uint base = get_group_id(1) * T * pitch + get_group_id(0) * T;
    for (uint i = y * T + x; i < width * width; i += T * T)
        s[i / width][i % width] = in[base + i / width * pitch + i % width];
    barrier(CLK_LOCAL_MEM_FENCE);
    float sum = 0;
    for (uint i = 0; i <= 2 * R; i++)
        for (uint j = 0; j <= 2 * R; j++)
            sum += weights[i * (2 * R + 1) + j] * s[y + i][x + j];
    out[base + (y + R) * pitch + x + R] = sum;
}

#define SORT(a, b)                                                                                           \
    {                                                                                                        \
        uint t = min(a, b);                                                                                  \
        b = max(a, b);                                                                                       \
        a = t;                                                                                               \
    }
// The median of nine pixels; a border of one is only read. Each work-item has one pixel of four channels.
kernel void median(global const uchar4 *in, global uint *out, uint pitch) {
    uint x = get_global_id(0), y = get_global_id(1), result = 0;
    uchar4 p[9];
    for (uint i = 0; i < 9; i++)
        p[i] = in[(y + i / 3) * pitch + x + i % 3];
    for (uint c = 0; c < 4; c++) {
        uint v[9];
        for (uint i = 0; i < 9; i++)
            v[i] = c == 0 ? p[i].x : c == 1 ? p[i].y : c == 2 ? p[i].z : p[i].w;
        for (uint i = 0; i < 9; i += 3) {
            SORT(v[i], v[i + 1]);
            SORT(v[i + 1], v[i + 2]);
            SORT(v[i], v[i + 1]);
        }
        uint low = max(max(v[0], v[3]), v[6]), high = min(min(v[2], v[5]), v[8]);
        SORT(v[1], v[4]);
        SORT(v[4], v[7]);
        SORT(v[1], v[4]);
        uint middle = v[4];
        SORT(low, middle);
        SORT(middle, high);
        SORT(low, middle);
        result |= middle << (8 * c);
    }
    out[y * get_global_size(0) + x] = result;
}

// The longest common subsequence of two strings, by antidiagonals: a work-item owns a column.
#define LENGTH 256
kernel void wavefront(global const uint *a, global const uint *b, global uint *out) {
    local uint diagonals[3][LENGTH + 1], row[LENGTH];
    uint l = get_local_id(0), base = get_group_id(0) * LENGTH, mine = b[base + l];
    row[l] = a[base + l];
    for (uint i = 0; i < 3; i++) {
        diagonals[i][l + 1] = 0;
        if (l == 0)
            diagonals[i][0] = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint d = 0; d < 2 * LENGTH - 1; d++) {
        local uint *now = diagonals[d % 3], *last = diagonals[(d + 2) % 3], *before = diagonals[(d + 1) % 3];
        if (l <= d && d - l < LENGTH)
            now[l + 1] = row[d - l] == mine ? before[l] + 1 : max(last[l], last[l + 1]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0)
        out[get_group_id(0)] = diagonals[(2 * LENGTH - 2) % 3][LENGTH];
}
