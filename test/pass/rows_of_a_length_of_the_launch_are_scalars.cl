// Where a length that the launch gives, and what a group's ids begin with, are multiples of a pack, quotients are scalars and
// remainders rows: in code of its own, behind one branch. So are partners at such a distance, and quotients of global ids by constants.
// RUN: %weirc %s --kernel rows --width 16 --local 256 --stop-after row-versions | FileCheck %s --check-prefix=ROWS
// ROWS: br i1 %{{[0-9]+}}, label %rows, label %any
// ROWS: any:
// ROWS: srem i32
// ROWS: rows:
// ROWS: and i64 %base, -32
// ROWS: urem i32
// RUN: %weirc %s --kernel rows --width 16 --local 256 --stop-after promote | FileCheck %s --check-prefix=PACKS
// PACKS: = udiv i32
// PACKS-NOT: gather
// PACKS: load <16 x float>
// PACKS-NOT: gather
// PACKS: store <16 x float>
// RUN: %weirc %s --kernel partners --width 16 --local 256 --stop-after promote | FileCheck %s --check-prefix=PARTNERS
// PARTNERS: = icmp ugt i32
// PARTNERS: store <16 x i32>
// RUN: %weirc %s --kernel tiles --width 16 --local 256 --stop-after row-versions | FileCheck %s --check-prefix=TILES
// TILES: br i1 %{{[0-9]+}}, label %rows, label %any
// What leads to no address, and groups that packs don't fill, are there once.
// RUN: %weirc %s --kernel hash --width 16 --local 256 --stop-after row-versions | FileCheck %s --check-prefix=HASH
// HASH-NOT: rows:
// RUN: %weirc %s --kernel rows --width 16 --local 100 --stop-after row-versions | FileCheck %s --check-prefix=HASH
kernel void rows(global const float *in, global float *out, int width) {
    int i = get_global_id(0), x = i % width, y = i / width;
    out[i] = in[y * width + x] * in[x];
}
kernel void partners(global uint *a, uint j) {
    uint i = get_global_id(0), p = i ^ j;
    if (p > i) {
        uint x = a[i];
        a[i] = a[p];
        a[p] = x;
    }
}
kernel void tiles(global const float *in, global float *out) {
    size_t i = get_global_id(0);
    out[i] = in[i / 64 * 80 + i % 64];
}
kernel void hash(global uint *out) {
    uint x = get_global_id(0);
    out[x] = x ^ x >> 8;
}
