// Where all packs of a group do a round before any does the next, a round is a turn of the loop over packs, too: wider packs have fewer.
// RUN: %weirc %s --local 256 --cpu x86-64-v4 --report text | FileCheck %s
// CHECK: width {{ *}}16
// CHECK-NEXT: {{^ *}}32: about
kernel void histogram(global const uint *in, global uint *out, uint n) {
    local uint bins[256];
    uint l = get_local_id(0);
    bins[l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = get_global_id(0); i < n; i += get_global_size(0))
        atomic_inc(&bins[in[i] & 255]);
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_add(&out[l], bins[l]);
}
