// It takes turns with them, and nothing that they look at changes meanwhile.
// finds: nothing
// set: WEIR_CHECK_DEADLOCK=100
// global: 8
// local: 8
// arg: int out[8]
// arg: int flag[1] = 0
// arg: int other[1] = 0
// expect: out = 1
kernel void k(global int *out, volatile global int *flag, volatile global int *other) {
    if (get_local_id(0) == 3) {
        for (int round = 1; atomic_add(other, round & 1) < 500000; round++)
            atomic_add(other, ~round & 1);
        atomic_xchg(flag, 1);
    } else {
        while (!atomic_or(flag, 0))
            ;
    }
    out[get_local_id(0)] = 1;
}
