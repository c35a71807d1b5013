// finds: nothing
// set: WEIR_CHECK_OPTIONS=lockstep=16
// illegal: finishes
// global: 8,8
// local: 4,4
// arg: int out[64]
// Sixteen in a row are counted as ids are, over the ends of the rows of four.
kernel void k(global int *out) {
    local int tile[4][4];
    int x = get_local_id(0), y = get_local_id(1);
    tile[x][y] = 1;
    tile[x][y] = tile[y][x] + y;
    out[get_global_id(0) + 8 * get_global_id(1)] = tile[x][y];
}
