// Ids divided by the length of a row that only the launch knows: shorter than a pack, longer, much longer; from ids that
// don't begin at 0, that wrap around, and that are negative.
// global: 504
// local: 504 63
// arg: uint length[8] = {1, 3, 7, 16, 17, 64, 100, 4000000000}
// arg: uint rows[4032]
// arg: uint columns[4032]
// arg: int down[4032]
// arg: int left[4032]
// arg: ulong far[4032]
// arg: ulong near[4032]
// expect: rows = (i % 504) / (i / 504 == 0 ? 1 : i / 504 == 1 ? 3 : i / 504 == 2 ? 7 : i / 504 == 3 ? 16 : i / 504 == 4 ? 17 : i / 504 == 5 ? 64 : i / 504 == 6 ? 100 : 4000000000)
// expect: columns = (i % 504) % (i / 504 == 0 ? 1 : i / 504 == 1 ? 3 : i / 504 == 2 ? 7 : i / 504 == 3 ? 16 : i / 504 == 4 ? 17 : i / 504 == 5 ? 64 : i / 504 == 6 ? 100 : 4000000000)
// expect: down = 0
// expect: left = 0
// expect: far = 0
// expect: near = 0
static int errors(int x, int q, int r, int d) {
    return (long)q * d + r != x || (r < 0 ? -r : r) >= d || (r && (r < 0) != (x < 0));
}
kernel void k(global const uint *length, global uint *rows, global uint *columns, global int *down, global int *left,
              global ulong *far, global ulong *near) {
    uint g = get_global_id(0);
    for (uint n = 0; n < 8; n++) {
        uint at = n * 504 + g, by = length[n], high = g + 0xffffff00u;
        rows[at] = g / by;
        columns[at] = g % by;
        int d = (int)min(by, 1000u), x = (int)g - 250, y = (int)g + 0x7ffffe07;
        down[at] = errors(x, x / d, x % d, d);
        left[at] = errors(y, y / d, y % d, d);
        ulong z = g + 0xfffffff0ul, most = g * 3ul + 5;
        far[at] = (z / by) * by + z % by != z || z % by >= by;
        near[at] = (ulong)(high / by) * by + high % by != high || high % by >= by ||
                   most / by * by + most % by != most || most % by >= by;
    }
}
