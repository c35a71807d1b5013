// global: 504
// arg: int table[8] = i * i
// arg: int out[504]
// expect: out = (i % 8) * (i % 8)
kernel void k(constant int *table, global int *out) {
    size_t g = get_global_id(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[g] = table[g % 8];
}
