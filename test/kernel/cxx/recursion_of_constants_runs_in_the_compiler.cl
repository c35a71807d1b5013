// options: -cl-std=CLC++
// global: 64
// arg: int out[64]
// expect: out = 145 + i
constexpr int factorial(int n) {
    return n <= 1 ? 1 : n * factorial(n - 1);
}
static_assert(factorial(3) == 6, "of constants");
kernel void k(global int *out) {
    constexpr int all = factorial(5);
    const int some = factorial(4);
    local char few[factorial(1)];
    out[get_global_id(0)] = all + some + sizeof few + get_global_id(0);
}
