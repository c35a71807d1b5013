// Pairs of elements in a row are stored in whole vectors, not every second element under a mask; where an index from memory tells which
// pair, one gather of 64 bits has both. A byte of four that is extended stays in its
// lane where bytes have no permute of whole registers.
// RUN: c() { %weirc %s --cpu $1 --width $2 --local 64 --kernel $3 --emit asm | grep -cE "$4"; }; test $(c x86-64-v4 16 product 'gather|scatter|kmov|\{%k') = 0 && test $(c x86-64-v4 16 chosen 'gatherqpd|pgatherqq|gatherdpd|pgatherdq') -gt 0 && test $(c x86-64-v4 16 chosen 'gather[dq]ps|pgather[dq]d') = 0 && test $(c x86-64-v3 8 grey 'vpmovzx|vpunpck') = 0
kernel void product(global const float *a, global const float *b, global float *out) {
    int i = get_global_id(0);
    float ar = a[2 * i], ai = a[2 * i + 1], br = b[2 * i], bi = b[2 * i + 1];
    out[2 * i] = ar * br - ai * bi;
    out[2 * i + 1] = ar * bi + ai * br;
}
kernel void chosen(global const float *a, global const int *list, global float *out) {
    int i = get_global_id(0), j = list[i];
    out[i] = a[2 * j] * a[2 * j + 1];
}
kernel void grey(global const uchar4 *in, global uint *out) {
    uchar4 p = in[get_global_id(0)];
    out[get_global_id(0)] = p.x * 7700000 + p.y * 15100000 + p.z * 2800000;
}
