// Of 60 work-items each sees those who came before it: some saw nobody, some one, ..., the last 59.
// global: 60
// local: 60
// arg: ulong bits[3] = {0, -1, 0}
// arg: int saw[180] = 0
// expect: bits = {1152921504606846975, -1152921504606846976, 1152921504606846975}
// expect: saw = 1
kernel void k(global ulong *bits, global int *saw) {
    int l = get_local_id(0);
    ulong mine = 1ul << l;
    atomic_inc(&saw[popcount(atom_or(&bits[0], mine))]);
    atomic_inc(&saw[60 + 64 - popcount(atom_and(&bits[1], ~mine))]);
    atomic_inc(&saw[120 + popcount(atom_xor(&bits[2], mine))]);
}
