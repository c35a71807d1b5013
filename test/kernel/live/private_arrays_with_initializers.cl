// Arrays filled at once and copied whole, indexed by numbers that differ between work-items, also behind a barrier.
// global: 66
// local: 66 33 8
// arg: uint in[66] = i * 5
// arg: float out[66]
// expect: out = (i * 5 % 6 < 3 ? i : 0) + (i * 5 % 5 == 0 ? 3 : 0) + i % 3 * 10 + 7 + (i * 5 % 4 == 2 ? 20 : 0)
kernel void k(global const uint *in, global float *out) {
    uint g = get_global_id(0), x = in[g];
    float zeros[6] = {0};
    int some[5] = {3, 1, 4, 1, 5};
    uchar bytes[3][3] = {{0, 10, 20}, {0, 10, 20}, {0, 10, 20}};
    int2 pairs[4] = {(int2)(0, 7), (int2)(0, 7), (int2)(20, 7), (int2)(0, 7)};
    volatile uint three = 3;
    for (uint i = 0; i < three; i++)
        zeros[i] += (float)g;
    int copy[5];
    for (uint i = 0; i < 5; i++)
        copy[i] = some[(i + three + 2) % 5];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[g] = zeros[x % 6] + (float)copy[x % 5] + (float)bytes[x % 3][g % 3] + (float)pairs[x % 4].y +
             (float)pairs[x % 4].x;
}
