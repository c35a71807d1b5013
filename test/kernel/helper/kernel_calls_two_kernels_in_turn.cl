// global: 504
// arg: int out[504]
// expect: out = (i + 1) * 2
kernel void add(global int *out) {
    out[get_global_id(0)] = get_global_id(0) + 1;
}
kernel void twice(global int *out) {
    out[get_global_id(0)] *= 2;
}
kernel void k(global int *out) {
    add(out);
    barrier(CLK_GLOBAL_MEM_FENCE);
    twice(out);
}
