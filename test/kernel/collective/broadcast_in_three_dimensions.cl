// global: 12,10,6
// local: 1,1,1 2,2,2 3,5,2 12,10,6 4,1,3
// needs: collectives
// arg: int out[720]
// expect: out = (i / 120 / LZ * LZ + LZ - 1) * 120 + (i / 12 % 10 / LY * LY) * 12 + i % 12 / LX * LX + LX - 1
kernel void k(global int *out) {
    out[get_global_linear_id()] =
        work_group_broadcast((int)get_global_linear_id(), get_local_size(0) - 1, 0, get_local_size(2) - 1);
}
