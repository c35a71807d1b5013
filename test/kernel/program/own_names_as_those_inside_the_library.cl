// options: -cl-std=CL3.0
// global: 512
// local: 16 64 none
// arg: uint out[512]
// expect: out = 7 * i + 12 + i % 2
// Functions, a variable, a constant and a kernel are named as helpers and tables that built-in functions have.
global uint count_of = 3;
constant uint PIBITS_TBL[] = {5, 6};
uint image_texel(uint x);
uint image_texel(uint x) {
    return 7 * x;
}
uint below(uint x) {
    return x + 2;
}
float slow(float x) {
    return x;
}
ulong far_power(ulong x) {
    return x;
}
kernel void is_first(global uint *out) {
    uint i = get_global_id(0);
    float tiny = sin(slow(1e30f)) + pown(1.0f, i); // from 0 to 2
    uint votes = sub_group_ballot(i >= far_power(i)).x;
    out[i] = image_texel(i) + below(count_of + PIBITS_TBL[i % 2]) + 2 - (tiny < 0.0f) - (votes == 0) * 100;
}
kernel void k(global uint *out) {
    is_first(out);
}
