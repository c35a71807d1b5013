// kernel: add add add get
// global: 504
// local: 63
// needs: globals
// arg: int out[504] = 0
// expect: out = 1
global int count;
kernel void add(global int *out) {
    atomic_inc(&count);
}
kernel void get(global int *out) {
    out[get_global_id(0)] = count == 504 * 3;
}
