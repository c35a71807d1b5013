// global: 64
// arg: float in[64] = i * 0.5
// arg: ushort half_words[64]
// arg: float out[64]
// expect: out = i * 0.5
kernel void k(global float *in, global half *half_words, global float *out) {
    size_t g = get_global_id(0);
    vstore_half(in[g], g, half_words);
    barrier(CLK_GLOBAL_MEM_FENCE);
    out[g] = vload_half(g, half_words);
}
