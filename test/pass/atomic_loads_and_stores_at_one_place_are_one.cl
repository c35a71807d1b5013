// What a pack's work-items load from and store to one place atomically is one access for all of them, with and without masks;
// the loop around it is in the code once, as the atomics take its time.
// RUN: c() { %weirc %s --options -cl-std=CL3.0 --local 16 --width $1 --kernel some --emit ll | grep -c "$2 atomic"; }; test $(c 16 store) = 1 && test $(c 8 store) = 1 && test $(c 16 load) = 1
kernel void some(local atomic_int *sums, global int *v, uint n) {
    if (get_local_id(0) == 0)
        for (uint i = 0; i < n; i++)
            atomic_store_explicit(sums + i, v[i], memory_order_relaxed, memory_scope_work_group);
    barrier(CLK_LOCAL_MEM_FENCE);
    v[get_global_id(0)] = atomic_load_explicit(sums, memory_order_relaxed, memory_scope_work_group);
}
