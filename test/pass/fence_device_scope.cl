// A barrier at device scope with the global flag orders memory for other threads. At work-group scope, or for local
// memory alone, one thread's program order is enough; only in kernels whose work-groups may watch each other the
// compiler keeps to it in global memory.
// RUN: %weirc %s --kernel device --options "-cl-std=CL3.0" --emit=ll -o - | FileCheck --check-prefix=DEVICE %s
// RUN: %weirc %s --kernel group --options "-cl-std=CL3.0" --emit=ll -o - | FileCheck --check-prefix=GROUP %s
// RUN: %weirc %s --kernel local_only --options "-cl-std=CL3.0" --emit=ll -o - | FileCheck --check-prefix=GROUP %s
// RUN: %weirc %s --kernel watched --options "-cl-std=CL3.0" --emit=ll -o - | FileCheck --check-prefix=WATCHED %s
// RUN: %weirc %s --kernel seq_cst --options "-cl-std=CL3.0" --emit=asm -o - | FileCheck --check-prefix=ASM %s
// DEVICE: fence acq_rel
// GROUP-NOT: {{^ *fence}}
// WATCHED-NOT: fence acq_rel
// WATCHED: fence syncscope("singlethread") acq_rel
// WATCHED-NOT: fence acq_rel
// ASM: {{mfence|lock}}
kernel void device(global int *p) {
    p[get_local_id(0)] = 1;
    work_group_barrier(CLK_GLOBAL_MEM_FENCE, memory_scope_device);
    p[get_local_id(0) ^ 1] += 1;
}
kernel void group(global int *p) {
    p[get_local_id(0)] = 1;
    work_group_barrier(CLK_GLOBAL_MEM_FENCE, memory_scope_work_group);
    p[get_local_id(0) ^ 1] += 1;
}
kernel void local_only(global int *p) {
    p[get_local_id(0)] = 1;
    work_group_barrier(CLK_LOCAL_MEM_FENCE, memory_scope_device);
    p[get_local_id(0) ^ 1] += 1;
}
kernel void watched(global int *p, global atomic_int *flag) {
    if (get_local_id(0) == 0)
        while (!atomic_load_explicit(flag, memory_order_relaxed))
            ;
    work_group_barrier(CLK_GLOBAL_MEM_FENCE);
    p[get_local_id(0) ^ 1] += 1;
}
kernel void seq_cst(global int *p) {
    p[get_local_id(0)] = 1;
    atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_seq_cst, memory_scope_device);
    p[get_local_id(0) ^ 1] += 1;
}
