// Behind the barrier work-items leave the inner loop at different times, and count the outer one's rounds together.
// global: 504
// local: 1 3 16 64 250
// arg: uint out[504]
// arg: local shared[2000]
// reference: alone
uint after(uint id, uint sum) {
    for (uint outer = 0; outer < 1 + id % 4; outer++)
        for (uint inner = 0; inner < 1 + (id + outer) % 3; inner++)
            sum = outer || inner ? sum * 5 + inner * 3 + outer : sum;
    return sum;
}

kernel void k(global uint *out, local uint *shared) {
    uint id = get_global_id(0), l = get_local_id(0), sum = 0;
    for (uint outer = 0; outer < 1 + id % 4; outer++) {
        for (uint inner = 0; inner < 1 + (id + outer) % 3; inner++) {
            if (outer < 1 && inner < 1) {
                shared[l] = id;
                barrier(CLK_LOCAL_MEM_FENCE);
                sum = shared[l ? l - 1 : l] + (l != 0);
                barrier(CLK_LOCAL_MEM_FENCE);
            } else {
                sum = sum * 5 + inner * 3 + outer;
            }
        }
    }
    out[id] = sum;
}

kernel void alone(global uint *out, local uint *shared) {
    for (uint id = 0; id < 504; id++)
        out[id] = after(id, id);
}
