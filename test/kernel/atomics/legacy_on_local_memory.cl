// global: 504
// arg: int out[504]
// expect: out = (S - 1) * S / 2 + S * 1000 - S + 5 + (S - 1)
kernel void k(global int *out) {
    local int c[4];
    int l = get_local_id(0);
    if (l < 4)
        c[l] = 0;
    if (get_local_size(0) < 4 && l == 0)
        for (int j = 0; j < 4; j++)
            c[j] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_add(&c[0], l);
    atomic_add(&c[1], 1000);
    atomic_dec(&c[1]);
    atomic_or(&c[2], 5);
    atomic_max(&c[3], l);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = c[0] + c[1] + c[2] + c[3];
}
