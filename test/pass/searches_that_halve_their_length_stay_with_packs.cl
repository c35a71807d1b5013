// Each work-item merges a piece of one sorted block with another block: for each element a binary search, which takes lanes about
// as many rounds. Who is behind the range in the last round of the outer loop is known by ids alone.
// RUN: %weirc %s --cpu x86-64-v4 --local 64 --report text | FileCheck %s
// CHECK: width {{ *}}16: as many
// CHECK-NOT: lanes part
kernel void k(global const float *a, global float *out, ulong n, ulong pairs, ulong piece) {
    for (ulong i = get_global_id(0); i < pairs; i += get_global_size(0)) {
        ulong first = i / piece * piece, from = min(i * piece, n), to = min(from + piece, n);
        if (a[first] < a[to]) {
            for (ulong j = from; j < to; j++) {
                float x = a[j];
                ulong at = first, length = from - first;
                while (length) {
                    ulong half_length = length / 2;
                    bool after = a[at + half_length] < x;
                    at = after ? at + half_length + 1 : at;
                    length = after ? length - half_length - 1 : half_length;
                }
                out[at + j] = x;
            }
        }
    }
}
