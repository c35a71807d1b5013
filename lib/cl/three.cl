/* three.cl: vload3 and vstore3 (OpenCL C 6.15.8), element by element. libclc has them in pieces, of two and one; adjacent
 * elements of one type are what kc/vector/tuples.c makes a vector of, so that packs read and write rows. half_common.cl has
 * those of half. */
#include "weir.h"

#define LOAD(T, SPACE)                                                                                       \
    OVERLOAD T##3 vload3(size_t i, const SPACE T *p) {                                                       \
        const SPACE T *at = p + 3 * i;                                                                       \
        return (T##3)(at[0], at[1], at[2]);                                                                  \
    }
#define STORE(T, SPACE)                                                                                      \
    OVERLOAD void vstore3(T##3 x, size_t i, SPACE T *p) {                                                    \
        SPACE T *at = p + 3 * i;                                                                             \
        at[0] = x.x;                                                                                         \
        at[1] = x.y;                                                                                         \
        at[2] = x.z;                                                                                         \
    }
#define SPACES(T)                                                                                            \
    LOAD(T, )                                                                                                \
    LOAD(T, global)                                                                                          \
    LOAD(T, local)                                                                                           \
    LOAD(T, constant)                                                                                        \
    STORE(T, )                                                                                               \
    STORE(T, global)                                                                                         \
    STORE(T, local)

SPACES(char)
SPACES(uchar)
SPACES(short)
SPACES(ushort)
SPACES(int)
SPACES(uint)
SPACES(long)
SPACES(ulong)
SPACES(float)
SPACES(double)
