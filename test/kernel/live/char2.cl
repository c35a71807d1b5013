// global: 504
// arg: int out[504]
// expect: out = char(i) * 1000 + char(i + 1)
kernel void k(global int *out) {
    size_t g = get_global_id(0);
    char2 a = (char2)(g, g + 1);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[g] = a.x * 1000 + a.y;
}
