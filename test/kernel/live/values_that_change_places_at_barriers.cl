// Values that are copies of each other across barriers, for a time: exchanged, shifted, and kept from before.
// global: 504
// local: any
// arg: int wrong[504]
// arg: int rounds = 5
// expect: wrong = 0
kernel void k(global int *wrong, int rounds) {
    local int s[504];
    int l = get_local_id(0), g = get_global_id(0), n = get_local_size(0);
    int a = g, b = g + 1000, older = -1, old = -2, sum = 0;
    for (int i = 0; i < rounds; i++) {
        s[l] = a;
        barrier(CLK_LOCAL_MEM_FENCE);
        int other = s[(l + 1) % n];
        sum += other - s[l];
        older = old;
        old = a;
        a = b;
        b = old;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    int step = (l + 1) % n - l, bad = sum != rounds * step;
    bad += a != (rounds % 2 ? g + 1000 : g) || b != (rounds % 2 ? g : g + 1000);
    bad += rounds > 1 && (old != b || older != a);
    wrong[g] = bad;
}
