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
// Also where the tile has padding, by two indices, of which LLVM gets the second one as what the quotient leaves; and such rows aren't
// taken for lines of the cache of each lane, so packs are worth it.
// RUN: %weirc %s --kernel padded --width 16 --local 256 --cpu x86-64-v4 --stop-after promote | FileCheck %s --check-prefix=PADDED
// RUN: %weirc %s --kernel padded --local 256 --cpu x86-64-v4 --report text | FileCheck %s --check-prefix=WIDTH
// PADDED: call void @llvm.masked.store
// PADDED: call void @llvm.masked.store
// PADDED-NOT: scatter
// WIDTH-NOT: nothing is gained by lanes
// WIDTH: store local int {{.*}}contiguous in rows
kernel void padded(global const int *in, global int *out, int pitch) {
    local int s[18][19];
    int l = get_local_id(0);
    for (int i = l; i < 18 * 18; i += 256) {
        int row = i / 18, column = i - row * 18;
        s[row][column] = in[row * pitch + column];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = s[1 + l / 16][1 + l % 16];
}
// Without masked loads of bytes a row that some lanes read is read whole where it lies in one page; one row at first, as most packs are in.
// RUN: %weirc %s --kernel bytes --width 16 --local 64 --cpu x86-64-v3 --stop-after promote | FileCheck %s --check-prefix=BYTES
// RUN: %weirc %s --kernel bytes --width 16 --local 64 --cpu x86-64-v3 --report text | FileCheck %s --check-prefix=REPORT_BYTES
// BYTES: br {{.*}} label %one.row, label %rows
// BYTES: page:
// BYTES-NEXT: load <16 x i8>
// REPORT_BYTES: load global char {{.*}}contiguous in rows
kernel void bytes(global const uchar *in, global int *out, int pitch) {
    uint l = get_local_id(0);
    out[l] = in[l / 20 * pitch + l % 20];
}
