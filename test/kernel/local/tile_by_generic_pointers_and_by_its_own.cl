// What is stored by a pointer to the generic address space is read by one to local memory: both are the same few registers, or memory.
// options: -cl-std=CL3.0
// needs: generic
// global: 64
// local: 16 64 8
// arg: int in[192] = 3 * i
// arg: int back[192]
// arg: int first[64]
// arg: local s[12 * L]
// expect: back = 3 * (i / 3 / L * L * 3 + (L - 1 - i / 3 % L) * 3 + i % 3)
// expect: first = i % L == 0 ? 9 * i : 9 * (i - 1)
void put(int *at, int a, int b, int c) {
    at[0] = a;
    at[1] = b;
    at[2] = c;
}
kernel void k(global const int *in, global int *back, global int *first, local int *s) {
    local int t[64];
    int i = get_global_id(0), l = get_local_id(0), m = get_local_size(0) - 1 - l;
    put(s + 3 * l, in[3 * i], in[3 * i + 1], in[3 * i + 2]);
    *(int *)&t[l] = in[3 * i];
    barrier(CLK_LOCAL_MEM_FENCE);
    back[3 * i] = s[3 * m];
    back[3 * i + 1] = s[3 * m + 1];
    back[3 * i + 2] = s[3 * m + 2];
    first[i] = t[l ? l - 1 : 0];
}
