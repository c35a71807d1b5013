// finds: out-of-bounds 9
// illegal: finishes
// global: 64
// local: 64
// arg: int n = 12
// arg: int out[64]
constant int table[12] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8};
kernel void k(int n, global int *out) {
    out[get_local_id(0)] = table[n] + table[n - 1];
}
