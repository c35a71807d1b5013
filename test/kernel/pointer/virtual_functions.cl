// global: 504
// spirv: its access chains into vtables fit no type
// options: -cl-std=CLC++2021
// arg: int out[504]
// expect: out = i % 3 == 0 ? 4 * (i + 1) : i % 3 == 1 ? (i + 1) * i + 1000 : 7
#pragma OPENCL EXTENSION __cl_clang_function_pointers : enable
struct shape {
    int size;
    shape(int size) : size(size) {}
    virtual int area() const = 0;
    virtual int around() const { return 7; }
};
struct named {
    int name = 1000;
    virtual int id() const { return name; }
};
struct square : shape {
    square(int size) : shape(size) {}
    int area() const override { return 4 * size; }
    int around() const override { return area(); }
};
struct box : named, shape {
    int width;
    box(int size, int width) : shape(size), width(width) {}
    int area() const override { return size * width; }
    int around() const override { return area() + id(); }
};
struct dot : shape {
    dot() : shape(0) {}
    int area() const override { return 0; }
};
kernel void k(global int *out) {
    int i = get_global_id(0);
    square s(i + 1);
    box b(i + 1, i);
    dot d;
    const shape *p = i % 3 == 0 ? (const shape *)&s : i % 3 == 1 ? (const shape *)&b : &d;
    out[i] = p->around();
}
