// global: 504
// needs: generic
// arg: int out[504]
// expect: out = i * 3 + (F + (i - F + 1) % S)
kernel void k(global int *out) {
    local int s[512];
    size_t l = get_local_id(0), g = get_global_id(0);
    int mine[2] = {g, g * 2};
    int *p[3] = {&mine[0], &mine[1], &s[(l + 1) % get_local_size(0)]};
    s[l] = g;
    barrier(CLK_LOCAL_MEM_FENCE);
    int sum = 0;
    for (int j = 0; j < 3; j++)
        sum += *p[j];
    out[g] = sum;
}
