// global: 504
// needs: collectives
// arg: double out[504]
// expect: out = S * 0.5 + S * 0.25 + S * 10000000000 + S * 3
kernel void k(global double *out) {
    float f = work_group_reduce_add(0.5f);
    double d = work_group_reduce_add(0.25);
    long l = work_group_reduce_add(10000000000l);
    ulong u = work_group_reduce_add(1ul);
    uint v = work_group_reduce_add(2u);
    out[get_global_id(0)] = f + d + l + u + v;
}
