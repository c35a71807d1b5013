// A group of two to eight vectors is no one pack where the run tells how far work-items' elements are turned: a vector's are in one
// row, mostly, the whole group's never. Where the program says how far, they are shuffled.
// RUN: %weirc %s --cpu x86-64-v3 --kernel by_step --local 64 --report text | FileCheck %s --check-prefix STEP
// RUN: %weirc %s --cpu x86-64-v3 --kernel by_one --local 64 --report text | FileCheck %s --check-prefix ONE
// STEP: 8: where elements lie is found out for a vector at a time
// STEP: store local float {{.*}}contiguous if in a row
// ONE: 64: the whole work-group
kernel void by_step(global float *a, local float *t, int n) {
    uint l = get_local_id(0), size = get_local_size(0);
    float x = a[get_global_id(0)];
    for (int i = 0; i < n; i++) {
        t[(l + i) & (size - 1)] = x;
        barrier(CLK_LOCAL_MEM_FENCE);
        x += t[l];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    a[get_global_id(0)] = x;
}
kernel void by_one(global float *a, int n) {
    local float t[64];
    uint l = get_local_id(0), size = get_local_size(0);
    float x = a[get_global_id(0)];
    for (int i = 0; i < n; i++) {
        t[(l + 1) % size] = x;
        barrier(CLK_LOCAL_MEM_FENCE);
        x += t[l];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    a[get_global_id(0)] = x;
}
