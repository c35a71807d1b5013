// global: 96
// local: 1 32 48
// needs: cl_khr_fp16
// arg: float out[96]
// expect: out = i * 2 + 0.5
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void k(global float *out) {
    local half tile[64];
    local half4 quads[64];
    size_t l = get_local_id(0), n = get_local_size(0), other = n - 1 - l;
    half mine = get_global_id(0);
    tile[l] = mine;
    quads[l] = (half4)(mine, mine + 1, mine * 2, 0.25h);
    barrier(CLK_LOCAL_MEM_FENCE);
    half theirs = tile[other];
    half4 q = quads[other];
    barrier(CLK_LOCAL_MEM_FENCE);
    tile[other] = theirs + q.y - 1 - theirs + q.z + q.w + q.w - q.x - q.x + q.x;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = tile[l];
}
