// global: 64
// local: 2 16 64
// arg: int out[64] = 0
// arg: int token[32] = 0
// expect: out = i % 2 ? 99 : 100
kernel void k(global int *out, volatile global int *token) {
    int g = get_global_id(0), side = g % 2;
    volatile global int *mine = token + g / 2;
    for (int r = 0; r < 50; r++) {
        while (atomic_add(mine, 0) != 2 * r + side)
            ;
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        out[g] = 2 * r + side + (r == 49 && !side ? 2 : 0);
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        atomic_inc(mine);
    }
}
