// global: 504
// arg: int out[504]
// reference: reference
// arg: int size = L
int work(int g) {
    int r = 0;
    for (int a = 0; a < g % 5; a++) {
        if (a == 3)
            continue;
        for (int b = 0; b < a; b++) {
            r += b * g;
            if (r > 5000)
                break;
        }
        switch (r % 3) {
        case 0:
            r += 7;
        case 1:
            r ^= 21;
            break;
        default:
            r--;
        }
    }
    return r;
}
kernel void k(global int *out, int size) {
    local int s[512];
    size_t l = get_local_id(0), n = get_local_size(0), g = get_global_id(0);
    s[l] = work(g);
    barrier(CLK_LOCAL_MEM_FENCE);
    int r = work(s[(l + 1) % n] & 1023);
    barrier(CLK_LOCAL_MEM_FENCE);
    s[l] = r;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[g] = s[(l + 1) % n];
}
kernel void reference(global int *out, int size) {
    for (int first = 0; first < 504; first += size) {
        int n = min(size, 504 - first);
        for (int l = 0; l < n; l++)
            out[first + l] = work(work(first + (l + 2) % n) & 1023);
    }
}
