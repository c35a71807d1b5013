// Rows of elements that each work-item reads and writes, one beside the other, up and down, with other accesses between them: to the
// same elements, to those of other rows, by conditions. What is read and written at once keeps their order.
// global: 128
// local: 64 16 7
// arg: int n = 20
// arg: int a[128 * 20] = i
// arg: int b[128 * 20] = 7 * i
// arg: int wrong[128]
// expect: wrong = 0
kernel void k(int n, global int *a, global int *b, global int *wrong) {
    local long tile[64 * 9];
    local char bytes[64 * 16];
    int g = get_global_id(0), l = get_local_id(0), bad = 0;
    global int *x = a + g * n, *y = b + g * n;
    for (int i = 0; i < 16; i++) { // in place
        x[i] = x[i] + 1;
        bad += x[i] != g * 20 + i + 1;
    }
    for (int i = 0; i < 8; i++)
        x[7 - i] += y[i]; // down and up
    for (int i = 0; i < 8; i++)
        bad += x[i] != g * 20 + i + 1 + 7 * (g * 20 + 7 - i);
    for (int i = 0; i < 8; i++)
        x[i + 1] = x[i]; // each one reads what the one before has written
    for (int i = 0; i < 9; i++)
        bad += x[i] != g * 20 + 1 + 7 * (g * 20 + 7);
    y[0] = 1, y[1] = 2, y[2] = 3, y[1] = 4, y[3] = 5;
    bad += y[0] + 10 * y[1] + 100 * y[2] + 1000 * y[3] != 5341;
    *(global float *)(y + 2) = 1.0f; // of another type
    y[4] = y[2], y[5] = 6, y[6] = 7, y[7] = 8;
    bad += y[4] != 0x3f800000 || y[2] != 0x3f800000 || y[7] != 8;
    int before[4];
    for (int i = 0; i < 4; i++) // one of them twice, and a counter between them
        before[i] = y[i + 8] + atomic_add(&y[11], 1) * 0;
    bad += before[3] != 7 * (g * 20 + 11) + 3;
    if (g % 3)
        for (int i = 0; i < 8; i++)
            y[12 + i] = before[i & 3] - i;
    for (int i = 0; i < 8; i++)
        bad += y[12 + i] != (g % 3 ? before[i & 3] - i : 7 * (g * 20 + 12 + i));
    local long *mine = tile + l * 9;
    for (int i = 0; i < 8; i++)
        mine[i] = l * 100 + i;
    for (int i = 0; i < 16; i++)
        bytes[l * 16 + i] = (char)(l + i);
    barrier(CLK_LOCAL_MEM_FENCE);
    int size = get_local_size(0), other = (l + 5) % size;
    for (int i = 0; i < 8; i++)
        bad += tile[other * 9 + i] != other * 100 + i;
    for (int i = 0; i < 16; i++)
        bad += bytes[other * 16 + i] != (char)(other + i);
    wrong[g] = bad;
}
