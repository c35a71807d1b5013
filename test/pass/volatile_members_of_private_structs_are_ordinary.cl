// Whatever learns the address of a private variable, only the work-item may access it: neither the variable nor a copy of
// it is volatile, and no lane has a branch of its own.
// RUN: %weirc %s --width 8 --local 20 --cpu x86-64-v4 --stop-after regions | FileCheck %s
// CHECK-NOT: {{load|store}} volatile
// CHECK-NOT: lane.next
struct pair {
    volatile int a;
    volatile char b;
    volatile int2 c;
    int *at;
};
kernel void k(global int *out) {
    size_t g = get_global_id(0);
    int own = g;
    struct pair p = {1, 2, (int2)(3, 4), &own}, q = p, *way = &q;
    way->a += g;
    way->b ^= p.b + g;
    way->c.x += *way->at;
    out[g] = q.a + q.b + q.c.x + q.c.y;
}
