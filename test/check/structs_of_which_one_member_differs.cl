// finds: data-race 9 9
// global: 64
// local: 64
// arg: int out[64]
struct S { char c; int i; };
kernel void k(global int *out) {
    local struct S same;
    struct S s = {1, (int)get_local_id(0)};
    same = s;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = same.c;
}
