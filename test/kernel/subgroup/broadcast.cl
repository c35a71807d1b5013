// The lane that is read differs from sub-group to sub-group.
// global: 504
// local: 1 3 16 64 250
// needs: cl_khr_subgroup_extended_types
// spirv: clang 22 makes OpAll of integers
// arg: int in[504] = i * 7 % 31
// arg: int out[504]
// expect: out = 1
kernel void k(global int *in, global int *out) {
    int g = get_global_id(0), lane = get_sub_group_local_id(), first = g - lane;
    uint from = (get_sub_group_id() * 5 + 3) % get_sub_group_size();
    bool ok = sub_group_broadcast(in[g], from) == in[first + from];
    ok = ok && sub_group_broadcast((double)in[g], from) == in[first + from];
    ok = ok && sub_group_broadcast((uchar)in[g], from) == in[first + from];
    float4 v = sub_group_broadcast((float4)(g, lane, in[g], 2), from);
    ok = ok && all(v == (float4)(first + from, from, in[first + from], 2));
    short16 w = sub_group_broadcast((short16)(g), from);
    ok = ok && w.sf == first + from && w.s0 == w.sa;
    long3 l = sub_group_broadcast((long3)(1, g, 3), from);
    out[g] = ok && l.y == first + from && l.z == 3;
}
