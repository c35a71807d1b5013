// kernel: make k
// global: 504
// spirv: its access chains into vtables fit no type
// options: -cl-std=CLC++2021
// arg: int out[504]
// arg: ulong memory[1008]
// expect: out = i % 2 ? 3 * i : i - 3
#pragma OPENCL EXTENSION __cl_clang_function_pointers : enable
struct operation {
    int by;
    virtual int apply(int x) const = 0;
};
struct product : operation {
    product(int n) { by = n; }
    int apply(int x) const override { return by * x; }
};
struct difference : operation {
    difference(int n) { by = n; }
    int apply(int x) const override { return x - by; }
};
inline void *operator new(size_t, global void *at) { return at; }
static_assert(sizeof(product) == 16 && sizeof(difference) == 16, "");
kernel void make(global int *out, global ulong *memory) {
    int i = get_global_id(0);
    if (i % 2)
        new (memory + 2 * i) product(3);
    else
        new (memory + 2 * i) difference(3);
}
kernel void k(global int *out, global ulong *memory) {
    int i = get_global_id(0);
    out[i] = ((global operation *)(memory + 2 * i))->apply(i);
}
