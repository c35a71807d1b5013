// group.cl: whole work-groups at work: FFT, bodies, clusters.

// 1024 points of each work-group, 512 work-items, radix 2, self-sorting.
#define POINTS 1024
kernel void fft(global const float2 *in, global float2 *out) {
    local float2 s[2][POINTS];
    uint l = get_local_id(0), base = get_group_id(0) * POINTS, side = 0;
    s[0][l] = in[base + l];
    s[0][l + POINTS / 2] = in[base + l + POINTS / 2];
    for (uint n = 1; n < POINTS; n *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        uint k = l & (n - 1), to = 2 * (l - k) + k;
        float angle = -3.14159265358979f * (float)k / (float)n, c = cos(angle), d = sin(angle);
        float2 a = s[side][l], b = s[side][l + POINTS / 2];
        float2 t = (float2)(b.x * c - b.y * d, b.x * d + b.y * c);
        s[1 - side][to] = a + t;
        s[1 - side][to + n] = a - t;
        side = 1 - side;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[base + l] = s[side][l];
    out[base + l + POINTS / 2] = s[side][l + POINTS / 2];
}

kernel void nbody(global const float4 *bodies, global float4 *forces, local float4 *tile, uint n) {
    uint l = get_local_id(0), size = get_local_size(0);
    float4 me = bodies[get_global_id(0)];
    float fx = 0, fy = 0, fz = 0;
    for (uint start = 0; start < n; start += size) {
        tile[l] = bodies[start + l];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint i = 0; i < size; i++) {
            float dx = tile[i].x - me.x, dy = tile[i].y - me.y, dz = tile[i].z - me.z;
            float inverse = rsqrt(dx * dx + dy * dy + dz * dz + 0.01f);
            float scale = tile[i].w * inverse * inverse * inverse;
            fx += dx * scale;
            fy += dy * scale;
            fz += dz * scale;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    forces[get_global_id(0)] = (float4)(fx, fy, fz, 0);
}

// Assigns points to the nearest of 16 centres; sums and counts of each group's clusters, by local atomics.
#define CENTRES 16
#define DIMENSIONS 4
kernel void kmeans(global const uint *points, global const uint *centres, global uint *nearest,
                   global uint *sums, uint each) {
    local uint c[CENTRES * DIMENSIONS], total[CENTRES * (DIMENSIONS + 1)];
    uint l = get_local_id(0), n = get_local_size(0), group = get_group_id(0);
    for (uint i = l; i < CENTRES * DIMENSIONS; i += n)
        c[i] = centres[i];
    for (uint i = l; i < CENTRES * (DIMENSIONS + 1); i += n)
        total[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = 0; i < each; i++) {
        uint p = (group * each + i) * n + l, best = 0, least = 0xffffffff;
        for (uint k = 0; k < CENTRES; k++) {
            uint distance = 0;
            for (uint d = 0; d < DIMENSIONS; d++) {
                int delta = (int)points[p * DIMENSIONS + d] - (int)c[k * DIMENSIONS + d];
                distance += delta * delta;
            }
            if (distance < least) {
                least = distance;
                best = k;
            }
        }
        nearest[p] = best;
        for (uint d = 0; d < DIMENSIONS; d++)
            atomic_add(&total[best * (DIMENSIONS + 1) + d], points[p * DIMENSIONS + d]);
        atomic_inc(&total[best * (DIMENSIONS + 1) + DIMENSIONS]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = l; i < CENTRES * (DIMENSIONS + 1); i += n)
        sums[group * CENTRES * (DIMENSIONS + 1) + i] = total[i];
}
