// global: 12,6,4
// offset: 100,200,300
// local: none 1,1,1 12,1,1 3,2,4 5,4,3 12,6,4
// arg: int out[288]
// expect: out = 100 + i % 12 + 1000 * (200 + i / 12 % 6) + 1000000 * (300 + i / 72)
kernel void k(global int *out) {
    size_t x = get_global_id(0) - get_global_offset(0), y = get_global_id(1) - get_global_offset(1);
    size_t z = get_global_id(2) - get_global_offset(2);
    out[(z * 6 + y) * 12 + x] = get_global_id(0) + 1000 * get_global_id(1) + 1000000 * get_global_id(2);
}
