// Three adjacent elements of each work-item are vectors of their row and shuffles, two for each element; nothing looks whether the index
// wraps around, as it can't within a buffer, but where buffers may be any.
// RUN: c() { %weirc %s --cpu $1 --width $2 --local 64 --kernel $3 $5 --emit asm | grep -cE "$4"; }; test $(c x86-64-v4 16 points 'gather|scatter|\sj[ab]e?\s|kmov') = 0 && test $(c x86-64-v4 16 points 'vperm[ti]2ps') -le $((4 * 12)) && test $(c x86-64-v3 8 points 'vmovss|vextractps|vinsertps') = 0 && test $(c x86-64-v4 16 thirds 'gather|scatter|\sja\s') = 0 && test $(c x86-64-v4 16 points 'gather' --may-overlap) -gt 0 && test $(c x86-64-v4 16 copies 'gather|scatter') = 0
kernel void points(global const float *in, global float *out, float c, float d) {
    uint i = get_global_id(0);
    float x = in[3 * i], y = in[3 * i + 1], z = in[3 * i + 2];
    out[3 * i] = x * c - y * d;
    out[3 * i + 1] = x * d + y * c;
    out[3 * i + 2] = z + 1;
}
kernel void thirds(global const float *in, global float *out) {
    uint i = get_global_id(0);
    out[i] = in[3 * i] + in[3 * i + 2];
}
kernel void copies(global const float *in, global float *out) {
    vstore3(vload3(get_global_id(0), in) * 2.0f, get_global_id(0), out);
}
