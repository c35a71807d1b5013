// A binary search's elements are gathered at once: nobody looks first whether they lie in a row.
// RUN: %weirc %s --kernel search --local 64 --cpu x86-64-v4 --report text | FileCheck %s --check-prefix=SEARCH
// SEARCH: width     16: as many
// SEARCH-NOT: in a row
// SEARCH: load global float gather, masked{{$}}
kernel void search(global const float *a, global const float *keys, global ulong *at, ulong n) {
    float key = keys[get_global_id(0)];
    ulong first = 0;
    while (n > 0) {
        ulong middle = n / 2;
        bool after = a[first + middle] < key;
        first = after ? first + middle + 1 : first;
        n = after ? n - middle - 1 : middle;
    }
    at[get_global_id(0)] = first;
}

// The same where lanes come to it by a branch.
// RUN: %weirc %s --kernel walk --local 64 --cpu x86-64-v4 --report text | FileCheck %s --check-prefix=WALK
// WALK: load global int gather
// WALK-NOT: in a row
kernel void walk(global const int *tree, global const int *keys, global int *leaves) {
    int key = keys[get_global_id(0)], at = 1;
    while (at < 4096) {
        if (tree[at] < key) {
            leaves[at] = key;
            at = 2 * at + 1;
        } else {
            at = 2 * at;
        }
    }
}

// What wraps around by its own number may be a row.
// RUN: %weirc %s --kernel wrap --local 64 --cpu x86-64-v4 --report text | FileCheck %s --check-prefix=WRAP
// WRAP: load global float contiguous if in a row
kernel void wrap(global const float *a, global float *sums, uint n) {
    uint at = get_global_id(0) % n;
    float sum = 0;
    for (int k = 0; k < 100; k++) {
        sum += a[at];
        at = at + 7 < n ? at + 7 : at + 7 - n;
    }
    sums[get_global_id(0)] = sum;
}

// Searches are of packs also in loops that lanes leave at different times, where an estimate of cycles is for work-items by
// themselves.
// RUN: %weirc %s --kernel searches --local 32 --cpu x86-64-v4 --report text | FileCheck %s --check-prefix=PACKS
// PACKS: width     16: as many
// PACKS-NOT: 1: lanes part
kernel void searches(global const float *a, global const float *keys, global float *to, ulong n, ulong chunk) {
    for (ulong i = get_global_id(0) * chunk, end = min(n, i + chunk); i < end; i++) {
        float key = keys[i];
        ulong first = 0, left = n;
        while (left > 0) {
            ulong middle = left / 2, at = first + middle;
            float x = a[at];
            if (!isnan(x) && (isnan(key) || x < key)) {
                left -= middle + 1;
                first = at + 1;
            } else {
                left = middle;
            }
        }
        to[i + first] = key;
    }
}
