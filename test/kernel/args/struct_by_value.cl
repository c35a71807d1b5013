// global: 504
// arg: int out[504]
// arg: struct p = char 3, int 40, float 2.5, double 100
// expect: out = 3 + 40 + 5 + 100 + i
struct p {
    char a;
    int b;
    float c;
    double d;
};
kernel void k(global int *out, struct p p) {
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = p.a + p.b + (int)(p.c * 2) + (int)p.d + get_global_id(0);
}
