// finds: nothing
// global: 64
// local: 64
// arg: int in[256] = i % 4 < 3 ? i % 4 : i
// arg: int out[64]
// expect: out = 3
kernel void k(global const int4 *in, global int *out) {
    local int3 same;
    same = in[get_local_id(0)].xyz;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = same.y + same.z;
}
