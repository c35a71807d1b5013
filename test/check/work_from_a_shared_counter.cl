// finds: nothing
// set: WEIR_CHECK_DEADLOCK=1
// global: 64
// local: 8
// arg: int out[200000]
// arg: int next[1] = 0
// expect: out = i
kernel void k(global int *out, volatile global int *next) {
    int i;
    while ((i = atomic_inc(next)) < 200000)
        out[i] = i;
}
