// The address of an element that the next block of a loop writes is computed there again: a variable for it would hand the array's
// address on, and each lane's array would have to lie in one piece.
// RUN: %weirc %s --local 64 --width 8 --report text | FileCheck %s
// CHECK: private array of 32 bytes, on the stack, interleaved
kernel void k(global const uchar *in, global uchar *out) {
    uchar v[32];
    int g = get_global_id(0);
    for (int n = 0; n < 32; n++) {
        uchar x = in[n * 64 + g];
        int i = n;
        while (i > 0 && v[i - 1] > x) {
            v[i] = v[i - 1];
            i--;
        }
        v[i] = x;
    }
    out[g] = v[16];
}
