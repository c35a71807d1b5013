// global: 100
// arg: int out[100]
// arg: int in[100] = i * 3
// expect: out = i * 3
struct image_size {
    int n;
};
kernel void k(global int *out, global struct image_size *in) {
    out[get_global_id(0)] = in[get_global_id(0)].n;
}
