// global: 11,7,5
// local: 4,3,2 8,4,4 3,7,2 11,2,5
// needs: nonuniform
// arg: int out[385]
// expect: out = min(LX, 11 - i % 11 / LX * LX) * min(LY, 7 - i / 11 % 7 / LY * LY) * min(LZ, 5 - i / 77 / LZ * LZ)
kernel void k(global int *out) {
    local int arrived;
    if (get_local_linear_id() == 0)
        arrived = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_inc(&arrived);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_linear_id()] = arrived;
}
