// global: 504
// arg: int out[504]
// expect: out = 3 * i + 2 * (i % 7) + 10
struct pair {
    volatile int a;
    volatile short b;
    volatile int2 c;
    volatile int *at;
};
void change(struct pair *p, int by) {
    *p->at += by;
    p->b += by % 7;
    p->c.y += by;
}
kernel void k(global int *out) {
    int g = get_global_id(0);
    struct pair p = {g, 1, (int2)(2, 3), 0}, q = p, *way = g % 2 ? &p : &q;
    p.at = &q.a;
    q.at = &p.a;
    change(way, g);
    barrier(CLK_LOCAL_MEM_FENCE);
    change(way == &p ? &q : &p, g);
    out[g] = p.a - q.a + g + p.b + q.b + p.c.x + p.c.y + q.c.x - 3 + q.c.y - 3 + 4 + 0 * q.b;
}
