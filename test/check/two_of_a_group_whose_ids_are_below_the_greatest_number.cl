// finds: data-race 10 10
// illegal: finishes
// global: 32
// local: 32
// arg: int out[32]
kernel void k(global int *out) {
    local int tile[32];
    uint l = get_local_id(0);
    if (l < 0xffffffffu)
        tile[l / 2] = l;
    out[l] = l;
}
