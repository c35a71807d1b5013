// What some work-items store beside each other leaves the elements between as they are, whatever their size.
// global: 504
// local: any
// arg: int wrong[504]
// expect: wrong = 0
#define CHECK(T, name)                                                                                       \
    name[l + 1] = (T)(l + 1);                                                                                \
    barrier(CLK_LOCAL_MEM_FENCE);                                                                            \
    if (is_mine(l))                                                                                          \
        name[l + 1] = (T)(100 - l);                                                                          \
    barrier(CLK_LOCAL_MEM_FENCE);                                                                            \
    for (int i = 0; i < n; i++)                                                                              \
        bad += name[i + 1] != (is_mine(i) ? (T)(100 - i) : (T)(i + 1));                                      \
    bad += name[0] != (T)77 || name[n + 1] != (T)78;                                                         \
    barrier(CLK_LOCAL_MEM_FENCE);

bool is_mine(int l) {
    return (l * 7 + l / 5) % 3 == 1;
}

kernel void k(global int *wrong) {
    local char c[506];
    local short s[506];
    local int i4[506];
    local long i8[506];
    int l = get_local_linear_id(), n = get_local_size(0) * get_local_size(1) * get_local_size(2), bad = 0;
    if (l == 0) {
        c[0] = s[0] = i4[0] = i8[0] = 77;
        c[n + 1] = s[n + 1] = i4[n + 1] = i8[n + 1] = 78;
    }
    CHECK(char, c)
    CHECK(short, s)
    CHECK(int, i4)
    CHECK(long, i8)
    wrong[get_global_id(0)] = bad;
}
