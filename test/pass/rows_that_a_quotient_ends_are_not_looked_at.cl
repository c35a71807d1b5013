// A pack that goes from one row of a tile on to the next, by a constant: a vector of each row under a mask, and no vector of indices. Where
// it may be in three rows, so many; where lanes are off, too. What takes more than one quotient asks first whether there is one row.
// RUN: %weirc %s --kernel halo --width 16 --local 64 --cpu x86-64-v4 --stop-after optimize | FileCheck %s --check-prefix=HALO
// RUN: %weirc %s --kernel short_rows --width 16 --local 64 --cpu x86-64-v4 --stop-after promote | FileCheck %s --check-prefix=SHORT
// RUN: %weirc %s --kernel stores --width 8 --local 64 --cpu x86-64-v3 --stop-after promote | FileCheck %s --check-prefix=STORES
// RUN: %weirc %s --kernel box --width 8 --local 256 --cpu x86-64-v3 --stop-after promote | FileCheck %s --check-prefix=BOX
// RUN: %weirc %s --kernel halo --local 64 --cpu x86-64-v4 --report text | FileCheck %s --check-prefix=REPORT
// HALO-NOT: {{gather|row:|rows:|div <16|rem <16}}
// HALO: call <16 x i32> @llvm.masked.load
// HALO-NOT: {{gather|row:|rows:|div <16|rem <16}}
// HALO: call <16 x i32> @llvm.masked.load
// HALO-NOT: {{gather|row:|rows:|div <16|rem <16}}
// REPORT: load  global int {{.*}}contiguous in rows
kernel void halo(global const int *in, global int *out, int pitch) {
    uint l = get_local_id(0);
    out[l] = in[l / 18 * pitch + l % 18 + 1];
}
// SHORT-COUNT-3: call <16 x i32> @llvm.masked.load
// SHORT-NOT: {{gather|row:|rows:}}
kernel void short_rows(global const int *in, global int *out, int pitch) {
    uint l = get_local_id(0);
    if (l > 5)
        out[l] = in[l / 10 * pitch + l % 10];
}
// STORES-COUNT-2: call void @llvm.masked.store
// STORES-NOT: {{scatter|row:|rows:}}
kernel void stores(global const int *in, global int *out, int pitch) {
    uint l = get_local_id(0);
    out[l / 9 * pitch + l % 9] = in[l];
}
// BOX: br {{.*}} label %one.row, label %rows
// BOX-NOT: gather
kernel void box(global const int *in, global int *out, int pitch, int plane) {
    uint l = get_local_id(0);
    out[l] = in[l / 60 * plane + l / 20 % 3 * pitch + l % 20];
}
