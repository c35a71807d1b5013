// finds: data-race 10 10
// global: 64
// local: 64
// arg: int out[64]
struct S { int a[6]; };
kernel void k(global int *out) {
    local struct S zeros, others;
    int l = get_local_id(0);
    __builtin_memset((void *)&zeros, 0, sizeof zeros);
    __builtin_memset((void *)&others, l, sizeof others);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = zeros.a[2];
}
