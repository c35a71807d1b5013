// spirv: clang 22 makes kernels of constructors, without the execution mode Initializer
// global: 504
// options: -cl-std=CLC++2021
// kernel: k other
// arg: int out[504]
// expect: out = 2 * (42 + 49 + 21 + i) + 5
// races: stores what is there while others read it
int seven(int x) { return x * 7; }
struct table {
    int values[16], sum;
    explicit table(int first) : sum(0) {
        for (int i = 0; i < 16; i++)
            sum += values[i] = i == first ? 49 : 0;
    }
    ~table() { sum = -1; }
};
struct counter {
    int n;
    counter() : n(42) {}
};
__global counter start;
__global table squares(seven(1));
__global int plain = seven(3), *pointer = &plain;
kernel void k(global int *out) {
    out[get_global_id(0)] = start.n + squares.sum + *pointer + get_global_id(0);
    if (get_global_id(0) == 0)
        start.n += 0;
}
kernel void other(global int *out) {
    out[get_global_id(0)] = out[get_global_id(0)] + start.n + squares.values[7] + plain + get_global_id(0) + 5;
}
