// finds: nothing
// set: WEIR_CHECK_DEADLOCK=1
// global: 4
// local: 1
// arg: int out[4]
// arg: int flag[1] = 0
// expect: out = 700000
kernel void k(global int *out, volatile global int *flag) {
    int rounds = 0;
    while (flag[0] == 0 && rounds < 700000)
        rounds++;
    out[get_global_id(0)] = rounds;
}
