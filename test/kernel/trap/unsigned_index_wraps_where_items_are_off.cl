// An unsigned index that is below zero for the first items of a pack: the others' elements lie in a row all the same,
// but not behind the first item's.
// global: 504
// arg: uint in[504] = i + 1
// arg: uint out[504] = 0
// arg: uint chosen[504] = 0
// arg: uint stored[504] = 0
// expect: out = i >= 3 ? i - 2 : 7
// expect: chosen = i > 0 ? i : 504
// expect: stored = i < 501 ? i + 3 : 0
kernel void k(global const uint *in, global uint *out, global uint *chosen, global uint *stored) {
    uint g = get_global_id(0), x = 7;
    if (g >= 3) {
        x = in[g - 3];
        stored[g - 3] = g;
    }
    out[g] = x;
    chosen[g] = in[g > 0 ? g - 1 : 503];
}
