// The one work-item after the last full pack writes its own element, not the wider value that it was truncated from.
// RUN: %weirc %s --kernel k --cpu x86-64-v4 --width 2 --local 3,1,1 --emit=ll -o - | FileCheck %s
// CHECK-NOT: call void @llvm.masked.store{{.*}}<i1 true, i1 false>
kernel void k(global uchar *p) {
    size_t l = get_local_id(0);
    p[l] = get_global_id(0) % 100;
}
