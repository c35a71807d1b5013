// The same from ids that begin with any number: packs don't lie within rows then.
// global: 512
// offset: 1003
// local: 512 256 64 16
// arg: int width = 128
// arg: uint step = 32
// arg: int rows[512]
// arg: int columns[512]
// arg: uint partners[512]
// expect: rows = (i + 1003) / 128
// expect: columns = (i + 1003) % 128
// expect: partners = (i + 1003) / 32 % 2 ? 0 : (i + 1003 + 32)
kernel void k(int width, uint step, global int *rows, global int *columns, global uint *partners) {
    int g = get_global_id(0);
    rows[g - 1003] = g / width;
    columns[g - 1003] = g % width;
    uint p = g ^ step;
    partners[g - 1003] = p > g ? p : 0;
}
