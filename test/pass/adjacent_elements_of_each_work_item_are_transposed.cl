// Each work-item reads eight adjacent elements and writes eight: whole pieces of memory and shuffles, no gather or scatter. Elements
// that lie in a row for a pack stay as they are, and so do reads that a write to elsewhere may change.
// RUN: a() { %weirc %s --cpu x86-64-v4 --width 16 --local 64 --kernel $1 $3 --emit asm | grep -cE "$2"; }; test $(a apart 'gather|scatter') = 0 && test $(a apart 'vunpck|vmovlh|vmovhl') -ge 24 && test $(a rows 'vunpck|gather') = 0 && test $(a mixed 'scatter|gather') = 0 && test $(a mixed 'scatter|gather' --may-overlap) -gt 0
kernel void apart(global const float *in, global float *out, int n) {
    int i = get_global_id(0) * 8;
    float v[8], sum = 0;
    for (int j = 0; j < 8; j++) {
        v[j] = in[i + j];
        sum += v[j];
    }
    for (int j = 0; j < 8; j++)
        out[get_global_id(0) * n + j] = v[j] * sum;
}
kernel void rows(global const float *in, global float *out) {
    int i = get_global_id(0);
    float sum = 0;
    for (int j = 0; j < 8; j++)
        sum += in[i + j];
    out[i] = sum;
}
kernel void mixed(global const float *in, global float *out, int n) {
    int i = get_global_id(0) * n;
    for (int j = 0; j < 4; j++)
        out[i + j] = in[i + j] + 1;
}
