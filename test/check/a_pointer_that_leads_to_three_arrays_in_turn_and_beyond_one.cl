// Which array the pointer leads to changes from round to round; the last round's index is one too high for its array.
// global: 64
// local: 64
// arg: int in[64]
// arg: int out[64]
// finds: out-of-bounds 15
// illegal: finishes
kernel void k(global const int *in, global int *out) {
    local int a[65], b[65], c[64], unused[3];
    uint l = get_local_id(0);
    local int *to = a, *next = b, *last = c;
    unused[l % 3] = 0;
    a[l] = b[l] = c[l] = in[l];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < 3; i++) { to[l + 1] = i;
        barrier(CLK_LOCAL_MEM_FENCE);
        local int *t = to;
        to = next;
        next = last;
        last = t;
    }
    out[l] = a[l] + b[l] + unused[0];
}
