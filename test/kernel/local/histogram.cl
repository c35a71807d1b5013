// global: 1008
// arg: int in[1008] = i * 7 % 10
// arg: int out[10] = 0
// expect: out = sum(j, 0, 1008, j * 7 % 10 == i)
kernel void k(global int *in, global int *out) {
    local int bins[10];
    size_t l = get_local_id(0), n = get_local_size(0);
    for (size_t b = l; b < 10; b += n)
        bins[b] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_inc(&bins[in[get_global_id(0)]]);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (size_t b = l; b < 10; b += n)
        atomic_add(&out[b], bins[b]);
}
