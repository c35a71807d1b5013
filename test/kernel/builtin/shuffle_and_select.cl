// global: 504
// arg: int out[504]
// expect: out = i * 10 + 3
kernel void k(global int *out) {
    int g = get_global_id(0);
    int4 v = (int4)(1, 2, 3, g * 10);
    int4 w = shuffle(v, (uint4)(3, 2, 1, 0));
    barrier(CLK_LOCAL_MEM_FENCE);
    out[g] = w.x + select(7, 3, w.y == 3);
}
