// global: 504
// arg: int out[504]
// expect: out = i % 13 * 100 + (i % 13) * (i % 13 + 1) / 2
kernel void k(global int *out) {
    int g = get_global_id(0), uniform_counter = 0, sum = 0;
    while (1) {
        if (uniform_counter == g % 13)
            break;
        uniform_counter++;
        sum += uniform_counter;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[g] = uniform_counter * 100 + sum;
}
