// Checks that lanes part before stand behind a branch, also where LLVM has taken the access away: for no lane at all their addresses are
// poison, and so would be what they branch on.
// RUN: %weirc %s --kernel k --check --local 16 --width 16 --cpu x86-64-v4 --stop-after regions | FileCheck %s
// CHECK-COUNT-2: br i1 %any{{[0-9]*}}, label %run
kernel void k(global uint *out, global const uint *in) {
    uint l = get_local_id(0), at = in[l] & 63, x = in[at];
    if (x > 5) {
        uint i = in[at];
        x = i * 3 > 40 ? i : in[i & 63];
    }
    out[l] = x;
}
