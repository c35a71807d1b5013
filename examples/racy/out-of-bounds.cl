// An array of 1000 numbers, and a global size that was rounded up to whole work-groups.
//
//   weir check examples/racy/out-of-bounds.cl wrong --global 1024 --local 64 --arg inout:1000=iota --arg 1000
//
// Wrong: 24 work-items have no number. Right: they do nothing.

kernel void wrong(global float *data, uint n) {
    size_t i = get_global_id(0);
    data[i] = 2 * data[i];
}

kernel void right(global float *data, uint n) {
    size_t i = get_global_id(0);
    if (i < n)
        data[i] = 2 * data[i];
}
