// Whether any or all components of a work-item's vector are true is a mask for the pack: no bits are put together lane by lane.
// RUN: %weirc %s --local 64 --width 16 --stop-after promote | FileCheck %s
// CHECK-NOT: {{ i4[ ,]}}
// CHECK-COUNT-3: or <16 x i1>
// CHECK-NOT: {{ i4[ ,]}}
kernel void k(global const float4 *a, global int *o) {
    size_t i = get_global_id(0);
    float4 x = a[i];
    int r = any(x > 1.0f) ? 5 : 0;
    r += all(x < 100.0f) ? 7 : 1;
    r += any(x != 0.0f) && !all(x == 2.0f);
    o[i] = r;
}
