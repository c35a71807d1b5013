// global: 96
// local: 48
// arg: uchar in[960] = (i * 89) % 251
// arg: uchar least[96] = 0
// arg: uchar most[96] = 0
// arg: int sorted[96] = 0
// expect: sorted = 1
kernel void k(global const uchar *in, global uchar *least, global uchar *most, global int *sorted) {
    uchar v[10];
    int g = get_global_id(0), ok = 1;
    for (int n = 0; n < 10; n++) {
        uchar x = in[n * 96 + g];
        int i = n;
        while (i > 0 && v[i - 1] > x) {
            v[i] = v[i - 1];
            i--;
        }
        v[i] = x;
    }
    for (int n = 1; n < 10; n++)
        ok &= v[n - 1] <= v[n];
    least[g] = v[0];
    most[g] = v[9];
    sorted[g] = ok;
}
