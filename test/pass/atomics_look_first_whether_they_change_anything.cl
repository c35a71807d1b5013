// A relaxed minimum, maximum, conjunction or disjunction is carried out where a look has found that it changes something. Behind
// a fence for other threads it orders what comes before it, and is always carried out; and so are sums.
// RUN: %weirc %s --kernel relax --local 16 --emit ll | FileCheck %s --check-prefix RELAX
// RUN: %weirc %s --kernel publish --local 16 --emit ll | FileCheck %s --check-prefix PUBLISH
// RUN: %weirc %s --kernel count --local 16 --emit ll | FileCheck %s --check-prefix COUNT

// RELAX: load atomic volatile i32, {{.*}} unordered
// RELAX-NEXT: icmp slt
// RELAX-NEXT: br i1
// RELAX: atomicrmw {{.*}}min
kernel void relax(global int *d, global const int *to, global const int *w) {
    size_t i = get_global_id(0);
    atomic_min(&d[to[i]], w[i]);
}

// PUBLISH-NOT: load atomic
// PUBLISH: atomicrmw {{.*}}or
kernel void publish(global uint *bits, global uint *data, global const uint *to) {
    size_t i = get_global_id(0);
    data[i] = (uint)i;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    atomic_or(&bits[to[i]], 1u);
}

// COUNT-NOT: load atomic
// COUNT: atomicrmw {{.*}}add
kernel void count(global uint *bins, global const uint *to) { atomic_inc(&bins[to[get_global_id(0)]]); }
