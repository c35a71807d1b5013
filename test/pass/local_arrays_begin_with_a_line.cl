// Of local arrays of a line of the cache and more each begins with a line, so that rows of packs lie within lines; smaller ones don't.
// RUN: %weirc %s --kernel k --local 16 --stop-after local | FileCheck %s
// CHECK: getelementptr inbounds i8, ptr %{{.*}}, i64 80
// CHECK: getelementptr inbounds i8, ptr %{{.*}}, i64 128
kernel void k(global float *a) {
    local float first[17], small[2], second[32];
    int l = get_local_id(0);
    first[l] = a[l];
    small[l & 1] = a[0];
    second[l] = a[l] + 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    a[l] = first[15 - l] + second[15 - l] + small[0];
}
