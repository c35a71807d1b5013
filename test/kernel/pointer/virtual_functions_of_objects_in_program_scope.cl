// global: 504
// spirv: its access chains into vtables fit no type
// options: -cl-std=CLC++2021
// arg: int out[504]
// expect: out = i % 2 ? 3 * i : i - 4
#pragma OPENCL EXTENSION __cl_clang_function_pointers : enable
struct operation {
    int by;
    virtual int apply(int x) const = 0;
};
struct product : virtual operation {
    product(int n) { by = n; }
    int apply(int x) const override { return by * x; }
};
struct difference : operation {
    difference(int n) { by = n; }
    int apply(int x) const override { return x - by; }
};
product p(3);
difference d(4);
kernel void k(global int *out) {
    int i = get_global_id(0);
    const operation *o = i % 2 ? (const operation *)&p : &d;
    out[i] = o->apply(i);
}
