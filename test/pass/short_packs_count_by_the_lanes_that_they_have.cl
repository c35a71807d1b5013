// The last pack of a row may be short: in a row of 24 three packs of 8 gather for as many lanes as there are, two of 16 for a third more.
// RUN: %weirc %s --local 24 --cpu x86-64-v4 --report text | FileCheck %s --check-prefix=HALF
// RUN: %weirc %s --local 32 --cpu x86-64-v4 --report text | FileCheck %s --check-prefix=WHOLE
// HALF: 8: about
// WHOLE-NOT: 8: about
kernel void walk(global const uint *next, global uint *out, int n) {
    uint a = out[get_global_id(0)], b = a ^ 1, c = a ^ 2, d = a ^ 3;
    for (int i = 0; i < n; i++) {
        a = next[a];
        b = next[b];
        c = next[c];
        d = next[d];
    }
    out[get_global_id(0)] = a + b + c + d;
}
