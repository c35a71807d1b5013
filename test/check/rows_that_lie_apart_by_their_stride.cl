// finds: nothing
// global: 60,4
// local: 20,1
// arg: int width = 60
// arg: int out[240] = i
// expect: out = 3 * i + 60 * (i / 60)
kernel void k(int width, global int *out) {
    int x = get_global_id(0), y = get_global_id(1);
    out[y * width + x] = 3 * out[y * width + x] + y * width;
}
