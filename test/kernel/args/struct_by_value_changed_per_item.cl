// global: 504
// arg: int out[504]
// arg: struct p = int 3, int 40
// expect: out = i + 43
struct p {
    int a, b;
};
kernel void k(global int *out, struct p p) {
    p.a += get_global_id(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = p.a + p.b;
}
