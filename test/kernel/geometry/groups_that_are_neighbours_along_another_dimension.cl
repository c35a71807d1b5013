// Where packs lie along another dimension, as elements are adjacent in it, so do work-groups: each runs once, the smaller ones at the
// ends too.
// global: 5,6,96
// local: 2,3,32 2,4,40 1,2,16 2,16,1 1,1,1
// arg: int in[2880] = i * 7 % 1009
// arg: int out[2880] = i
// expect: out = i + i * 7 % 1009 + 1
kernel void k(global const int *in, global int *out) {
    size_t at = (get_global_id(0) * 6 + get_global_id(1)) * 96 + get_global_id(2);
    out[at] += in[at] + 1;
}
