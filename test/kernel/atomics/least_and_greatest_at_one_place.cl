// One work-item finds what was there before all of them; the one with the least or greatest value finds another one.
// global: 504
// local: 504 63
// arg: int s[2] = {1000, -1000}
// arg: uint u[2] = {1000, 0}
// arg: int first[4] = 0
// arg: int beaten[4] = 0
// expect: s = {-251, 252}
// expect: u = {1, 504}
// expect: first = 1
// expect: beaten = 1
kernel void k(global int *s, global uint *u, global int *first, global int *beaten) {
    int g = get_global_id(0), x = g * 5 % 504 - 251;
    uint y = g * 5 % 504 + 1;
    int low = atomic_min(&s[0], x), high = atomic_max(&s[1], x);
    uint least = atomic_min(&u[0], y), greatest = atomic_max(&u[1], y);
    if (low == 1000)
        atomic_inc(&first[0]);
    if (high == -1000)
        atomic_inc(&first[1]);
    if (least == 1000)
        atomic_inc(&first[2]);
    if (greatest == 0)
        atomic_inc(&first[3]);
    if (x == -251 && low > x)
        atomic_inc(&beaten[0]);
    if (x == 252 && high < x)
        atomic_inc(&beaten[1]);
    if (y == 1 && least > y)
        atomic_inc(&beaten[2]);
    if (y == 504 && greatest < y)
        atomic_inc(&beaten[3]);
}
