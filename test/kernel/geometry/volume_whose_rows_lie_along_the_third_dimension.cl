// The same for the third dimension, with remainders, after a barrier: each takes what the next one along it has left.
// global: 6,10,33
// local: 2,5,16 3,2,11 6,1,33 1,1,32
// arg: int out[1980]
// arg: int high = 10
// arg: int deep = 33
// arg: local s[1024]
// expect: out = i
kernel void k(global int *out, int high, int deep, local int *s) {
    int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    int lx = get_local_id(0), ly = get_local_id(1), lz = get_local_id(2);
    int h = get_local_size(1), d = get_local_size(2), next = lz + 1 < d ? lz + 1 : 0;
    int row = (lx * h + ly) * d;
    s[row + lz] = (x * high + y) * deep + z;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[(x * high + y) * deep + z - lz + next] = s[row + next];
}
