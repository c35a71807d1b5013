// finds: nothing
// global: 64
// local: 64
// arg: int in[64] = i
// arg: int out[64]
// expect: out = 1
struct S { int a, b, c, d, e; };
kernel void k(global const struct S *in, global int *out) {
    local struct S same;
    struct S s = {0, in[0].b};
    same = s;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = same.b;
}
