// Lanes' indices may be less than 0 before something is added that all have alike, and unsigned ones wrap around.
// global: 16
// local: 16
// arg: int at[16] = {-5, -4, -3, 7, 6, -1, 0, 3, 3, 9, -5, 2, 1, 0, -2, 5}
// arg: uint bits[16] = {4294967291, 4294967292, 4294967293, 7, 6, 4294967295, 0, 3, 3, 9, 4294967291, 2, 1, 0, 4294967294, 5}
// arg: int v[20] = {100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111, 112, 113, 114, 115, 116, 117, 118, 119}
// arg: int out[16] = 0
// arg: int ahead = 5
// expect: out = {300, 303, 306, 336, 333, 312, 315, 324, 324, 342, 300, 321, 318, 315, 309, 330}
kernel void k(global const int *at, global const uint *bits, global const int *v, global int *out, int ahead) {
    size_t g = get_global_id(0);
    int i = at[g];
    long l = at[g];
    uint b = bits[g];
    out[g] = v[i + ahead] + v[l + ahead] + v[b + (uint)ahead];
}
