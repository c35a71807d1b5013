// finds: uninitialized-read 10 12
// illegal: finishes
// global: 48
// local: 16
// arg: int out[48]
kernel void k(global int *out) {
    local int t[16];
    int l = get_local_id(0), sum = 0;
    t[l] = 64 + l + t[l];
    sum += t[l];
    t[l] = 128 + l;
    out[get_global_id(0)] = sum;
}
