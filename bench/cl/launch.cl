// launch.cl: almost nothing to do.

kernel void empty(void) {
}

kernel void add(global uint *x, uint n) {
    x[get_global_id(0)] += n;
}

// Every work-item passes a barrier, so that the code depends on the work-group's size.
kernel void rotate_local(global uint *out, local uint *shared) {
    uint l = get_local_id(0), n = get_local_size(0);
    shared[l] = get_global_id(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = shared[(l + 1) % n];
}
