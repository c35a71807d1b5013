// Work-items between bounds, by what goes up and what goes down with the id, near the ends of its type, too: branches on them go
// the same ways as with ids that were read from memory.
// global: 200
// local: any
// arg: int wrong[200]
// arg: int zero = 0
// arg: ulong big = 9223372036854775000
// expect: wrong = 0
#define CONDITIONS(X)                                                                                        \
    uint u = (uint)l - (uint)i, down = (uint)i - (uint)l;                                                    \
    int nearly = (int)(0x7fffff9bu + (uint)l + (uint)i), back = i - l;                                       \
    long most = (long)(big + 700 - (ulong)i + (ulong)l), least = i - l;                                      \
    X(0, u < 9)                                                                                              \
    X(1, u >= 100u && down > 3u)                                                                             \
    X(2, down <= 20u)                                                                                        \
    X(3, nearly > 0)                                                                                         \
    X(4, nearly < zero && back >= -40)                                                                       \
    X(5, back > zero || back < -30)                                                                          \
    X(6, back == 5)                                                                                          \
    X(7, back != -3 && l != i)                                                                               \
    X(8, most > (long)big)                                                                                   \
    X(9, most < 0 && least <= zero)                                                                          \
    X(10, least > -50 && least < 11)                                                                         \
    X(11, l > i && l - i < 64 - i / 2)
#define BRANCH(n, condition)                                                                                 \
    if (condition)                                                                                           \
        t[me] += s[me] << n;
#define VALUE(n, condition) bits += (condition) << n;

kernel void k(global int *wrong, int zero, ulong big) {
    local int s[1024], t[1024], ids[1024];
    int me = get_local_linear_id(), bad = 0;
    ids[me] = get_local_id(0);
    s[me] = 1;
    for (int i = 0; i < 210; i += 7) {
        barrier(CLK_LOCAL_MEM_FENCE);
        t[me] = 0;
        {
            int l = get_local_id(0);
            CONDITIONS(BRANCH)
        }
        int l = ids[me], bits = 0;
        CONDITIONS(VALUE)
        bad |= bits ^ t[me];
    }
    wrong[get_global_id(0)] = bad;
}
