// LLVM may take the last lane that is on before it knows that one is; what it computes of a mask that is 0 is no lane, and its code
// generator would read whatever is there.
// RUN: %weirc %s --kernel k --local 16 --width 16 --cpu x86-64-v3 --stop-after lane-index | FileCheck %s
// CHECK-LABEL: define internal void @weir.k(
// CHECK: call {{.*}}@llvm.ctlz
// CHECK: [[LANE:%lane]] = freeze i
// CHECK: extractelement <16 x i32> {{.*}}, i{{[0-9]+}} [[LANE]]
kernel void k(global const int *in, global int *out) {
    int l = get_local_id(0), x = in[get_global_id(0)];
    if (x > 80)
        out[get_group_id(0)] = x * l;
}
