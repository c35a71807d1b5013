// global: 504
// spirv: its access chains into vtables fit no type
// options: -cl-std=CLC++2021
// arg: int out[504]
// expect: out = i % 3 == 0 ? i + 1 : i % 3 == 1 ? i + 20 : i - 4
#pragma OPENCL EXTENSION __cl_clang_function_pointers : enable
struct base {
    int x;
    base(int x) : x(x) {}
    int one() const { return x + 1; }
    virtual int two() const { return x + 2; }
    virtual int three() const { return x - 4; }
};
struct derived : base {
    derived(int x) : base(x) {}
    int two() const override { return x + 20; }
};
kernel void k(global int *out) {
    int i = get_global_id(0);
    derived d(i);
    const base &b = d;
    auto member = i % 3 == 0 ? &base::one : i % 3 == 1 ? &base::two : &base::three;
    out[i] = (b.*member)();
}
