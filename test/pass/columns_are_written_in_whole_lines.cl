// Who writes a column, an element in each of many rows, has packs that fill a line of the cache: two vectors in step with AVX2, where one
// fills half a line, and the other half would be written after all rows. Where barriers are between the rows, one vector is enough.
// RUN: %weirc %s --kernel column --local 256 --cpu x86-64-v3 --report text | FileCheck %s --check-prefix=COLUMN
// RUN: %weirc %s --kernel rows --local 256 --cpu x86-64-v3 --report text | FileCheck %s --check-prefix=ROWS
// COLUMN: 16: about
// ROWS: width     8:
// ROWS-NEXT: context
kernel void column(global const float *f, global float *o, int n, int nf) {
    int t = get_global_id(0);
    for (int i = 0; i < nf; i++)
        o[i * n + t] = f[t * nf + i];
}

kernel void rows(global const float *f, global float *o, int n, int nf) {
    local float s[256];
    int t = get_global_id(0), l = get_local_id(0);
    for (int i = 0; i < nf; i++) {
        s[l] = f[i + t];
        barrier(CLK_LOCAL_MEM_FENCE);
        o[i * n + t] = s[l ^ 1];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
