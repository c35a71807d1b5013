// In a loop where sub-groups may wait for each other they take turns, unless the program does without.
// RUN: %weirc %s --width 8 --local 64 --options "-cl-std=CL3.0" --report text -o - | FileCheck --check-prefix=TURNS %s
// RUN: %weirc %s --width 8 --local 64 --options "-cl-std=CL3.0 -cl-no-subgroup-ifp" --report text -o - | FileCheck %s
// TURNS: :10 loop {{ *}}sub-groups take turns
// CHECK-LABEL: token
// CHECK-NOT: take turns
kernel void token(global atomic_uint *next, global uint *p) {
    uint me = get_sub_group_id();
    if (get_sub_group_local_id() == 0)
        while (atomic_load(next) != me)
            ;
    p[get_local_id(0)] = sub_group_broadcast(me, 0);
    atomic_store(next, me + 1);
}
