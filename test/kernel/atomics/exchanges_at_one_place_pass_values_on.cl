// Of what is exchanged at one place each value is taken once: all but the one that stays there, which the last work-item takes.
// options: -cl-std=CL3.0
// global: 504
// arg: int places[3] = 0
// arg: long longs[1] = 0
// arg: uint taken[505] = 0
// arg: uint taken_by_odd[505] = 0
// arg: uint long_taken[505] = 0
// expect: taken = 1
// expect: taken_by_odd = i % 2 == 0 && i ? 0 : 1
// expect: long_taken = i % 3 == 2 ? 0 : 1
kernel void k(global atomic_int *places, global atomic_long *longs, global uint *taken, global uint *taken_by_odd,
              global uint *long_taken) {
    int g = get_global_id(0);
    atomic_inc(&taken[atomic_exchange(&places[0], g + 1)]);
    if (g % 2 == 0)
        atomic_inc(&taken_by_odd[atomic_exchange(&places[1], g + 1)]);
    if (g % 3 != 1)
        atomic_inc(&long_taken[atomic_exchange(longs, g + 1L)]);
    if (atomic_fetch_add(&places[2], 1) == get_global_size(0) - 1) {
        atomic_inc(&taken[atomic_load(&places[0])]);
        atomic_inc(&taken_by_odd[atomic_load(&places[1])]);
        atomic_inc(&long_taken[atomic_load(longs)]);
    }
}
