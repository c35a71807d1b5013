// options: -cl-std=CLC++
// build-error: recursion: 'factorial' calls 'factorial'.*goes through a constexpr variable
constexpr int factorial(int n) {
    return n <= 1 ? 1 : n * factorial(n - 1);
}
kernel void k(global int *out) {
    out[get_global_id(0)] = factorial(4);
}
