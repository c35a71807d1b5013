// A loop over packs is not copied for each of them where a pack has a loop over its lanes, as for atomics that they do in turn.
// RUN: test $(%weirc %s --cpu x86-64-v4 --width 16 --local 64 --stop-after optimize | grep -c atomicrmw) -le 2
// RUN: test $(%weirc %s --cpu x86-64-v4 --width 16 --local 128 --stop-after optimize | grep -c atomicrmw) -le 2
kernel void exchange(global int *out, global const int *in) {
    size_t g = get_global_id(0);
    atomic_xchg(&out[g & 7], in[g]);
}
