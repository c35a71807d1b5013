// Stores to one variable leave what is read of another one the group's: who goes around the loop is the same for all.
// RUN: %weirc %s --local 64 --report text | FileCheck %s
// CHECK-LABEL: apart, local size
// CHECK: loop {{ *}}uniform, across barriers
// CHECK-LABEL: arguments, local size
// CHECK: loop {{ *}}uniform, across barriers
// CHECK-LABEL: either, local size
// CHECK: loop {{ *}}divergent, across barriers
kernel void apart(global int *p) {
    local int s[64], flag;
    int l = get_local_id(0), again;
    do {
        if (l == 0)
            flag = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (p[l] > s[l])
            flag = 1;
        barrier(CLK_LOCAL_MEM_FENCE);
        s[l] = p[l];
        again = flag;
        barrier(CLK_LOCAL_MEM_FENCE);
    } while (again);
    p[l] = s[l];
}
kernel void arguments(global int *p, local int *s, local int *flag) {
    int l = get_local_id(0), again;
    do {
        if (l == 0)
            *flag = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (p[l] > s[l])
            *flag = 1;
        barrier(CLK_LOCAL_MEM_FENCE);
        s[l] = p[l];
        again = *flag;
        barrier(CLK_LOCAL_MEM_FENCE);
    } while (again);
    p[l] = s[l];
}
kernel void either(global int *p, local int *s, local int *flag, int which) {
    int l = get_local_id(0), again;
    local int *to = which ? s : flag;
    do {
        if (l == 0)
            *flag = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (p[l] > s[l])
            *flag = 1;
        barrier(CLK_LOCAL_MEM_FENCE);
        to[l] = p[l];
        again = *flag;
        barrier(CLK_LOCAL_MEM_FENCE);
    } while (again);
    p[l] = s[l];
}
