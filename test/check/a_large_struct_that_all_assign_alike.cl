// finds: nothing
// global: 64
// local: 64
// arg: int in[250] = i
// arg: int out[64]
// expect: out = 247
struct S { char a[500]; short b; float c[123]; };
kernel void k(global const struct S *in, global int *out) {
    local struct S same;
    same = in[0];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = as_int(same.c[121]);
}
