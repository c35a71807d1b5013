// finds: data-race 9 9
// global: 64
// local: 64
// arg: int io[65] = i
// illegal: finishes
kernel void k(global int *io) {
    int g = get_global_id(0);
    // each reads the next one's element, which that one writes
    io[g] = io[g + 1] + 1;
}
