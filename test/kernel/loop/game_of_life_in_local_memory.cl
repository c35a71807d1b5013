// global: 16,16
// local: 16,16
// arg: int cells[256] = (i * i + i / 16 * 7) % 3 == 0
// arg: int rounds = 8
// reference: reference
int alive(local int *s, int x, int y) {
    int n = 0;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            if (dx || dy)
                n += s[(y + dy & 15) * 16 + (x + dx & 15)];
    return n == 3 || (n == 2 && s[y * 16 + x]);
}
kernel void k(global int *cells, int rounds) {
    local int s[256];
    int x = get_local_id(0), y = get_local_id(1);
    s[y * 16 + x] = cells[y * 16 + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int r = 0; r < rounds; r++) {
        int next = alive(s, x, y);
        barrier(CLK_LOCAL_MEM_FENCE);
        s[y * 16 + x] = next;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    cells[y * 16 + x] = s[y * 16 + x];
}
kernel void reference(global int *cells, int rounds) {
    local int a[256];
    int b[256];
    for (int j = 0; j < 256; j++)
        a[j] = cells[j];
    for (int r = 0; r < rounds; r++) {
        for (int j = 0; j < 256; j++)
            b[j] = alive(a, j % 16, j / 16);
        for (int j = 0; j < 256; j++)
            a[j] = b[j];
    }
    for (int j = 0; j < 256; j++)
        cells[j] = a[j];
}
