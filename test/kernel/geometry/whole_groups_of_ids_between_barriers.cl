// A kernel with barriers whose ids are divided by a length of the launch: it is there twice, and each work-item passes the same ones.
// global: 512
// local: 256 64 16
// arg: uint width = 64
// arg: int out[512]
// expect: out = (i ^ 1) / 64 * 1000 + (i ^ 1) % 64
kernel void k(uint width, global int *out) {
    local int s[256];
    uint g = get_global_id(0), l = get_local_id(0);
    s[l] = g / width;
    barrier(CLK_LOCAL_MEM_FENCE);
    int row = s[l ^ 1];
    barrier(CLK_LOCAL_MEM_FENCE);
    s[l] = g % width;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[g / width * width + g % width] = row * 1000 + s[l ^ 1];
}
