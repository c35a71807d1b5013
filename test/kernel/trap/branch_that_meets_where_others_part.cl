// The work-items of one branch meet at a block where those of another branch, on a path of its own, may part.
// global: 150
// local: 150 13
// arg: uint in[4] = 3
// arg: uint out[150] = 9
// expect: out = i % 4 == 3 ? 9 : i
kernel void k(global const uint *in, global uint *out) {
    uint gx = get_global_id(0), y = gx + 6;
    switch ((get_group_id(1) & 1 ? (y & 1 ? 59u : out[gx]) : gx & 1 ? y : in[0]) & 3) {
    case 0:
        break;
    case 1:
    case 2:
        break;
    default:
        out[gx] = gx;
        break;
    }
}
