// options:
// global: 512
// local: 16 64 none
// arg: int out[512]
// expect: out = i + 3
void fill(local float *lds) {
    ((local int *)lds)[0] = 1;
}
global int *same(global uint *p) {
    return p;
}
struct a {
    int x;
};
struct b {
    int x;
};
kernel void k(global int *out) {
    local float2 lds[4];
    fill(lds);
    barrier(CLK_LOCAL_MEM_FENCE);
    local int *first = lds;
    struct a one = {2};
    struct b *two = &one;
    global float *p = out;
    global uint *q = p;
    same(q)[get_global_id(0)] = (int)get_global_id(0) + first[0] + two->x;
}
