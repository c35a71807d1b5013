// finds: nothing
// global: 64
// local: 64
// arg: int out[64]
// arg: int other[1]
// expect: out = 5
__attribute__((noinline)) void set(int *p, int v) { *p = v; }
kernel void k(global int *out, global int *other) {
    local int same;
    int *p = other[0] == 77 ? (int *)other : (int *)&same;
    set(p, 5);
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = same;
}
