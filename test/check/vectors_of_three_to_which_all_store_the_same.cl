// finds: nothing
// global: 64
// local: 64
// arg: int in[1] = 7
// arg: int out[64]
// expect: out = 12
kernel void k(global const int *in, global int *out) {
    local int3 number, computed;
    number = (int3)(5);
    computed = (int3)(in[0], 3, 4);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = number.y + computed.x;
}
