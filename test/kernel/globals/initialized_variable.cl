// global: 504
// needs: globals
// arg: int out[504]
// expect: out = 42 + i % 3
global int base = 42;
global int more[3] = {0, 1, 2};
kernel void k(global int *out) {
    out[get_global_id(0)] = base + more[get_global_id(0) % 3];
}
