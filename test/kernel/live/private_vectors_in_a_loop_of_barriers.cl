// Arrays of vectors, several of them, stay each work-item's own across barriers.
// global: 504
// local: any
// arg: int out[504]
// expect: out = 4 * (1 + 10 * (i % 5)) + 6
kernel void k(global int *out) {
    local int turn;
    int4 one[1], two[2];
    int g = get_global_id(0);
    two[0] = two[1] = (int4)(0, 1, 2, 3);
    for (int t = 0; t < 2; t++) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (get_local_id(0) == 0)
            turn = t;
        barrier(CLK_LOCAL_MEM_FENCE);
        one[0] = (int4)(1 + 10 * (g % 5));
        two[turn & 1] += one[0];
    }
    out[g] = two[1].x + two[1].y + two[1].z + two[1].w;
}
