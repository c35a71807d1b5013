// A product of matrices of bytes: what the row's work-items share, and what each one has.
// global: 64,6
// arg: int out[384]
// expect: out = 64 * ((i / 64 - 3) * 2 + (i % 64 - 30) * 3 - (i / 64) * (i % 64) + 1)
kernel void k(global int *out) {
    int x = get_global_id(0), y = get_global_id(1), s = 0;
    for (int i = 0; i < 64; i++) {
        char4 row = (char4)(y - 3, 3, -y, (i & 1) * 2), column = (char4)(2, x - 30, x, 1);
        s += dot(row, column);
    }
    out[y * 64 + x] = s;
}
