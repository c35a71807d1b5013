// Pointers to two arrays and to three that change places in each round, and a number that says which row is read, in loops
// that end after any round, and by a break: all is in order. Rounds of 1, 2, 3, ... are looked at.
// finds: nothing
// local: 32
// global: 256
// arg: int rounds[8] = i
// arg: int out[256] = 0
kernel void k(global const int *rounds, global int *out) {
    local int a[32], b[32], c[32], rows[2][32];
    local int *now = a, *next = b, *later = c;
    int l = get_local_id(0), n = rounds[get_group_id(0)], row = 0;
    a[l] = b[l] = c[l] = rows[0][l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < n; i++) {
        next[l] = now[(l + 1) & 31];
        rows[1 - row][l] = rows[row][(l + 1) & 31];
        barrier(CLK_LOCAL_MEM_FENCE);
        local int *t = now;
        now = next;
        next = later;
        later = t;
        row = 1 - row;
        if (n == 7 && i == 4)
            break;
    }
    out[get_global_id(0)] = now[l] == rows[row][l] ? now[l] : -1;
}
