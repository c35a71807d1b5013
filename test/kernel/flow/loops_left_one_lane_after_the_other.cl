// global: 96
// local: 48
// arg: int in[160] = (i * 37) % 101 - 50
// arg: int up[96] = 0
// arg: int down[96] = 0
// arg: int count[96] = 0
// arg: int none = 0
// expect: count = 48 - i % 48
kernel void k(global const int *in, global int *up, global int *down, global int *count, int none) {
    int l = get_local_id(0), g = get_global_id(0), a = 0, b = 0, c = 0;
    for (int i = 0; i < 48 - l; i++) {
        a += in[i] * in[i + l];
        c++;
    }
    for (int i = l + none; i < 60; i++) {
        b += in[i];
        if (b > 1000)
            break;
    }
    up[g] = a;
    down[g] = b;
    count[g] = c;
}
