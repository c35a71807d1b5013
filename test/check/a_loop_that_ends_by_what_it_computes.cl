// finds: nothing
// set: WEIR_CHECK_DEADLOCK=1
// global: 64
// local: 32
// arg: uint out[64]
// arg: uint stop = 1
// expect: out = 1
// The exit itself depends on nothing that changes, but what leads to it does.
kernel void k(global uint *out, uint stop) {
    uint x = get_global_id(0) * 2 + 1;
    for (;;) {
        x = x & 1 ? (x * 1664525 + 1013904223) | 1 : x / 2;
        x ^= x >> 7;
        if (x % 65537 == 3)
            if (stop)
                break;
    }
    out[get_global_id(0)] = 1;
}
