// Work-items add to sums at a few places by a compare-and-exchange that they try until it succeeds, in global and in local memory, and
// some of them to floats; each pushes itself to one of three lists. No sum lacks any, and each is in its list once.
// kernel: k walk
// global: 448
// local: 448 64 7 1
// arg: uint sums[8] = 0
// arg: uint local_sums[8] = 0
// arg: uint floats[5] = 0
// arg: int heads[3] = -1
// arg: int next[448] = -2
// arg: int times[448] = 0
// arg: float found[5] = 0
// expect: sums = {12320, 12376, 12432, 12488, 12544, 12600, 12656, 12712}
// expect: local_sums = {12320, 12376, 12432, 12488, 12544, 12600, 12656, 12712}
// expect: found = {13500, 13410, 13320, 13232, 13141}
// expect: times = 1
#define LOOK(place)          atomic_load_explicit(place, memory_order_relaxed, memory_scope_device)
#define TRY(place, old, new) atomic_compare_exchange_strong_explicit(place, &old, new, memory_order_acq_rel, memory_order_relaxed, memory_scope_device)
kernel void k(global atomic_uint *sums, global atomic_uint *local_sums, global atomic_uint *floats,
              global atomic_int *heads, global int *next, global int *times, global float *found) {
    local atomic_uint t[8];
    uint i = get_global_id(0), old;
    for (uint n = get_local_id(0); n < 8; n += get_local_size(0))
        atomic_init(&t[n], 0);
    barrier(CLK_LOCAL_MEM_FENCE);
    old = LOOK(&sums[i & 7]);
    while (!TRY(&sums[i & 7], old, old + i))
        ;
    do
        old = LOOK(&t[i & 7]);
    while (!TRY(&t[i & 7], old, old + i));
    if (i % 3)
        do
            old = LOOK(&floats[i % 5]);
        while (!TRY(&floats[i % 5], old, as_uint(as_float(old) + i)));
    int head = LOOK(&heads[i % 3]);
    do
        next[i] = head;
    while (!TRY(&heads[i % 3], head, (int)i));
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint n = get_local_id(0); n < 8; n += get_local_size(0))
        atomic_fetch_add(&local_sums[n], LOOK(&t[n]));
}
kernel void walk(global atomic_uint *sums, global atomic_uint *local_sums, global uint *floats,
                 global int *heads, global int *next, global int *times, global float *found) {
    int g = get_global_id(0);
    for (int n = g < 3 ? heads[g] : -1; n >= 0; n = next[n])
        times[n] += n % 3 == g;
    if (g < 5)
        found[g] = as_float(floats[g]);
}
