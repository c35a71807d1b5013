// global: 504
// arg: int c[2] = 0
// expect: c = {504, 503}
kernel void k(global int *c) {
    atom_inc(&c[0]);
    atom_max(&c[1], (int)get_global_id(0));
}
