// global: 504
// local: 1 2 3 7 8 63 252
// arg: int out[504]
// expect: out = i / L % 4 == 0 ? F + (i - F + 3) % S : i / L % 4 == 1 ? F + (i - F + 2) % S : i / L % 4 == 2 ? F + (i - F + 1) % S : i
kernel void k(global int *out) {
    local int s[1024];
    size_t l = get_local_id(0), g = get_global_id(0), n = get_local_size(0);
    int r = g;
#define STEP                                                                                                           \
    s[l] = r;                                                                                                          \
    barrier(CLK_LOCAL_MEM_FENCE);                                                                                      \
    r = s[(l + 1) % n];                                                                                                \
    barrier(CLK_LOCAL_MEM_FENCE);
    switch (get_group_id(0) % 4) {
    case 0:
        STEP
    case 1:
        STEP
    case 2:
        STEP
    }
    out[g] = r;
}
