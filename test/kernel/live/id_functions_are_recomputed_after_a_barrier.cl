// global: 12,10,6
// arg: int out[720]
// expect: out = i
kernel void k(global int *out) {
    size_t x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[(z * 10 + y) * 12 + x] = (get_global_id(2) * 10 + get_global_id(1)) * 12 + get_global_id(0);
}
