// Whether the operation changes what is there or not, its result is what was there, and what it leaves is right.
// global: 64
// local: 64 16
// arg: int there[64] = 3
// arg: uint bits[64] = 5
// arg: int wrong[1] = 0
// expect: wrong = 0
kernel void k(global int *there, global uint *bits, global int *wrong) {
    int i = get_global_id(0), to = i * 37 % 64, x = i % 7;
    uint b = (uint)i % 8;
    int first = atomic_min(&there[to], x), least = min(3, x);
    int second = atomic_max(&there[to], 7 - x), greatest = max(least, 7 - x);
    uint set = atomic_or(&bits[to], b), cleared = atomic_and(&bits[to], b ^ 3u);
    if (first != 3 || second != least || there[to] != greatest)
        atomic_inc(wrong);
    if (set != 5 || cleared != (5 | b) || bits[to] != ((5 | b) & (b ^ 3u)))
        atomic_inc(wrong);
}
