// build-error: undefined reference to 'turn_of'
ulong turn_of(ulong x);
kernel void k(global ulong *out) {
    out[0] = turn_of(1);
}
