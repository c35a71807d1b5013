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

#if defined(cl_intel_split_work_group_barrier) && !defined(WHOLE)
#define ARRIVE intel_work_group_barrier_arrive(CLK_LOCAL_MEM_FENCE)
#define WAIT   intel_work_group_barrier_wait(CLK_LOCAL_MEM_FENCE)
#else
#define ARRIVE barrier(CLK_LOCAL_MEM_FENCE)
#define WAIT   barrier(CLK_LOCAL_MEM_FENCE)
#endif

// Passes a value to the neighbour, and reads, computes and writes what is the work-item's own meanwhile.
kernel void barrier_split(global const uint *in, global uint *log, uint rounds, local uint *shared) {
    size_t l = get_local_id(0), n = get_local_size(0), right = l + 1 < n ? l + 1 : 0, g = get_global_id(0);
    uint x = g;
    for (uint i = 0; i < rounds; i++) {
        local uint *s = shared + i % 2 * n;
        uint own = in[g + i % 16];
        s[l] = x + own;
        ARRIVE;
        uint y = own * 1664525 + in[g + i % 16 + 16];
        log[g] = x * own;
        WAIT;
        x = y * 3 + s[right];
    }
}
