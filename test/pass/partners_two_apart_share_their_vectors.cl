// What a round of a scan reads, of 4 * l + 1 and 4 * l + 3, lies in the same four vectors, also where the first is computed as
// (2 * l + 1) * 2 - 1: a vector begins one element before the first, three before the second.
// RUN: %weirc %s --width 16 --local 1024 --cpu x86-64-v4 --stop-after promote | FileCheck %s
// CHECK: [[AT:%[0-9]+]] = getelementptr i8, ptr addrspace(3) %{{[0-9]+}}, i64 -4
// CHECK-NEXT: getelementptr inbounds i8, ptr addrspace(3) [[AT]], i64 -4
// CHECK: getelementptr inbounds i8, ptr addrspace(3) %{{[0-9]+}}, i64 -12
kernel void k(global const int *in, local int *s, global int *out) {
    uint l = get_local_id(0), odd = 2 * l + 1;
    s[odd - 1] = in[2 * l];
    s[odd] = in[odd];
    s[odd + 2048] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < 512)
        s[2 * (odd + 1) - 1] += s[2 * odd - 1];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = s[l];
}
