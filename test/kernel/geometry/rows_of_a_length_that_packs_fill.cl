// Ids divided by, masked and flipped by numbers of the launch that are multiples of packs: a length as int, uint and ulong, a step.
// global: 1024
// local: 1024 256 512 64 16
// arg: int width = 128
// arg: uint step = 256
// arg: ulong most = 512
// arg: int rows[1024]
// arg: int columns[1024]
// arg: uint partners[1024]
// arg: int under[1024]
// arg: ulong far[1024]
// expect: rows = i / 128
// expect: columns = 127 - i % 128 + 128 * (i / 128)
// expect: partners = i % 512 < 256 ? i + 256 : 0
// expect: under = (i % 128 ? i - 1 : 0) + (i >= 128 ? 1000 * (i - 128) : 0)
// expect: far = (i / 512) * 1000 + i % 512 + 5 * (i % 256)
kernel void k(int width, uint step, ulong most, global int *rows, global int *columns, global uint *partners, global int *under,
              global ulong *far) {
    int g = get_global_id(0), x = g % width, y = g / width;
    rows[y * width + x] = y;
    columns[y * width + width - 1 - x] = x + width * y;
    uint p = g ^ step;
    partners[g] = p > g ? p : 0;
    under[g] = (x ? g - 1 : 0) + (y > 0 ? 1000 * ((y - 1) * width + x) : 0);
    size_t i = get_global_id(0);
    far[i / most * most + i % most] = i / most * 1000 + i % most + 5 * (i & (step - 1));
}
