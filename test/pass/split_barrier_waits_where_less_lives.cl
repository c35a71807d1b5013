// Work-items wait at the half of a split barrier where they have less to keep; the other half ends no region.
// RUN: %weirc %s --local 256 --options -cl-std=CL3.0 --report text -o - | FileCheck %s
// CHECK-LABEL: first
// CHECK: region 1  after the barrier at {{.*}}:21
// CHECK-NOT: region 2
// CHECK-LABEL: second
// CHECK: region 1  after the barrier at {{.*}}:32
// CHECK-NOT: region 2
// CHECK-LABEL: pipelined
// CHECK: region 1  after the barrier at {{.*}}:39
// CHECK-NOT: live per work-item
// CHECK: region 2  after the barrier at {{.*}}:45
// CHECK-NOT: live per work-item
// CHECK-NOT: region 3
// RUN: %weirc %s --kernel fences --local 64 --options -cl-std=CL3.0 --stop-after split-barrier -o - | FileCheck %s --check-prefix FENCES
// FENCES: fence release
// FENCES: call void @__weir_barrier(i32 2, i32 2)
kernel void first(global const float *in, global float *out, int n) {
    local float s[256];
    s[get_local_id(0)] = in[get_global_id(0)];
    intel_work_group_barrier_arrive(CLK_LOCAL_MEM_FENCE);
    float a = in[get_global_id(0) + n] * in[get_global_id(0) + 2 * n];
    intel_work_group_barrier_wait(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = s[255 - get_local_id(0)] * a;
}
kernel void second(global const float *in, global float *out, int n) {
    local float s[256];
    float a = in[get_global_id(0)], b = in[get_global_id(0) + n];
    s[get_local_id(0)] = a + b;
    intel_work_group_barrier_arrive(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = a * b;
    intel_work_group_barrier_wait(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0) + n] = s[255 - get_local_id(0)];
}
kernel void pipelined(global const float *in, global float *out, int n) {
    local float s[2][256];
    size_t l = get_local_id(0);
    s[0][l] = in[l];
    intel_work_group_barrier_arrive(CLK_LOCAL_MEM_FENCE);
    for (int j = 1; j < n; j++) {
        float next = in[l + j * 256];
        intel_work_group_barrier_wait(CLK_LOCAL_MEM_FENCE);
        out[l + j * 256] = s[(j - 1) % 2][255 - l];
        s[j % 2][l] = next;
        intel_work_group_barrier_arrive(CLK_LOCAL_MEM_FENCE);
    }
    intel_work_group_barrier_wait(CLK_LOCAL_MEM_FENCE);
    out[l] = s[(n - 1) % 2][255 - l];
}
kernel void fences(global int *p, global int *q) {
    int x = p[get_global_id(0)];
    q[get_global_id(0)] = x;
    intel_work_group_barrier_arrive(CLK_GLOBAL_MEM_FENCE, memory_scope_device);
    p[get_global_id(0)] = x + 1;
    intel_work_group_barrier_wait(CLK_GLOBAL_MEM_FENCE, memory_scope_device);
}
