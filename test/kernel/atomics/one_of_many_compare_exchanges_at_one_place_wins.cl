// Of 56 work-items that want one place one gets it, and the others see who: whether all ask, or some, of 32 bits or 64.
// options: -cl-std=CL3.0
// global: 504
// local: 504 56 8 1
// arg: int owner[10] = 0
// arg: long long_owner[9] = 0
// arg: int winners[9] = 0
// arg: int long_winners[9] = 0
// arg: int seen[504] = 0
// arg: int long_seen[504] = 0
// arg: int right[2] = 0
// expect: winners = 1
// expect: long_winners = 1
// expect: right = {504, 504}
kernel void k(global atomic_int *owner, global atomic_long *long_owner, global int *winners, global int *long_winners,
              global atomic_int *seen, global atomic_int *long_seen, global int *right) {
    int g = get_global_id(0);
    for (int at = 0; at < 9; at++) {
        int expected = 0;
        if (g / 56 == at) {
            if (atomic_compare_exchange_strong(&owner[at], &expected, g + 1))
                atomic_inc(&winners[at]);
            atomic_store(&seen[g], expected);
        }
    }
    long other = 0;
    if (g % 2 && atomic_compare_exchange_strong(&long_owner[g / 56], &other, g + 1L))
        atomic_inc(&long_winners[g / 56]);
    atomic_store(&long_seen[g], other);
    if (atomic_fetch_add(&owner[9], 1) < get_global_size(0) - 1)
        return;
    for (int i = 0; i < 504; i++) {
        int who = atomic_load(&owner[i / 56]), what = atomic_load(&seen[i]);
        right[0] += who == i + 1 ? what == 0 : what == who && who > i / 56 * 56 && who <= i / 56 * 56 + 56;
        long long_who = atomic_load(&long_owner[i / 56]);
        int long_what = atomic_load(&long_seen[i]);
        right[1] += i % 2 == 0 || long_who == i + 1 ? long_what == 0 : long_what == long_who && long_who % 2 == 0;
    }
}
