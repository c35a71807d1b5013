// global: 15,9,14
// arg: int out[1890]
// expect: out = i % 15 % LX + (i / 15 % 9 % LY) * 20 + (i / 135 % LZ) * 400 + i % 15 / LX * 8000 + (i / 15 % 9 / LY) * 160000 + i / 135 / LZ * 3200000
kernel void k(global int *out) {
    barrier(CLK_LOCAL_MEM_FENCE);
    int local_part = get_local_id(0) + 20 * get_local_id(1) + 400 * get_local_id(2);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[(get_global_id(2) * 9 + get_global_id(1)) * 15 + get_global_id(0)] =
        local_part + 8000 * get_group_id(0) + 160000 * get_group_id(1) + 3200000 * get_group_id(2);
}
