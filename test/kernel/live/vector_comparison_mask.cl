// global: 504
// arg: int out[504]
// expect: out = (i > 1) + (i > 10) * 2 + (i > 100) * 4 + (i > 500) * 8
kernel void k(global int *out) {
    size_t g = get_global_id(0);
    int4 m = (int4)(g) > (int4)(1, 10, 100, 500);
    barrier(CLK_LOCAL_MEM_FENCE);
    int4 r = select((int4)(0), (int4)(1, 2, 4, 8), m);
    out[g] = r.x + r.y + r.z + r.w;
}
