// All work-items go around as often, and read another row in each round: with counters that they share, branches, and what they
// computed before.
// global: 512
// local: 128 64 256 512
// arg: uint a[4096] = i * 37 + i / 5
// arg: uint out[4096] = 0
// arg: uint counts[16] = 0
// arg: uint rounds = 8
// reference: r
kernel void k(global const uint *a, global uint *out, global uint *counts, uint rounds) {
    local uint c[16];
    uint l = get_local_id(0), g = get_global_id(0), n = get_global_size(0), mine = a[g] % 11;
    if (l < 16)
        c[l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint outer = 0; outer < 2; outer++)
        for (uint i = outer; i < rounds; i += 2) {
            atomic_inc(&c[a[i * n + g] & 15]);
            if (a[i * n + g] % 3 == 0)
                out[i * n + g] = a[i * n + g] + mine;
        }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < 16)
        atomic_add(&counts[l], c[l]);
}
kernel void r(global const uint *a, global uint *out, global uint *counts, uint rounds) {
    for (uint i = 0; i < 512 * rounds; i++) {
        counts[a[i] & 15]++;
        if (a[i] % 3 == 0)
            out[i] = a[i] + a[i % 512] % 11;
    }
}
