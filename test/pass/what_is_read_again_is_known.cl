// An element that is read again after stores to other elements isn't loaded again, also where an index of 32 bits may wrap around;
// one that may have been stored is.
// RUN: %weirc %s --kernel known --width 16 --local 64 --stop-after reads-again | FileCheck %s
// RUN: %weirc %s --kernel unknown --width 16 --local 64 --stop-after reads-again | FileCheck --check-prefix=UNKNOWN %s
// CHECK-LABEL: define
// CHECK-COUNT-2: load i32, ptr addrspace(3)
// CHECK-NOT: load i32, ptr addrspace(3)
kernel void known(global const uint *in, global uint *out, local uint *s, uint n) {
    uint l = get_local_id(0), low = 2 * n * l + 127, high = 2 * n * l + 255, t = s[low];
    s[low] = s[high];
    s[high] += t;
}
// UNKNOWN-LABEL: define
// UNKNOWN-COUNT-3: load i32, ptr addrspace(3)
kernel void unknown(global const uint *in, global uint *out, local uint *s, uint n) {
    uint l = get_local_id(0), low = 2 * n * l + 127, high = 4 * n * l + 255, t = s[low];
    s[low] = s[high];
    s[high] += t;
}
