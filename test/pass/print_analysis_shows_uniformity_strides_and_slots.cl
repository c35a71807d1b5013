// RUN: %weirc %s --local 64,1,1 --width 8 --print-analysis | FileCheck %s
// RUN: %weirc %s --local 64,1,1 --width 1 --print-analysis | FileCheck %s --check-prefix=ALONE
// CHECK: ; kernel k, local size 64,1,1, width 8
// CHECK: entry: {{.*}}; once for the group
// CHECK: %[[ID:[0-9]+]] = call i32 @__weir_local_id_32_0() {{ *}}; stride 1, exact
// CHECK: icmp {{.*}} %[[ID]], 32 {{ *}}; pack
// CHECK: %[[SHIFTED:[0-9]+]] = shl {{.*}}%[[ID]], 29 {{ *}}; stride 536870912, may wrap
// CHECK: icmp slt i32 %[[SHIFTED]], {{.*}}; varies
// CHECK: br i1 {{.*}}; lanes part
// CHECK: ; region 0, island 0, place 4
// CHECK: call void @__weir_barrier
// CHECK: ; kernel k: values in variables
// CHECK: ; after the barrier to region 1 live: %[[SUM:[a-z.0-9]+]]{{$}}
// CHECK: %[[SUM]] = alloca i32{{.*}}; 4 bytes, in the context at 0 of 4
// CHECK: ; live: %[[SUM]]
// ALONE: call i32 @__weir_local_id_32_0() {{ *}}; varies
// ALONE-NOT: {{stride|lanes part|island}}
kernel void k(global int *out, global const int *in, int n) {
    uint l = get_local_id(0);
    local int shared[64];
    int sum = l < 32 ? in[5] : in[l * 3];
    shared[l] = sum;
    if ((int)(l << 29) < n)
        sum = in[sum] / in[sum + 1];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = shared[63 - l] + sum;
}
