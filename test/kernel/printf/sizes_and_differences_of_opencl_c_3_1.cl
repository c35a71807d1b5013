// options: -cl-std=CL3.1 -Werror
// global: 1
// arg: int out[1]
// print: 5000000000 -3 12a05f200|   2a
kernel void k(global int *out) {
    size_t size = 5000000000ul;
    out[0] = printf("%zu %td %zx|%5tx\n", size, (ptrdiff_t)-3, size, (ptrdiff_t)42);
}
