// A sorting network whose barrier ends each round: for short steps the partner's elements are shuffled, and who exchanges is known.
// RUN: %weirc %s --width 16 --local 256 --stop-after flipped-bits | FileCheck %s --check-prefix=BIT
// BIT-COUNT-4: step.{{[0-9]+}}:
// BIT: icmp eq i32 %{{.*}}, 0
// RUN: %weirc %s --width 16 --local 256 --stop-after promote | FileCheck %s
// CHECK-NOT: masked.gather
// CHECK: shufflevector <16 x i32>
// CHECK-NOT: masked.scatter
kernel void k(global uint *a) {
    local uint t[256];
    uint l = get_local_id(0);
    t[l] = a[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    #pragma nounroll
    for (uint s = 2; s <= 256; s <<= 1)
        for (uint j = s >> 1; j > 0; j >>= 1) {
            uint p = l ^ j;
            if (p > l) {
                uint x = t[l], y = t[p];
                if ((x > y) == ((l & s) == 0)) {
                    t[l] = y;
                    t[p] = x;
                }
            }
            barrier(CLK_LOCAL_MEM_FENCE);
        }
    a[get_global_id(0)] = t[l];
}
