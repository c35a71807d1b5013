// global: 504
// arg: int out[504]
// expect: out = i + 11
void add(int *p, int v) {
    *p += v;
}
kernel void k(global int *out) {
    int a = get_global_id(0);
    int *p = &a;
    barrier(CLK_LOCAL_MEM_FENCE);
    add(p, 5);
    barrier(CLK_LOCAL_MEM_FENCE);
    *p += 6;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = a;
}
