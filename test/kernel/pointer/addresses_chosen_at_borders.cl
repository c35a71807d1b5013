// Neighbours at the borders of an image, in the ways that programs write them: a choice of two elements, of two indices, of two
// buffers, in two steps, and what stays at 0.
// global: 40,6
// local: 8,6 40,2 20,1
// arg: int in[240] = i * i % 1009
// arg: int other[240] = 5000 + i
// arg: int out[240]
// arg: uchar bytes[240] = i
// expect: out = (i % 40 > 0 ? (i - 1) * (i - 1) % 1009 : i * i % 1009) + (i % 40 > 0 ? (i / 40 > 0 ? (i - 41) * (i - 41) % 1009 : (i - 1) * (i - 1) % 1009) : i * i % 1009) + (i % 40 < 17 ? i * i % 1009 : 5000 + i - 17) + (i % 40 == 0 ? i * i % 1009 : (i - 1) * (i - 1) % 1009) + (i % 40 < 39 ? i + 1 : i)
kernel void k(global const int *in, global const int *other, global int *out, global const uchar *bytes) {
    int x = get_global_id(0), y = get_global_id(1), n = get_global_size(0), i = y * n + x;
    uint ux = x;
    int left = x > 0 ? in[i - 1] : in[i];
    int up_left = x > 0 ? (y > 0 ? in[i - n - 1] : in[i - 1]) : in[i];
    int either;
    if (x < 17)
        either = in[i];
    else
        either = other[i - 17];
    int stays = in[y * n + (ux == 0 ? 0 : ux - 1)];
    int byte = x < n - 1 ? bytes[i + 1] : bytes[i];
    int sum = left + up_left + either + stays + byte;
    if (y & 1)
        out[i] = sum;
    else
        *(x < 3 ? &out[i] : out + i) = sum;
}
