// kernel: k k k last
// global: 16
// local: 4
// needs: globals
// arg: int out[16]
// expect: out = 1
global int total;
kernel void k(global int *out) {
    static global int calls;
    if (atomic_inc(&calls) % 16 == 15)
        total++;
}
kernel void last(global int *out) {
    out[get_global_id(0)] = total == 3;
}
