// Behind the loop's head the value is read from a variable, which says nothing of whether it wraps around.
// global: 64
// local: 16 32
// arg: int out[64]
// arg: int steps[8] = 1
// arg: int n = 5
// arg: int bound = -5
// expect: out = i % 8 >= 4 ? 5 : 50
kernel void k(global int *out, global const int *steps, int n, int bound) {
    int x = (int)((uint)get_local_id(0) << 29), r = 0;
    for (int i = 0; i < n; i++) {
        if (x < bound) {
            for (int m = 0; m < steps[i]; m++)
                r += m + steps[m + i] - m;
        } else {
            r += steps[i] * 10;
        }
        x += steps[i];
    }
    out[get_global_id(0)] = r;
}
