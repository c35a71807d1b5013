// finds: nothing
// global: 64
// local: 64
// arg: int out[64]
// expect: out = i < 32 ? 7 : 0
kernel void k(global int *out) {
    local int words[68];
    local short shorts[36];
    int l = get_local_id(0);
    vstore4((int4)(7), 0, words + l);
    vstore2((short2)(0), 0, shorts + l / 2);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = l < 32 ? words[l + 30] : shorts[l - 32];
}
