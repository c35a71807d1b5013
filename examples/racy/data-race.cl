// A matrix is transposed tile by tile, through local memory.
//
//   weir check examples/racy/data-race.cl wrong --global 32,32 --local 8,8 --arg iota --arg out
//
// Wrong: a work-item reads the tile's other half before those that write it are known to be done. Right: a barrier.

kernel void wrong(global const float *in, global float *out) {
    local float tile[8][8];
    size_t x = get_local_id(0), y = get_local_id(1), n = get_global_size(0);
    tile[y][x] = in[get_global_id(1) * n + get_global_id(0)];
    out[(get_group_id(0) * 8 + y) * n + get_group_id(1) * 8 + x] = tile[x][y];
}

kernel void right(global const float *in, global float *out) {
    local float tile[8][8];
    size_t x = get_local_id(0), y = get_local_id(1), n = get_global_size(0);
    tile[y][x] = in[get_global_id(1) * n + get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[(get_group_id(0) * 8 + y) * n + get_group_id(1) * 8 + x] = tile[x][y];
}
