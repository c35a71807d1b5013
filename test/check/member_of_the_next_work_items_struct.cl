// finds: data-race 9 8
// global: 64
// local: 64
// arg: int p[195]
// illegal: finishes
kernel void k(global int *p) {
    size_t i = get_global_id(0);
    p[3 * i] = i;
    p[3 * i + 3] = -i;
}
