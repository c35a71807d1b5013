// global: 504
// arg: float out[504]
// expect: out = i % 2 ? i * i : -i
#pragma OPENCL EXTENSION __cl_clang_function_pointers : enable
float square(float x) { return x * x; }
float negative(float x) { return -x; }
float unused(float x) { return x; }
constant struct {
    float (*function)(float);
    int rest;
} table[] = {{square, 1}, {unused, 7}, {negative, 0}};
kernel void k(global float *out) {
    int i = get_global_id(0);
    for (int j = 0; j < 3; j++)
        if (table[j].rest == i % 2)
            out[i] = table[j].function(i);
}
