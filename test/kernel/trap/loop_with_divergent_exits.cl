// global: 504
// arg: int out[504]
// expect: out = i % 11 == 0 ? 110 : i % 11 * 10
kernel void k(global int *out) {
    int g = get_global_id(0), r = 0;
    for (int j = 0; j < 11; j++) {
        r += 10;
        if (j + 1 == g % 11)
            break;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[g] = r;
}
