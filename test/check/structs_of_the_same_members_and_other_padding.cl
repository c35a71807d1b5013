// finds: nothing
// global: 64
// local: 64
// arg: int in[128] = i % 2 ? 5 : (i / 2) * 256 + 3
// arg: int out[64]
// expect: out = 8
struct S { char c; int i; };
kernel void k(global const struct S *in, global int *out) {
    local struct S same;
    same = in[get_local_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = same.c + same.i;
}
