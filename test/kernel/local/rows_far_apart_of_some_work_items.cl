// Work-items that don't take part would reach far in front of the array and behind it: nothing is touched there.
// global: 64
// local: 16
// arg: int out[64]
// arg: int from = 8
// expect: out = 1
kernel void k(global int *out, int from) {
    local int tile[8004];
    int l = get_local_id(0), right = 1;
    for (int i = l; i < 8004; i += 16)
        tile[i] = i;
    barrier(CLK_LOCAL_MEM_FENCE);
#define ROWS(at, takes_part)                                                                                 \
    if (takes_part)                                                                                          \
        right &= tile[at] == (at);                                                                           \
    barrier(CLK_LOCAL_MEM_FENCE);                                                                            \
    if (takes_part)                                                                                          \
        tile[at] = -1;                                                                                       \
    barrier(CLK_LOCAL_MEM_FENCE);                                                                            \
    if (takes_part)                                                                                          \
        right &= tile[at] == -1;                                                                             \
    barrier(CLK_LOCAL_MEM_FENCE);                                                                            \
    if (takes_part)                                                                                          \
        tile[at] = (at);                                                                                     \
    barrier(CLK_LOCAL_MEM_FENCE);
    ROWS((l / 4 - 2) * 8000 + l % 4, l >= from)
    ROWS((l / 4 - 1) * 8000 + l % 4, l >= from - 4 && l < from + 4)
    ROWS((1 - l / 4) * 8000 + l % 4, l < from)
    out[get_global_id(0)] = right;
}
