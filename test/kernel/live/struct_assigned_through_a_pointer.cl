// global: 504
// arg: int out[504]
// expect: out = i * 6 + 3
struct s {
    int a, b, c;
};
void set(struct s *p, int v) {
    p->a = v;
    barrier(CLK_LOCAL_MEM_FENCE);
    p->b = 2 * v + 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    p->c = p->a + p->b + 1;
}
kernel void k(global int *out) {
    size_t g = get_global_id(0);
    struct s x, y;
    set(&x, g);
    y = x;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[g] = y.a + y.b + y.c;
}
