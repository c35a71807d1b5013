// finds: nothing
// global: 64
// local: 16
// arg: int p[64] = 0
kernel void k(global int *p) {
    size_t l = get_local_id(0), start = 16 * get_group_id(0);
    if (l % 4 == 0)
        p[start + 4] = 5; // which what follows makes superfluous
    p[start + 3] = 5;
    p[start + 4] = 5;
}
