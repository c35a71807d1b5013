// Without masked loads of bytes, a row that some lanes read is read whole where it lies in one page: what a lane that is on reads is
// there, so is the rest. Only a row that goes on in the next page is read by the lanes that are on. With masked loads nobody looks.
// RUN: %weirc %s --local 64 --cpu x86-64-v3 --stop-after promote | FileCheck %s
// RUN: %weirc %s --local 64 --cpu x86-64-v4 --stop-after promote | FileCheck %s --check-prefix=MASKED
// CHECK: icmp ule i64 {{.*}}, 40{{[0-9][0-9]}}
// CHECK: page:
// CHECK-NEXT: load <{{8|16}} x i8>
// CHECK: pages:
// CHECK-NEXT: masked.load
// MASKED-NOT: page:
// MASKED: masked.load
kernel void k(global const uchar *a, global int *n) {
    size_t l = get_global_id(0);
    int i = 0;
    while (a[l + i] != 7)
        i++;
    n[l] = i;
}
