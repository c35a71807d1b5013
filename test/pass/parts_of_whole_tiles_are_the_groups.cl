// Whether a work-item's part of a row lies in the whole tiles is the same for all of its group: what it differs in ends below
// the tile's size. So no work-item keeps a state of its own at the barrier behind; a bound that is no multiple parts them.
// RUN: %weirc %s --kernel whole --local 8,8,1 --emit=ll --stop-after=promote -o - | FileCheck %s --check-prefix=WHOLE
// RUN: %weirc %s --kernel any --local 8,8,1 --emit=ll --stop-after=promote -o - | FileCheck %s --check-prefix=ANY
// RUN: %weirc %s --kernel wide --local 8,8,1 --emit=ll --stop-after=promote -o - | FileCheck %s --check-prefix=ANY
// WHOLE-NOT: apart
// ANY: apart
#define K(NAME, EACH, BOUND)                                                                                 \
    kernel void NAME(global int *p, int n, int m) {                                                          \
        local int tile[8][9];                                                                                \
        int x = get_local_id(0), y = get_local_id(1), at = x * EACH + get_group_id(0) * 16;                  \
        if (at < BOUND && n / 16 * 16 > y * EACH + (int)get_group_id(1) * 16) {                              \
            tile[y][x] = p[at];                                                                              \
            barrier(CLK_LOCAL_MEM_FENCE);                                                                    \
            p[at] = tile[x][y];                                                                              \
        }                                                                                                    \
    }
K(whole, 2, m / 16 * 16)
K(any, 2, m)
K(wide, 3, m / 16 * 16)
