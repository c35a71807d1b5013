// finds: inter-group-race 7 7, data-race 7 7
// global: 256
// local: 64
// arg: int a[257] = i
kernel void k(global int *a) {
    size_t g = get_global_id(0);
    a[g] = a[g + 1];
}
