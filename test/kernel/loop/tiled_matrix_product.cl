// global: 32,32
// local: 1,1 2,2 4,4 8,8 16,16 32,32
// arg: float a[1024] = i % 7
// arg: float b[1024] = i % 5 - 2
// arg: float c[1024]
// arg: local ta[LX * LX * 4]
// arg: local tb[LX * LX * 4]
// expect: c = sum(k, 0, 32, a[i / 32 * 32 + k] * b[k * 32 + i % 32])
kernel void k(global float *a, global float *b, global float *c, local float *ta, local float *tb) {
    size_t x = get_local_id(0), y = get_local_id(1), t = get_local_size(0), col = get_global_id(0), row = get_global_id(1);
    float sum = 0;
    for (size_t tile = 0; tile < 32; tile += t) {
        ta[y * t + x] = a[row * 32 + tile + x];
        tb[y * t + x] = b[(tile + y) * 32 + col];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (size_t j = 0; j < t; j++)
            sum += ta[y * t + j] * tb[j * t + x];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[row * 32 + col] = sum;
}
