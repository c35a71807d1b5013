// A vector that is zero where lanes are off goes to shuffles behind a fence: LLVM's code generator would take it from memory, lanes
// that are off included. Sums of lanes that don't change places take none.
// RUN: %weirc %s --kernel k --local 16 --width 16 --cpu x86-64-v4 --stop-after masked-operands | FileCheck %s
// CHECK-LABEL: define internal void @weir.k(
// CHECK: [[ONE:%[0-9]+]] = select <16 x i1> {{.*}}, <16 x i32> zeroinitializer
// CHECK: [[FLOATS:%[0-9]+]] = bitcast <16 x i32> [[ONE]] to <16 x float>
// CHECK: [[KEPT:%[0-9]+]] = call <16 x float> @llvm.arithmetic.fence.v16f32(<16 x float> [[FLOATS]])
// CHECK: [[X:%[0-9]+]] = bitcast <16 x float> [[KEPT]] to <16 x i32>
// CHECK: @llvm.vector.reduce.add.v16i32(<16 x i32> [[X]])
// CHECK-NOT: call {{.*}}arithmetic.fence
kernel void k(global int *out, global const int *in) {
    int g = get_global_id(0), lane = get_sub_group_local_id(), v = g;
    if (in[g] > 5)
        v = sub_group_non_uniform_reduce_add((int)(lane == 6));
    out[g] = v > 3 ? in[g + 16] + v : v;
}
