// global: 64
// local: 64
// arg: int a[128] = 7
// expect: a = i % 2 && i < 127 ? (i + 1) / 2 : 7
// What work-item 0 would access lies before the array.
kernel void k(global int *a) {
    size_t l = get_local_id(0);
    if (l > 0)
        a[2 * l - 1] = (int)l;
}
