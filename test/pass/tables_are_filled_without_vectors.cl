// A work-item alone that fills its part of a table in steps of the work-group's size does so element by element: LLVM would make vectors of its
// rounds, and a branch for each element, as it doesn't know that there are equally many.
// RUN: %weirc %s --local 128 --cpu x86-64-v3 --stop-after optimize -o - | FileCheck %s
// CHECK: define {{.*}}void @weir.k(
// CHECK-NOT: icmp {{.*}} <
// CHECK: ret void
kernel void k(global const uint *a, global uint *different) {
    local uint table[1024], n;
    int l = get_local_id(0);
    if (l == 0)
        n = 0;
    for (int i = l; i < 1024; i += 128)
        table[i] = ~0u;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int j = 0; j < 4; j++) {
        uint x = a[get_group_id(0) * 512 + j * 128 + l], place = (x * 2654435761u) >> 22;
        while (1) {
            uint old = atomic_cmpxchg(&table[place], ~0u, x);
            if (old == ~0u)
                atomic_inc(&n);
            if (old == ~0u || old == x)
                break;
            place = (place + 1) & 1023;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0)
        different[get_group_id(0)] = n;
}
