// What a work-item adds to an element of local memory that it finds by what it has read is a load, a sum and a store for each
// lane: no gather, no scatter. Where the old value is used, or elements lie in a row, packs have vectors.
// RUN: %weirc %s --kernel columns --local 64 --cpu x86-64-v4 --report text | FileCheck %s --check-prefix=COUNTS
// RUN: %weirc %s --kernel columns --local 64 --cpu x86-64-v3 --report text | FileCheck %s --check-prefix=COUNTS
// RUN: %weirc %s --kernel columns --local 64 --cpu x86-64-v4 --emit asm | FileCheck %s --check-prefix=CODE
// RUN: %weirc %s --kernel ranks --local 64 --cpu x86-64-v4 --report text | FileCheck %s --check-prefix=VECTORS
// RUN: %weirc %s --kernel row --local 64 --cpu x86-64-v4 --report text | FileCheck %s --check-prefix=VECTORS
// COUNTS: atomic local char {{ *}}lane by lane
// CODE-NOT: {{vpgather|vpscatter|vpinsrb}}
// VECTORS-NOT: lane by lane
kernel void columns(global const uchar *in, global uint *out) {
    local uchar h[64][64];
    int l = get_local_id(0);
    for (int b = 0; b < 64; b++)
        h[b][l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < 64; i++)
        h[in[i * 64 + l] >> 2][l]++;
    barrier(CLK_LOCAL_MEM_FENCE);
    uint sum = 0;
    for (int b = 0; b < 64; b++)
        sum += h[b][l] * b;
    out[get_global_id(0)] = sum;
}

kernel void ranks(global const uint *in, global uint *out) {
    local uint h[16][64];
    int l = get_local_id(0);
    for (int b = 0; b < 16; b++)
        h[b][l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    uint rank = h[in[get_global_id(0)] & 15][l]++;
    out[get_global_id(0)] = rank;
}

kernel void row(global const uint *in, global uint *out) {
    local uint h[64];
    int l = get_local_id(0);
    h[l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < 64; i++)
        h[l] += in[i * 64 + l];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = h[63 - l];
}
