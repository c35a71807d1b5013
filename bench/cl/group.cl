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

// 512 points of each work-group, 64 work-items, radix 8, self-sorting. Local memory has an element of padding after each eight;
// `twiddles` has e^(-2 pi i r k / 64) at r * 8 + k, and e^(-2 pi i r k / 512) at 64 + r * 64 + k.
static void fft8(float2 *v) {
    const float diagonal = 0.70710678118654752f;
    float2 s[4], d[4];
    for (int k = 0; k < 4; k++)
        s[k] = v[k] + v[k + 4], d[k] = v[k] - v[k + 4];
    d[1] = diagonal * (float2)(d[1].x + d[1].y, d[1].y - d[1].x);
    d[2] = (float2)(d[2].y, -d[2].x);
    d[3] = diagonal * (float2)(d[3].y - d[3].x, -d[3].x - d[3].y);
    for (int odd = 0; odd < 2; odd++) {
        float2 *a = odd ? d : s;
        float2 t0 = a[0] + a[2], t1 = a[0] - a[2], t2 = a[1] + a[3], t = a[1] - a[3];
        float2 t3 = (float2)(t.y, -t.x);
        v[odd] = t0 + t2, v[odd + 2] = t1 + t3, v[odd + 4] = t0 - t2, v[odd + 6] = t1 - t3;
    }
}

static float2 times(float2 a, float2 b) {
    return (float2)(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

kernel void fft_radix8(global const float2 *in, global float2 *out, constant float2 *twiddles) {
    local float re[576], im[576];
    uint l = get_local_id(0), base = get_group_id(0) * 512;
    float2 v[8];
    for (uint r = 0; r < 8; r++)
        v[r] = in[base + l + 64 * r];
    fft8(v);
    for (uint r = 0; r < 8; r++)
        re[9 * l + r] = v[r].x, im[9 * l + r] = v[r].y;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint r = 0; r < 8; r++) {
        v[r] = (float2)(re[l / 8 * 9 + l % 8 + 72 * r], im[l / 8 * 9 + l % 8 + 72 * r]);
        v[r] = r ? times(v[r], twiddles[r * 8 + l % 8]) : v[r];
    }
    fft8(v);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint r = 0; r < 8; r++)
        re[l / 8 * 72 + l % 8 + 9 * r] = v[r].x, im[l / 8 * 72 + l % 8 + 9 * r] = v[r].y;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint r = 0; r < 8; r++) {
        v[r] = (float2)(re[l / 8 * 9 + l % 8 + 72 * r], im[l / 8 * 9 + l % 8 + 72 * r]);
        v[r] = r ? times(v[r], twiddles[64 + r * 64 + l]) : v[r];
    }
    fft8(v);
    for (uint r = 0; r < 8; r++)
        out[base + l + 64 * r] = v[r];
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
