// global: 252
// local: 1 4 63
// arg: int out[252]
// expect: out = S
// Each work-item takes its neighbour's number if that is greater, until a flag of the group says that nobody did; the flag is read after a
// store to another variable, with no barrier between.
kernel void k(global int *out) {
    local int number[252], changed;
    size_t l = get_local_id(0), n = get_local_size(0);
    int again;
    number[l] = l + 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    do {
        if (l == 0)
            changed = 0;
        int most = number[l];
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l + 1 < n && number[l + 1] > most) {
            most = number[l + 1];
            changed = 1;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        number[l] = most;
        again = changed;
        barrier(CLK_LOCAL_MEM_FENCE);
    } while (again);
    out[get_global_id(0)] = number[l];
}
