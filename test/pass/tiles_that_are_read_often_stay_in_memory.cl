// A product of tiles, of which registers hold a part: the loop over packs stays, and reads tiles from memory. Where they fit, all
// packs' sums are computed together.
// RUN: test $(%weirc %s --local 16,16 --width 16 --cpu x86-64-v3 --emit asm -o - | grep -c vfmadd) -lt 64
// RUN: test $(%weirc %s --local 16,16 --width 16 --cpu x86-64-v4 --emit asm -o - | grep -c vfmadd) -ge 256
// What lanes would read one by one, where a ring ends, doesn't count: neighbours are shuffled.
// RUN: test $(%weirc %s --kernel ring --local 256 --width 8 --cpu x86-64-v3 --emit asm -o - | grep -c vpalignr) -ge 64
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

kernel void ring(global int *a, int n) {
    local int s[256];
    int l = get_local_id(0), r = a[get_global_id(0)];
    for (int i = 0; i < n; i++) {
        s[l] = r;
        barrier(CLK_LOCAL_MEM_FENCE);
        r ^= s[(l + 1) & 255] + s[(l + 227) & 255];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    a[get_global_id(0)] = r;
}
