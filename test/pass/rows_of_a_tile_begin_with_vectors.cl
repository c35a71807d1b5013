// Rows of a local variable whose length is no multiple of a vector are made longer, if all accesses stay in their rows: those
// of 33 floats take 192 bytes, with AVX2 160. The column that most accesses begin with is where a vector is: of `halo` column 1.
// RUN: %weirc %s --kernel columns --local 32 --cpu x86-64-v4 --stop-after row-pitch | FileCheck %s --check-prefix=WIDE
// RUN: %weirc %s --kernel columns --local 32 --cpu x86-64-v3 --stop-after row-pitch | FileCheck %s --check-prefix=HALF
// WIDE: getelementptr inbounds nuw [192 x i8]
// WIDE-NOT: [33 x float],
// HALF: getelementptr inbounds nuw [160 x i8]
// RUN: %weirc %s --kernel halo --local 16,16 --cpu x86-64-v4 --stop-after row-pitch | FileCheck %s --check-prefix=HALO
// HALO: getelementptr inbounds i8, ptr %{{.*}}, i64 1404
// HALO: [128 x i8]
// Left alone: an index that may lead on to the next row, one that nobody knows, a tile that is filled as a whole, as many
// accesses down columns, a local argument beside it, any local size.
// RUN: %weirc %s --kernel flat --local 32 --cpu x86-64-v4 --stop-after row-pitch | FileCheck %s --check-prefix=LEFT
// RUN: %weirc %s --kernel unknown --local 32 --cpu x86-64-v4 --stop-after row-pitch | FileCheck %s --check-prefix=LEFT
// RUN: %weirc %s --kernel whole --local 32 --cpu x86-64-v4 --stop-after row-pitch | FileCheck %s --check-prefix=LEFT
// RUN: %weirc %s --kernel down --local 32 --cpu x86-64-v4 --stop-after row-pitch | FileCheck %s --check-prefix=LEFT
// RUN: %weirc %s --kernel beside --local 32 --cpu x86-64-v4 --stop-after row-pitch | FileCheck %s --check-prefix=LEFT
// RUN: %weirc %s --kernel columns --cpu x86-64-v4 --stop-after row-pitch | FileCheck %s --check-prefix=LEFT
// LEFT-NOT: x i8], ptr addrspace(3)
kernel void columns(global float *a) {
    local float s[32][33];
    int l = get_local_id(0);
    for (int r = 0; r < 32; r++)
        s[r][l] = a[r * 32 + l];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 31; k >= 1; k--) {
        float x = s[l][k];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int r = 0; r < k; r++)
            s[r][l] -= s[r][k] * x;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (int r = 0; r < 32; r++)
        a[r * 32 + l] = s[r][l];
}
kernel void halo(global float *a) {
    local float s[18][18];
    int x = get_local_id(0), y = get_local_id(1), i = y * 16 + x;
    s[y + 1][x + 1] = a[i];
    if (x < 1)
        s[y + 1][x] = s[y + 1][17 - x] = 0;
    if (y < 1)
        s[y][x + 1] = s[17 - y][x + 1] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    a[i] = s[y + 1][x] + s[y + 1][x + 2] + s[y][x + 1] + s[y + 2][x + 1] - 4 * s[y + 1][x + 1];
}
kernel void flat(global float *a) {
    local float s[32][33];
    int l = get_local_id(0);
    for (int i = l; i < 32 * 33; i += 32)
        s[0][i] = a[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int r = 0; r < 32; r++)
        a[r * 32 + l] = s[r][31 - l] + s[r][l];
}
kernel void unknown(global float *a, int n) {
    local float s[32][33];
    int l = get_local_id(0);
    for (int r = 0; r < 32; r++)
        s[r][l + n] = a[r * 32 + l];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int r = 0; r < 32; r++)
        a[r * 32 + l] = s[31 - r][l];
}
kernel void whole(global float *a) {
    local float s[32][33];
    uint l = get_local_id(0);
    for (uint i = l; i < 32 * 33; i += 32)
        s[i / 33][i % 33] = a[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int r = 0; r < 32; r++)
        a[r * 32 + l] = s[31 - r][l];
}
kernel void down(global float *a) {
    local float s[32][33];
    int l = get_local_id(0);
    for (int r = 0; r < 32; r++)
        s[r][l] = a[r * 32 + l];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int r = 0; r < 32; r++)
        a[r * 32 + l] = s[l][r];
}
kernel void beside(global float *a, local float *b) {
    local float s[32][33];
    int l = get_local_id(0);
    b[l] = a[l];
    for (int r = 0; r < 32; r++)
        s[r][l] = a[r * 32 + l];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int r = 0; r < 32; r++)
        a[r * 32 + l] = s[31 - r][l] + b[31 - l];
}
