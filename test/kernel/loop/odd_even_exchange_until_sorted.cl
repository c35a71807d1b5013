// global: 60
// local: 60
// arg: int data[60] = 59 - i
// expect: data = i
kernel void k(global int *data) {
    local int s[60], changed;
    size_t l = get_local_id(0);
    s[l] = data[l];
    int odd = 0, quiet = 0;
    do {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l == 0)
            changed = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l % 2 == odd && l + 1 < 60 && s[l] > s[l + 1]) {
            int t = s[l];
            s[l] = s[l + 1];
            s[l + 1] = t;
            changed = 1;
        }
        odd = !odd;
        barrier(CLK_LOCAL_MEM_FENCE);
        quiet = changed ? 0 : quiet + 1;
    } while (quiet < 2);
    data[l] = s[l];
}
