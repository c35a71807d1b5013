// global: 512
// local: 16 64 128
// needs: __opencl_c_subgroups
// arg: uint out[512]
// expect: out = 0
uint below_zero(uint x) {
    int s = (int)x;
    return (uint)(s < 0) + (uint)(s >= 0x40000000) * 2;
}
kernel void k(global uint *out) {
    uint lane = get_sub_group_local_id(), other = (uint)get_local_id(0) % get_max_sub_group_size();
    volatile uint same = other;
    uint h = 0;
    h += below_zero(lane << 31) ^ below_zero(same << 31);
    h += below_zero(lane << 30) ^ below_zero(same << 30);
    h += below_zero(lane << 29) ^ below_zero(same << 29);
    h += below_zero(lane << 28) ^ below_zero(same << 28);
    h += below_zero(lane << 27) ^ below_zero(same << 27);
    out[get_global_id(0)] = h;
}
