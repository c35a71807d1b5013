// global: 504
// arg: int out[504]
// expect: out = 6 * (F + (i - F + 1) % S) + 3 * i
__attribute__((noinline)) void fill(private int *a, local int *s) {
    size_t l = get_local_id(0);
    for (int j = 0; j < 4; j++) {
        s[l] = get_global_id(0) * j;
        barrier(CLK_LOCAL_MEM_FENCE);
        a[j] += s[(l + 1) % get_local_size(0)];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
kernel void k(global int *out) {
    local int s[1024];
    int a[4] = {get_global_id(0), get_global_id(0), get_global_id(0), 0}, sum = 0;
    fill(a, s);
    for (int j = 0; j < 4; j++)
        sum += a[j];
    out[get_global_id(0)] = sum;
}
