// A kernel whose work-groups may wait for others doesn't say "in any order" to the scheduler (4 among its flags): lower numbers are handed out first,
// so that what a work-group waits for has begun.
// RUN: %weirc %s --kernel chained --local 64,1,1 --emit=ll --stop-after=publish -o - | FileCheck %s --check-prefix=IN-ORDER
// RUN: %weirc %s --kernel ticket --local 64,1,1 --emit=ll --stop-after=publish -o - | FileCheck %s --check-prefix=ANY
// RUN: %weirc %s --kernel ticket --width 1 --local 64,1,1 --emit=ll --stop-after=publish -o - | FileCheck %s --check-prefix=IN-ORDER
// IN-ORDER: @weir_kernel = {{.*}}[i32 64, i32 1, i32 1], i32 {{[01]}}, i64
// ANY: @weir_kernel = {{.*}}[i32 64, i32 1, i32 1], i32 {{[45]}}, i64
kernel void chained(global atomic_int *done, global int *sum) {
    int group = get_group_id(0), l = get_local_id(0);
    if (l == 0 && group)
        while (!atomic_load_explicit(&done[group - 1], memory_order_acquire, memory_scope_device)) {
        }
    barrier(CLK_GLOBAL_MEM_FENCE);
    sum[get_global_id(0)] = group ? sum[get_global_id(0) - 64] + 1 : 0;
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (l == 0)
        atomic_store_explicit(&done[group], 1, memory_order_release, memory_scope_device);
}
// At width 1 functions may be called, and nobody looks into them.
kernel void ticket(global atomic_int *next, global int *order) {
    order[get_global_id(0)] = atomic_fetch_add(next, 1);
}
