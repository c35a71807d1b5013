// finds: out-of-bounds 11
// illegal: finishes
// needs: globals
// global: 64
// local: 64
// arg: int n = 0
// arg: int out[64]
global int scope[64], behind[64];
kernel void k(int n, global int *out) {
    size_t l = get_local_id(0);
    scope[l + n + 1] = 1;
    out[l] = behind[l];
}
