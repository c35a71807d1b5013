// Numbers of four bytes in a stream of bytes, each after a byte that tells what it is.
//
//   weir check examples/racy/misaligned-access.cl wrong --global 64 --local 64 --arg 320=iota --arg out
//
// Wrong: an int is read at an odd address. Right: as four bytes.

kernel void wrong(global const uchar *stream, global int *out) {
    size_t i = get_global_id(0);
    out[i] = *(global const int *)(stream + 5 * i + 1);
}

kernel void right(global const uchar *stream, global int *out) {
    size_t i = get_global_id(0);
    out[i] = as_int(vload4(0, stream + 5 * i + 1));
}
