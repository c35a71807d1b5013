// global: 64,3
// local: 32,1
// arg: int out[192]
// arg: int in[1024] = i
// arg: int w = 64
// arg: int n = 5
// expect: out = (i + 64) * 5 + 64 * 10 + i + 640
kernel void k(global int *out, global const int *in, int w, int n) {
    local int s[32];
    int l = get_local_id(0), at = get_global_id(1) * w + get_global_id(0) + w, i = at, sum = 0;
    for (int r = 0; r < n; r++, i += w) {
        s[31 - l] = in[i];
        barrier(CLK_LOCAL_MEM_FENCE);
        sum += s[31 - l];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[at - w] = sum + in[at + 9 * w];
}
