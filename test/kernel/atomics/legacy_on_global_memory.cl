// global: 504
// arg: int c[10] = {0, 1000, 0, 10000, -1, 0xffff, 0, 0, 5, 0}
// expect: c = {504 * 503 / 2, 1000 - 504, 504, 10000 - 504, -1 & 0x7fffff, 0xffff | 0x200, 1, 503, 0, 0}
kernel void k(global int *c) {
    int g = get_global_id(0);
    atomic_add(&c[0], g);
    atomic_sub(&c[1], 1);
    atomic_inc(&c[2]);
    atomic_dec(&c[3]);
    atomic_and(&c[4], 0x7fffff);
    atomic_or(&c[5], 0x200);
    atomic_xor(&c[6], g == 77);
    atomic_max(&c[7], g);
    atomic_min(&c[8], g);
}
