// global: 16
// arg: int out[16]
// expect: out = i != 0 ? 3 : 2
kernel void k(global int *out) {
    bool a = get_global_id(0), b = out;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = a + 2 * b;
}
