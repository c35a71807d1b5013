// Two vectors per value pay also where not all of them fit in the registers: what a loop only reads is read from memory then. Two rows
// that fill a vector each are one pack where their work-items wait for a root in each round.
// RUN: %weirc %s --kernel median --local 32,4 --cpu x86-64-v3 --report text | FileCheck %s --check-prefix=WIDE
// RUN: %weirc %s --kernel potential --local 16,8 --cpu x86-64-v4 --report text | FileCheck %s --check-prefix=ROWS
// WIDE: 16: about
// ROWS: 32: 2 rows of 16 work-items
kernel void median(global const uchar *in, global uchar *out, int w) {
    local uchar s[8][36];
    int lx = get_local_id(0), ly = get_local_id(1), x = get_group_id(0) * 32, y = get_group_id(1) * 4, m = 0;
    for (int j = ly; j < 8; j += 4)
        for (int i = lx; i < 36; i += 32)
            s[j][i] = in[(y + j) * w + x + i];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int b = 7; b >= 0; b--) {
        int less = 0, next = m | (1 << b);
        for (int j = 0; j < 5; j++)
            for (int i = 0; i < 5; i++)
                less += s[ly + j][lx + i] < next;
        m = less <= 12 ? next : m;
    }
    out[(y + ly) * w + x + lx] = m;
}
kernel void potential(global const float4 *atoms, global float *out, int n) {
    local float4 s[128];
    int t = get_local_id(1) * 16 + get_local_id(0);
    float x = get_global_id(0) * 0.5f, y = get_global_id(1) * 0.5f, sum = 0;
    for (int b = 0; b < n; b += 128) {
        s[t] = atoms[b + t];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int i = 0; i < 128; i++) {
            float dx = x - s[i].x, dy = y - s[i].y, r2 = dx * dx + dy * dy + s[i].z * s[i].z;
            if (r2 < 144.0f) {
                float q = 1 - r2 * (1 / 144.0f);
                sum += s[i].w * rsqrt(r2) * q * q;
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(1) * 64 + get_global_id(0)] = sum;
}
