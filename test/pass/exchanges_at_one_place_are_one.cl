// Exchanges of a pack at one place are one, which brings the last lane's value; so are compare-and-exchanges, which bring what
// their lanes leave there when they come one after the other.
// RUN: c() { %weirc %s --local 64 --width $1 --kernel $2 --stop-after promote | grep -c 'atomicrmw .*xchg\|cmpxchg'; }; test $(c 16 swap) = 2 && test $(c 4 swap) = 2 && test $(c 16 claim) = 1 && test $(c 8 claim) = 1
kernel void swap(global int *one, global float *other, global int *old) {
    size_t g = get_global_id(0);
    old[g] = atomic_xchg(one, g);
    if (g & 1)
        atomic_xchg(other, g);
}
kernel void claim(global int *owner, global int *old) {
    size_t g = get_global_id(0);
    old[g] = atomic_cmpxchg(owner, 0, g + 1);
}
