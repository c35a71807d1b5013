// Two or four adjacent elements of each work-item are read and written together, in a row or where an index from memory says, as they are
// or extended; in local memory too, by work-items of which few have anything to do.
// global: 512
// local: 64 16 8 128 512 2
// arg: int in[1024] = 5 * i
// arg: uchar bytes[2048] = i % 253
// arg: short shorts[1024] = 300 - 7 * (i % 99)
// arg: uint list[512] = i * 5 % 512
// arg: uint n = 460
// arg: int out[1024] = 0
// arg: uchar turned[2048] = 0
// arg: int extended[2048] = 0
// arg: int sums[512]
// arg: int chosen[1024]
// arg: int scanned[1024]
// arg: local s[8 * L]
// expect: out = i / 2 < 460 ? (i % 2 ? 5 * (i - 1) : 5 * (i + 1)) : 0
// expect: turned = i / 4 < 460 ? 255 - (i / 4 * 4 + 3 - i % 4) % 253 : 0
// expect: extended = i / 4 < 460 ? 1000 + i % 253 : 0
// expect: sums = (300 - 7 * (2 * i % 99)) * (300 - 7 * ((2 * i + 1) % 99))
// expect: chosen = 5 * (2 * (i / 2 * 5 % 512) + 1 - i % 2)
// expect: scanned = 5 * (i - i / 2 / L * L * 2) * (i - i / 2 / L * L * 2 + 1) / 2 + 10 * (i / 2 / L * L) * (i - i / 2 / L * L * 2 + 1)
kernel void k(global const int *in, global const uchar *bytes, global const short *shorts, global const uint *list,
              uint n, global int *out, global uchar *turned, global int *extended, global int *sums,
              global int *chosen, global int *scanned, local int *s) {
    uint i = get_global_id(0), l = get_local_id(0), size = 2 * (uint)get_local_size(0), step = 1;
    if (i < n) {
        int x = in[2 * i], y = in[2 * i + 1];
        out[2 * i] = y;
        out[2 * i + 1] = x;
        uchar a = bytes[4 * i], b = bytes[4 * i + 1], c = bytes[4 * i + 2], d = bytes[4 * i + 3];
        turned[4 * i] = 255 - d;
        turned[4 * i + 1] = 255 - c;
        turned[4 * i + 2] = 255 - b;
        turned[4 * i + 3] = 255 - a;
        uchar4 p = vload4(i, bytes);
        extended[4 * i] = 1000 + p.x;
        extended[4 * i + 1] = 1000 + p.y;
        extended[4 * i + 2] = 1000 + p.z;
        extended[4 * i + 3] = 1000 + p.w;
    }
    sums[i] = shorts[2 * i] * shorts[2 * i + 1];
    chosen[2 * i] = in[2 * list[i] + 1];
    chosen[2 * i + 1] = in[2 * list[i]];
    s[2 * l] = in[2 * i];
    s[2 * l + 1] = in[2 * i + 1];
    for (uint d = size / 2; d; d /= 2, step *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < d)
            s[step * (2 * l + 2) - 1] += s[step * (2 * l + 1) - 1];
    }
    for (uint d = 2; d < size; d *= 2) {
        step = size / (2 * d);
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < d - 1)
            s[step * (2 * l + 3) - 1] += s[step * (2 * l + 2) - 1];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    scanned[2 * i] = s[2 * l];
    scanned[2 * i + 1] = s[2 * l + 1];
}
