// Weights that a caller may leave out.
//
//   weir check examples/racy/null-access.cl wrong --global 64 --local 64 --arg iota --arg iota --arg 0 --arg out
//
// Wrong: the weights are read although there are none. Right: one is taken for each.

static float weighted(float x, global const float *weights, size_t i) {
    return x * weights[i];
}

kernel void wrong(global const float *in, global const float *weights, int has_weights, global float *out) {
    size_t i = get_global_id(0);
    global const float *w = has_weights ? weights : 0;
    out[i] = weighted(in[i], w, i);
}

kernel void right(global const float *in, global const float *weights, int has_weights, global float *out) {
    size_t i = get_global_id(0);
    global const float *w = has_weights ? weights : 0;
    out[i] = w ? weighted(in[i], w, i) : in[i];
}
