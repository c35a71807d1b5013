// finds: inter-group-race 9 9
// global: 64
// local: 1
// arg: int p[195]
// illegal: finishes
kernel void k(global int *p) {
    size_t i = get_global_id(0);
    for (int d = 0; d <= 3; d++) {
        p[3 * i + d] = i;
    }
    p[3 * i + 1] = 0;
}
