// barrier.cl: what a barrier costs, alone and with an exchange through local memory.

kernel void barrier_only(global uint *out, uint rounds) {
    uint x = get_global_id(0);
    for (uint i = 0; i < rounds; i++) {
        x = x * 1664525 + 1013904223;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = x;
}

kernel void barrier_neighbour(global uint *out, uint rounds, local uint *shared) {
    uint l = get_local_id(0), n = get_local_size(0), right = l + 1 < n ? l + 1 : 0;
    uint x = get_global_id(0);
    for (uint i = 0; i < rounds; i++) {
        shared[l] = x;
        barrier(CLK_LOCAL_MEM_FENCE);
        x = x * 3 + shared[right];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = x;
}
