// Rows of one pack leave loops at different times, pass branches by their number, and have nothing to do: what they read would
// lie outside of all buffers.
// global: 24,32
// local: 8,8 4,4 2,16 8,4 4,16 24,2 8,2 2,2
// kernel: k
// arg: int out[768]
// arg: int in[800] = i * 5 % 613
// arg: int height = 27
// arg: int starts[32] = i < 27 ? i * 23 : 2000000000
// reference: r
int walk(global const int *in, global const int *starts, int x, int y, int height) {
    int sum = 0, at = y, steps = 0;
    if (y < height && x != 3) {
        int start = starts[y]; // one number for a row, which no row that is off may go by
        sum = in[start + x % 8] + in[start];
        for (int i = 0; i < y % 5; i++) { // as often as the row says
            sum += in[start + i] * (x + 1);
            at += in[start + i] % 7;
            steps++;
        }
        sum += in[at] + steps;
        if (y & 1)
            at = start / 2 + y;
        else if (x > 5)
            at = start / 3;
        sum += in[at] * 3;
        for (int i = x; i < y; i += 4) // as often as row and column say
            sum += in[start] - i;
    }
    return sum;
}
kernel void k(global int *out, global const int *in, int height, global const int *starts) {
    int x = get_global_id(0), y = get_global_id(1);
    out[y * 24 + x] = walk(in, starts, x, y, height);
}
kernel void r(global int *out, global const int *in, int height, global const int *starts) {
    for (int y = 0; y < 32; y++)
        for (int x = 0; x < 24; x++)
            out[y * 24 + x] = walk(in, starts, x, y, height);
}
