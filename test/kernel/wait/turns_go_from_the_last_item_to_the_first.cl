// A volatile flag in local memory, between barriers, also in a group that is smaller than the others.
// global: 300
// local: 1 4 13 64 100 300
// needs: nonuniform
// arg: int out[300]
// arg: local turn[8]
// expect: out = i
kernel void k(global int *out, local volatile int *turn) {
    int l = get_local_id(0), n = get_local_size(0);
    if (l == 0) {
        turn[0] = n - 1;
        turn[1] = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    while (turn[0] != l)
        ;
    mem_fence(CLK_LOCAL_MEM_FENCE);
    turn[1] = turn[1] + 1;
    int place = turn[1];
    mem_fence(CLK_LOCAL_MEM_FENCE);
    turn[0] = l - 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = turn[1] == n && place == n - l ? (int)get_global_id(0) : -1;
}
