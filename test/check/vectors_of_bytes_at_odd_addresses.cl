// finds: nothing
// global: 64
// local: 64
// arg: uchar in[321] = i
// arg: int out[64]
struct __attribute__((packed)) record { char tag; int value; };
kernel void k(global uchar *in, global int *out) {
    size_t i = get_global_id(0);
    int4 v = convert_int4(vload4(0, in + 5 * i + 1));
    global struct record *r = (global struct record *)(in + 5 * i);
    out[i] = v.x + v.w + r->value;
}
