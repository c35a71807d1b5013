// build-error: recursion: 'call.by.pointer' calls 'count'
#pragma OPENCL EXTENSION __cl_clang_function_pointers : enable
typedef struct counter { int (*next)(struct counter *); int left; } counter;
int count(counter *c) { return c->left-- ? 1 + c->next(c) : 0; }
kernel void k(global int *out) {
    counter c = {count, 5};
    out[0] = c.next(&c);
}
