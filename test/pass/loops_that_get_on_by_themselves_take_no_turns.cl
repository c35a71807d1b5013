// A retry after somebody else was faster, a counter, counted rounds, and places that change from round to round need nobody
// else; a lock, a flag and a ticket do.
// RUN: %weirc %s --options "-cl-std=CL3.0" --report text | FileCheck %s
// RUN: %weirc %s --options "-cl-std=CL3.0" --width 1 --report text | FileCheck %s

// CHECK-LABEL: retry, local size
// CHECK-NOT: take turns
kernel void retry(volatile global float *sum, global const float *in) {
    union {
        uint u;
        float f;
    } old, new;
    do {
        old.f = *sum;
        new.f = old.f + in[get_global_id(0)];
    } while (atomic_cmpxchg((volatile global uint *)sum, old.u, new.u) != old.u);
}

// CHECK-LABEL: retry_with_what_was_found, local size
// CHECK-NOT: take turns
kernel void retry_with_what_was_found(global uint *sum, uint most) {
    uint old = *sum, assumed;
    do {
        assumed = old;
        old = atomic_cmpxchg(sum, assumed, assumed >= most ? 0 : assumed + 1);
    } while (assumed != old);
}

// CHECK-LABEL: retry_of_the_memory_model, local size
// CHECK-NOT: take turns
kernel void retry_of_the_memory_model(global atomic_uint *sum, uint x) {
    uint old = atomic_load_explicit(sum, memory_order_relaxed, memory_scope_device);
    while (!atomic_compare_exchange_strong_explicit(sum, &old, old * 3 + x, memory_order_relaxed,
                                                    memory_order_relaxed, memory_scope_device))
        ;
}

// CHECK-LABEL: greatest, local size
// CHECK-NOT: take turns
kernel void greatest(global uint *most, global const uint *in) {
    uint x = in[get_global_id(0)], old = *most;
    while (old < x) {
        uint now = atomic_cmpxchg(most, old, x);
        if (now == old)
            break;
        old = now;
    }
}

// CHECK-LABEL: sum_by_exchanges, local size
// CHECK-NOT: take turns
kernel void sum_by_exchanges(volatile global float *sum, global const float *in) {
    float x = in[get_global_id(0)];
    while ((x = atomic_xchg(sum, atomic_xchg(sum, 0.0f) + x)) != 0.0f)
        ;
}

// CHECK-LABEL: bins, local size
// CHECK-NOT: take turns
kernel void bins(volatile global uint *sums, global const uint *in, uint n) {
    for (uint i = get_global_id(0); i < n; i += get_global_size(0)) {
        volatile global uint *bin = sums + in[i] % 64;
        uint old;
        do
            old = *bin;
        while (atomic_cmpxchg(bin, old, old * 2 + 1) != old);
    }
}

// CHECK-LABEL: many_times, local size
// CHECK-NOT: take turns
kernel void many_times(volatile global uint *sum, uint n) {
    for (uint i = 0; i < n; i++) {
        uint old;
        do
            old = *sum;
        while (atomic_cmpxchg(sum, old, old * 2 + 1) != old);
    }
}

// CHECK-LABEL: work_from_a_counter, local size
// CHECK-NOT: take turns
kernel void work_from_a_counter(global uint *next, global float *out, uint n) {
    for (uint i; (i = atomic_inc(next)) < n;)
        out[i] = sqrt((float)i);
}

// CHECK-LABEL: blocks_from_a_counter, local size
// CHECK-NOT: take turns
kernel void blocks_from_a_counter(global int *next, global float *out, int n) {
    for (;;) {
        int first = atomic_add(next, 8);
        if (first * 4 >= n)
            break;
        for (int i = 0; i < 8; i++)
            out[first + i] += i;
    }
}

// CHECK-LABEL: places_for_a_few, local size
// CHECK-NOT: take turns
kernel void places_for_a_few(global uint *count, global uint *out, global const uint *in, uint n) {
    for (uint i = 0; i < n; i++) {
        if (in[i] % 7 == 0) {
            uint at = atomic_inc(count);
            if (at >= 64)
                break;
            out[at] = i;
        }
    }
}

// CHECK-LABEL: table, local size
// CHECK-NOT: take turns
kernel void table(volatile global uint *keys, global const uint *in, uint n) {
    uint key = in[get_global_id(0)];
    for (uint at = key % n;; at++) {
        uint old = atomic_cmpxchg(keys + at, 0, key);
        if (old == 0 || old == key)
            break;
    }
}

