// global: 504
// arg: int out[504]
// expect: out = i + i * 2 + (i % 7) + i * 3
struct s {
    char c;
    int2 v;
    struct {
        short a;
        double d;
    } in;
};
kernel void k(global int *out) {
    size_t g = get_global_id(0);
    struct s x = {g % 7, (int2)(g, g * 2), {g, g * 2}};
    barrier(CLK_LOCAL_MEM_FENCE);
    out[g] = x.c + x.v.x + x.v.y + x.in.a + (int)x.in.d;
}
