// A product of tiles, of which registers hold a part: the loop over packs stays, and reads tiles from memory. Where they fit, all
// packs' sums are computed together.
// RUN: test $(%weirc %s --local 16,16 --width 16 --cpu x86-64-v3 --emit asm -o - | grep -c vfmadd) -lt 64
// RUN: test $(%weirc %s --local 16,16 --width 16 --cpu x86-64-v4 --emit asm -o - | grep -c vfmadd) -ge 256
kernel void k(global const float *a, global const float *b, global float *c, int n) {
    local float s[16][16], t[16][16];
    int x = get_local_id(0), y = get_local_id(1), gx = get_global_id(0), gy = get_global_id(1);
    float sum = 0;
    for (int k = 0; k < n; k += 16) {
        s[y][x] = a[gy * n + k + x];
        t[y][x] = b[(k + y) * n + gx];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int i = 0; i < 16; i++)
            sum += s[y][i] * t[i][x];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[gy * n + gx] = sum;
}
