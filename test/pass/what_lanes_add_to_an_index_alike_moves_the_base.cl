// Accesses at i, i + n and i + 2 * n take each lane's i out of its vector once: the base of the others lies ahead. So it is
// of an index of 32 bits that doesn't wrap around, and not of one that may.
// RUN: c() { %weirc %s --cpu x86-64-v3 --local 8 --kernel $1 --emit ll -o - | grep -c "extractelement <8 x i32>"; }; test $(c number) = 8 && test $(c bits) = 16
kernel void number(global const int *at, global const float *v, global float *out, int n) {
    size_t g = get_global_id(0);
    int i = at[g];
    out[g] = v[i] + v[i + n];
}
kernel void bits(global const uint *at, global const float *v, global float *out, uint n) {
    size_t g = get_global_id(0);
    uint i = at[g];
    out[g] = v[i] + v[i + n];
}
