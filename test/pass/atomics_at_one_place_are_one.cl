// What a pack's work-items add to one place is one atomic for all of them, also where each gets the sum before it; other
// atomics are in the code once, in a loop over lanes, and once for when all lanes are at one place.
// RUN: c() { %weirc %s --local 64 --width $1 --kernel $2 --stop-after promote | grep -c 'atomicrmw'; }; test $(c 16 one) = 3 && test $(c 4 one) = 3 && test $(c 16 each) = 3 && test $(c 8 each) = 3
// RUN: %weirc %s --local 64 --width 16 --kernel one --emit ll | FileCheck %s
// CHECK: atomicrmw {{.*}}add ptr addrspace(1) %{{[^,]*}}, i32 16 
kernel void one(global int *n, global int *sums, global const int *v, global int *old) {
    size_t g = get_global_id(0);
    atomic_inc(&n[1]);
    atomic_max(&sums[0], v[g]);
    old[g] = atomic_add(&sums[1], v[g]);
}
kernel void each(global int *n, global const int *at, global int *old) {
    size_t g = get_global_id(0);
    atomic_inc(&n[at[g]]);
    old[g] = atomic_inc(&n[at[g] + 64]);
}
