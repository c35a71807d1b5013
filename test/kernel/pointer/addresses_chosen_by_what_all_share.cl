// global: 32,2
// local: 16,2
// arg: int in[64] = i * 7 % 61
// arg: int out[128] = -1
// arg: int way = 1
// expect: out = i < 64 ? (i % 32 * 2 + i / 32) * 7 % 61 + (i / 2 + i % 2 * 32) * 7 % 61 * 1000 : i < 128 && i % 2 == 0 ? (i - 64) / 2 : -1
kernel void k(global const int *in, global int *out, int way) {
    int x = get_global_id(0), y = get_global_id(1), i = y * 32 + x, turned = x * 2 + y;
    int a = in[way ? turned : i], b = in[way ? i / 2 + i % 2 * 32 : turned];
    out[way ? i : turned] = a + 1000 * b;
    if (y == 0)
        out[way ? 64 + 2 * x : 64 + x] = way ? x + in[0] : in[1];
}
