// Regions so many that each one's loop over work-items becomes a function, also where a loop is around them.
// global: 96
// local: any
// arg: int out[96] = 0
// arg: int rounds = 2
// expect: out = 0
#define STEP                                                                                                 \
    t[l] += 1;                                                                                               \
    barrier(CLK_LOCAL_MEM_FENCE);                                                                            \
    bad += t[(l + 1) % n] != ++steps;                                                                        \
    barrier(CLK_LOCAL_MEM_FENCE);
#define STEPS STEP STEP STEP STEP STEP STEP
kernel void k(global int *out, int rounds) {
    local int t[96];
    size_t l = get_local_id(0), n = get_local_size(0);
    int bad = 0, steps = 0;
    t[l] = 0;
    for (int i = 0; i < rounds; i++) {
        STEPS STEPS STEPS STEPS STEPS STEPS
    }
    STEP
    if (rounds > 1) {
        STEPS
    }
    out[get_global_id(0)] = bad;
}