// CHECK-LABEL: list, local size
// CHECK-NOT: take turns
kernel void list(volatile global int *next, global int *out) {
    int at = get_global_id(0), length = 0;
    while ((at = next[at]) >= 0)
        length++;
    out[get_global_id(0)] = length;
}

// CHECK-LABEL: group_after_group, local size
// CHECK-NOT: take turns
kernel void group_after_group(volatile global int *todo, global int *out) {
    while (atomic_add(todo, 0) > 0) {
        barrier(CLK_GLOBAL_MEM_FENCE);
        if (get_local_id(0) == 0)
            atomic_dec(todo);
        barrier(CLK_GLOBAL_MEM_FENCE);
        out[get_global_id(0)]++;
    }
}

// CHECK-LABEL: lock, local size
// CHECK: take turns
kernel void lock(global int *word, volatile global int *count) {
    while (atomic_cmpxchg(word, 0, 1))
        ;
    *count = *count + 1;
    atomic_xchg(word, 0);
}

// CHECK-LABEL: lock_in_a_bit, local size
// CHECK: take turns
kernel void lock_in_a_bit(volatile global uint *word) {
    uint old;
    do
        old = *word & ~1u;
    while (atomic_cmpxchg(word, old, old | 1) != old);
    *word = old + 2;
}

// CHECK-LABEL: lock_in_a_bit_that_is_looked_at, local size
// CHECK: take turns
kernel void lock_in_a_bit_that_is_looked_at(volatile global uint *word) {
    uint old;
    for (;;) {
        old = *word;
        if (!(old & 1) && atomic_cmpxchg(word, old, old | 1) == old)
            break;
    }
    *word = old + 2;
}

// CHECK-LABEL: lock_by_counting, local size
// CHECK: take turns
kernel void lock_by_counting(volatile global int *word, volatile global int *count) {
    while (atomic_inc(word) != 0)
        atomic_dec(word);
    *count = *count + 1;
    atomic_dec(word);
}

// CHECK-LABEL: lock_by_exchange, local size
// CHECK: take turns
kernel void lock_by_exchange(volatile global int *word, volatile global int *count) {
    while (atomic_xchg(word, -1) == -1)
        ;
    *count = *count + 1;
    atomic_xchg(word, 0);
}

// CHECK-LABEL: ticket, local size
// CHECK: take turns
kernel void ticket(global int *next, volatile global int *serving) {
    int mine = atomic_inc(next);
    while (*serving != mine)
        ;
    *serving = mine + 1;
}

// CHECK-LABEL: version, local size
// CHECK: take turns
kernel void version(volatile global uint *version, volatile global int *data, global int *out) {
    uint before, x;
    do {
        before = *version;
        x = *data;
    } while ((before & 1) || *version != before);
    out[get_global_id(0)] = x;
}

// CHECK-LABEL: flags_of_all_before, local size
// CHECK: take turns
kernel void flags_of_all_before(volatile global int *flags, global int *out) {
    int sum = 0;
    for (int p = get_global_id(0) - 1; p >= 0;) {
        int f = flags[p];
        if (f == 2)
            break;
        if (f == 1) {
            sum++;
            p--;
        }
    }
    out[get_global_id(0)] = sum;
    flags[get_global_id(0)] = 2;
}

// CHECK-LABEL: plain_flag, local size
// CHECK: take turns
kernel void plain_flag(global int *flag, global int *out) {
    while (flag[0] == 0)
        mem_fence(CLK_GLOBAL_MEM_FENCE);
    out[get_global_id(0)] = flag[1];
}

// CHECK-LABEL: so_many_looks, local size
// CHECK: take turns
kernel void so_many_looks(volatile global int *flag, global int *out) {
    int seen = 0;
    for (int i = 0; i < 1000 && !seen; i++)
        seen = *flag;
    out[get_global_id(0)] = seen;
}

// CHECK-LABEL: table_around, local size
// CHECK: take turns
kernel void table_around(volatile global uint *keys, global const uint *in, uint mask) {
    uint key = in[get_global_id(0)], at = key * 2654435761u;
    for (;; at++) {
        uint old = atomic_cmpxchg(keys + (at & mask), 0, key);
        if (old == 0 || old == key)
            break;
    }
}
