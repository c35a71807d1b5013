// global: 504
// arg: int next[1] = 0
// arg: int out[504] = 0
// expect: next = 504
// expect: out = 1
kernel void k(global int *next, global int *out) {
    int mine = atomic_inc(next);
    atomic_add(&out[mine], 1);
}
