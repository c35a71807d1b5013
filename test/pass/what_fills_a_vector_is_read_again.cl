// A tile that all packs multiply by stays in memory, and each product has an element of it as its operand.
// RUN: %weirc %s --local 16,4 --cpu x86-64-v4 --options -DT=float --emit asm | FileCheck %s --check-prefix=ONE
// ONE-NOT: zmm{{[0-9]+}}, {{-?[0-9]+}}(%rsp)
// ONE-COUNT-240: {1to16}
// ONE-NOT: zmm{{[0-9]+}}, {{-?[0-9]+}}(%rsp)
// Of doubles 32 sums and what they are made of don't fit in 32 registers, 16 do.
// RUN: %weirc %s --local 16,4 --cpu x86-64-v4 --options -DT=double --emit asm | FileCheck %s --check-prefix=HALF
// HALF-COUNT-240: {1to8}
// RUN: %weirc %s --local 16,4 --cpu x86-64-v4 --options -DT=double --report text | FileCheck %s --check-prefix=WIDTH
// WIDTH: 8: one vector per value of 64 bits, as two don't fit in 32 registers
kernel void k(global const T *a, global const T *b, global T *c, uint n) {
    local T tile[16][17];
    uint x = get_local_id(0), y = get_local_id(1), row = get_group_id(1) * 16,
         column = get_group_id(0) * 64 + y * 16 + x;
    T sums[16];
    for (uint j = 0; j < 16; j++)
        sums[j] = 0;
    for (uint k = 0; k < n; k += 16) {
        for (uint j = 0; j < 16; j += 4)
            tile[x][y + j] = a[(row + y + j) * n + k + x];
        barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
        for (uint i = 0; i < 16; i++) {
            T v = b[(k + i) * n + column];
            for (uint j = 0; j < 16; j++)
                sums[j] += v * tile[i][j];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (uint j = 0; j < 16; j++)
        c[(row + j) * n + column] = sums[j];
}
