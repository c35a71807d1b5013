// Of lanes that are off the value would wrap around: what it is in 64 bits begins at one that is on.
// global: 64
// local: 16
// arg: long out[64] = 1
// arg: int step[8] = 1
// arg: int n = 5
// arg: int first = 12
// expect: out = i % 16 >= 12 ? 11 + 5 * ((i % 16 - 12) * 268435456) : 1
kernel void k(global long *out, global const int *step, int n, int first) {
    int l = get_local_id(0);
    if (l >= first) {
        int x = (l - first) * 0x10000000;
        for (int i = 0; i < n; i++) {
            out[get_global_id(0)] += x;
            x += step[i];
        }
    }
}
