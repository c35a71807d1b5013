// kernel: k
// global: 504
// needs: globals
// arg: int out[504]
// expect: out = i % 2 ? 7 : 5
global int five = 5, seven = 7;
global int *global both[2] = {&five, &seven};
kernel void k(global int *out) {
    out[get_global_id(0)] = *both[get_global_id(0) % 2];
}
