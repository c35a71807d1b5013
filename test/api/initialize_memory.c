/* Contexts whose local and private memory begins as zeros, whatever ran before. */
#include "api.h"

/* `dirty` leaves other values in registers, stack and local memory than `sum` must find. */
static const char *const source =
    "typedef struct { int a; float b[3]; char c; } s;\n"
    "int helper(int i) { int v[8]; int x; if (i > 1000000) x = 7; return v[i & 7] + x; }\n"
    "kernel void dirty(global int *out, local int *dynamic, int seed) {\n"
    "    int v[64]; local int fixed[256];\n"
    "    for (int i = 0; i < 64; i++) v[i] = seed * i + 1;\n"
    "    fixed[get_local_id(0) & 255] = seed; dynamic[get_local_id(0)] = seed;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    int all = 0; for (int i = 0; i < 64; i++) all += v[(i * seed) & 63];\n"
    "    out[get_global_id(0)] = all + fixed[(get_local_id(0) * 7) & 255] + dynamic[0]; }\n"
    "kernel void private_sum(global int *out, int n) {\n"
    "    int v[64]; int x; s t; int4 w;\n"
    "    for (int i = 0; i < n; i++) v[i * 2] = 1;\n"
    "    int all = 0; for (int i = 0; i < 64; i++) all += v[(i * n + get_local_id(0)) & 63 | 1];\n"
    "    if (n > 1000) { x = 5; t.a = 3; w.y = 3; }\n"
    "    out[get_global_id(0)] = all | x | t.a | (int)t.b[n & 1] | t.c | w.y | w.x | helper(n); }\n"
    "kernel void local_sum(global int *out, local int *dynamic) {\n"
    "    local int fixed[256]; int all = 0;\n"
    "    for (int i = 0; i < 256; i++) all |= fixed[i] | dynamic[i];\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    fixed[get_local_id(0) & 255] = 1; dynamic[get_local_id(0) & 255] = 1;\n"
    "    out[get_global_id(0)] = all; }\n";

enum { N = 1024 };

static cl_kernel kernel_in(cl_program program, const char *name, cl_mem out) {
    cl_kernel kernel = MADE(clCreateKernel(program, name, &error));
    OK(clSetKernelArg(kernel, 0, sizeof out, &out));
    return kernel;
}

/* The largest of what all work-items found. */
static void expect_zeros(cl_command_queue queue, cl_kernel kernel, cl_mem out, size_t local) {
    static cl_int found[N];
    size_t n = N;
    OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &n, &local, 0, NULL, NULL));
    OK(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof found, found, 0, NULL, NULL));
    for (int i = 0; i < N; i++)
        assert_int_equal(found[i], 0);
}

static void run_all(cl_context_memory_initialize_khr what) {
    cl_context_properties list[] = {CL_CONTEXT_MEMORY_INITIALIZE_KHR, (cl_context_properties)what, 0};
    cl_context context = MADE(clCreateContext(list, 1, &cl.device, NULL, NULL, &error));
    cl_command_queue queue = MADE(clCreateCommandQueue(context, cl.device, 0, &error));
    cl_program program = MADE(clCreateProgramWithSource(context, 1, (const char **)&source, NULL, &error));
    OK(clBuildProgram(program, 1, &cl.device, "-cl-std=CL3.0", NULL, NULL));
    cl_mem out = MADE(clCreateBuffer(context, 0, N * sizeof(cl_int), NULL, &error));
    cl_kernel dirty = kernel_in(program, "dirty", out), of_private = kernel_in(program, "private_sum", out),
              of_local = kernel_in(program, "local_sum", out);
    const size_t sizes[] = {1, 7, 16, 64, 256}, n = N;
    cl_int seed = 0x55555555, ten = 10;
    OK(clSetKernelArg(dirty, 1, 1024, NULL));
    OK(clSetKernelArg(dirty, 2, sizeof seed, &seed));
    OK(clSetKernelArg(of_private, 1, sizeof ten, &ten));
    OK(clSetKernelArg(of_local, 1, 1024, NULL));
    for (size_t i = 0; i < COUNT(sizes); i++) {
        OK(clEnqueueNDRangeKernel(queue, dirty, 1, NULL, &n, &sizes[i], 0, NULL, NULL));
        if (what & CL_CONTEXT_MEMORY_INITIALIZE_PRIVATE_KHR)
            expect_zeros(queue, of_private, out, sizes[i]);
        if (what & CL_CONTEXT_MEMORY_INITIALIZE_LOCAL_KHR)
            expect_zeros(queue, of_local, out, sizes[i]);
    }
    OK(clReleaseKernel(dirty));
    OK(clReleaseKernel(of_private));
    OK(clReleaseKernel(of_local));
    OK(clReleaseMemObject(out));
    OK(clReleaseProgram(program));
    OK(clReleaseCommandQueue(queue));
    OK(clReleaseContext(context));
}

TEST(private_memory_begins_as_zeros) {
    run_all(CL_CONTEXT_MEMORY_INITIALIZE_PRIVATE_KHR);
}

TEST(local_memory_begins_as_zeros_for_each_work_group) {
    run_all(CL_CONTEXT_MEMORY_INITIALIZE_LOCAL_KHR);
}

TEST(both_begin_as_zeros) {
    run_all(CL_CONTEXT_MEMORY_INITIALIZE_LOCAL_KHR | CL_CONTEXT_MEMORY_INITIALIZE_PRIVATE_KHR);
}

TEST(memory_of_other_kinds_is_refused) {
    cl_context_properties odd[] = {CL_CONTEXT_MEMORY_INITIALIZE_KHR, 4, 0},
                          twice[] = {CL_CONTEXT_MEMORY_INITIALIZE_KHR, 1, CL_CONTEXT_MEMORY_INITIALIZE_KHR, 1,
                                     0};
    REFUSES(CL_INVALID_PROPERTY, clCreateContext(odd, 1, &cl.device, NULL, NULL, &error));
    REFUSES(CL_INVALID_PROPERTY, clCreateContext(twice, 1, &cl.device, NULL, NULL, &error));
}
