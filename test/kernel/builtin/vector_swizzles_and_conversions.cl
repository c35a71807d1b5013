// global: 504
// arg: int out[504]
// expect: out = min(i * 2, 255) + i % 128 + 3
kernel void k(global int *out) {
    int g = get_global_id(0);
    int4 v = (int4)(g * 2, g, 1, 2);
    uchar4 c = convert_uchar4_sat(v);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[g] = c.x + (v.y % 128) + v.hi.x + v.odd.y;
}
