// Packs of several rows read and write a matrix whose stride only the run tells, up, down and backwards, and what is the same
// for a row, for a column, or for all.
// global: 32,48
// local: 8,8 4,4 2,16 8,2 4,12 16,2 8,6 16,16 2,2 32,3 1,16
// kernel: k
// arg: int out[2000]
// arg: int in[4000] = i * 7 % 1009
// arg: int stride = 40
// arg: int bytes[64] = i * 3
// reference: r
int value(global const int *in, global const int *bytes, int stride, int x, int y) {
    int sum = in[y * stride + x] - 3 * in[(y + 1) * stride + x + 1]; // contiguous in a row
    sum += in[(50 - y) * stride + x] - in[y * stride + 35 - x];      // rows downwards, lanes downwards
    sum += in[y] * bytes[x] + in[y * 3 + 5] * 11;                    // of the row, of the column
    sum += in[x * stride + y] + in[2 * x + y * stride];              // columns, every second one
    sum += in[bytes[y] + x] - in[bytes[x] + bytes[y]];               // rows that begin where memory says
    return sum;
}
kernel void k(global int *out, global const int *in, int stride, global const int *bytes) {
    int x = get_global_id(0), y = get_global_id(1);
    out[y * stride + x] = value(in, bytes, stride, x, y);
}
kernel void r(global int *out, global const int *in, int stride, global const int *bytes) {
    for (int y = 0; y < 48; y++)
        for (int x = 0; x < 32; x++)
            out[y * stride + x] = value(in, bytes, stride, x, y);
}
