// What a small work-group exchanges through local memory becomes values: rows that begin between those that were stored, halves that take
// turns, stores that some work-items leave out and that overlap, and what nobody has stored to.
// global: 128
// local: 64
// arg: uint out[128]
// arg: ulong wide[128]
// arg: uint rounds = 3
// reference: ref
kernel void k(global uint *out, global ulong *wide, uint rounds) {
    local uint s[2][66], t[64];
    local ulong w[66];
    uint l = get_local_id(0), g = get_global_id(0), now = 0;
    s[0][l] = g;
    s[1][l] = 3 * g;
    w[l] = g;
    barrier(CLK_LOCAL_MEM_FENCE);
    s[0][l + 2] = g + 1000;
    s[1][l + 2] = 7 * g;
    w[l + 1] = 5 * g;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint j = 0; j < 4; j++) {
        if (l > j)
            s[1 - now][l + 1] = s[now][l] + 3 * s[now][l + 2] + s[0][l + 1];
        barrier(CLK_LOCAL_MEM_FENCE);
        now = 1 - now;
    }
    uint x = s[now][l + 1] + s[1 - now][l];
    for (uint j = 0; j < rounds; j++) {
        t[l] = x;
        barrier(CLK_LOCAL_MEM_FENCE);
        x = 3 * x + t[(l + 5) % 64];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l & 1)
        w[l] = x;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[g] = x;
    wide[g] = w[l] + w[l + 1];
}
kernel void ref(global uint *out, global ulong *wide, uint rounds) {
    for (uint group = 0; group < 2; group++) {
        uint s[2][66], x[64], t[64], now = 0;
        ulong w[66];
        for (uint l = 0; l < 64; l++) {
            s[0][l] = 64 * group + l;
            s[1][l] = 3 * (64 * group + l);
            w[l] = 64 * group + l;
        }
        for (uint l = 0; l < 64; l++) {
            s[0][l + 2] = 64 * group + l + 1000;
            s[1][l + 2] = 7 * (64 * group + l);
            w[l + 1] = 5 * (64 * group + l);
        }
        for (uint j = 0; j < 4; j++) {
            uint next[66];
            for (uint l = j + 1; l < 64; l++)
                next[l + 1] = s[now][l] + 3 * s[now][l + 2] + s[0][l + 1];
            now = 1 - now;
            for (uint l = j + 1; l < 64; l++)
                s[now][l + 1] = next[l + 1];
        }
        for (uint l = 0; l < 64; l++)
            x[l] = s[now][l + 1] + s[1 - now][l];
        for (uint j = 0; j < rounds; j++) {
            for (uint l = 0; l < 64; l++)
                t[l] = x[l];
            for (uint l = 0; l < 64; l++)
                x[l] = 3 * x[l] + t[(l + 5) % 64];
        }
        for (uint l = 1; l < 64; l += 2)
            w[l] = x[l];
        for (uint l = 0; l < 64; l++) {
            out[64 * group + l] = x[l];
            wide[64 * group + l] = w[l] + w[l + 1];
        }
    }
}
