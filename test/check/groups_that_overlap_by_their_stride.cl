// finds: inter-group-race 9 9
// global: 64,4
// local: 16,1
// arg: int width = 60
// arg: int out[256]
// illegal: finishes
kernel void k(int width, global int *out) {
    int x = get_global_id(0), y = get_global_id(1);
    out[y * width + x] = x;
}
