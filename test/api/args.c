/* Kernel arguments: checks of clSetKernelArg, and that every kind of value arrives. */
#include "api.h"

static const char source[] =
    "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
    "typedef struct { char c; long l; int3 v; float f[3]; } mixed;\n"
    "kernel void k(global int *g, constant int *c, local int *l, int v, int4 v4) {}\n"
    "kernel void structs(global mixed *out, mixed in) { *out = in; }\n"
    "kernel void widths(global double *out, char c, short2 s, uchar3 u, half4 hs, double8 d,\n"
    "                   long16 l, float f) {\n"
    "    out[0] = c; out[1] = s.y; out[2] = u.z; out[3] = d.s7; out[4] = l.sf; out[5] = f;\n"
    "    out[6] = hs.w;\n"
    "}\n"
    "kernel void locals(global int *out, local int *a, local char *b, local double *c) {\n"
    "    int i = get_local_id(0), n = get_local_size(0);\n"
    "    a[i] = i; b[i] = (char)i; c[i] = i * 0.5;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    int j = n - 1 - i;\n"
    "    out[get_global_id(0)] = a[j] + b[j] + (int)(c[j] * 2);\n"
    "}\n"
    "kernel void null(global int *p, constant int *q, global int *out) {\n"
    "    *out = (p == 0) + 2 * (q == 0);\n"
    "}\n";
static cl_program program;

static cl_kernel made(const char *name) {
    program = program ? program : build(source, "");
    return MADE(clCreateKernel(program, name, &error));
}

TEST(set_arg_checks_its_arguments) {
    cl_kernel kernel = made("k");
    cl_mem mem = buffer_of(0, 64, NULL), wrong = (cl_mem)cl.context;
    int v[4] = {0};
    GIVES(CL_INVALID_KERNEL, clSetKernelArg((cl_kernel)cl.context, 0, sizeof mem, &mem));
    GIVES(CL_INVALID_ARG_INDEX, clSetKernelArg(kernel, 5, sizeof mem, &mem));
    GIVES(CL_INVALID_MEM_OBJECT, clSetKernelArg(kernel, 0, sizeof wrong, &wrong));
    double number = 3;
    size_t size = 4096;
    GIVES(CL_INVALID_MEM_OBJECT, clSetKernelArg(kernel, 0, sizeof number, &number)); /* no address */
    GIVES(CL_INVALID_MEM_OBJECT, clSetKernelArg(kernel, 0, sizeof size, &size));
    GIVES(CL_INVALID_ARG_SIZE, clSetKernelArg(kernel, 0, 4, &mem));
    GIVES(CL_INVALID_ARG_SIZE, clSetKernelArg(kernel, 3, 8, v));
    GIVES(CL_INVALID_ARG_SIZE, clSetKernelArg(kernel, 3, 0, v));
    GIVES(CL_INVALID_ARG_SIZE, clSetKernelArg(kernel, 4, 12, v));
    GIVES(CL_INVALID_ARG_VALUE, clSetKernelArg(kernel, 3, 4, NULL));
    GIVES(CL_INVALID_ARG_VALUE, clSetKernelArg(kernel, 2, 4, v));
    OK(clSetKernelArg(kernel, 0, sizeof mem, &mem));
    OK(clSetKernelArg(kernel, 1, sizeof mem, &mem));
    OK(clSetKernelArg(kernel, 2, 64, NULL));
    OK(clSetKernelArg(kernel, 3, 4, v));
    OK(clSetKernelArg(kernel, 4, 16, v));
    OK(run_1d(kernel, 1, 1));
    OK(clReleaseMemObject(mem));
    OK(clReleaseKernel(kernel));
}

/* What each of `rows` work-items does, 80 elements apart: it reads up to 32 of those that it has written, where they are
 * the same. */
static void pass_on(int *a, const int *b, int rows) {
    for (int g = 0; g < rows; g++)
        for (int i = 0; i < 39; i++)
            a[g * 80 + i + 1] = b[g * 80 + i] + 1;
}

TEST(a_kernel_whose_buffers_overlap_reads_what_it_has_written) {
    enum { ROWS = 32, N = ROWS * 80, SHIFT = 32 };
    cl_program built = build("kernel void k(global int *a, global int *b) {\n"
                             "    int g = get_global_id(0);\n"
                             "    for (int i = 0; i < 39; i++) a[g * 80 + i + 1] = b[g * 80 + i] + 1;\n"
                             "}",
                             "");
    cl_kernel kernel = MADE(clCreateKernel(built, "k", &error));
    static int expected[2][N + SHIFT], got[N + SHIFT];
    size_t bytes = sizeof got;
    for (int i = 0; i < N + SHIFT; i++)
        expected[0][i] = expected[1][i] = got[i] = i * 5 % 97;
    cl_mem whole[2] = {buffer_of(CL_MEM_COPY_HOST_PTR, bytes, got),
                       buffer_of(CL_MEM_COPY_HOST_PTR, bytes, got)};
    cl_buffer_region later = {SHIFT * sizeof(int), N * sizeof(int)};
    cl_mem part = MADE(clCreateSubBuffer(whole[0], 0, CL_BUFFER_CREATE_TYPE_REGION, &later, &error));
    cl_mem pairs[][2] = {{whole[0], whole[1]}, {whole[0], whole[0]}, {part, whole[0]}, {whole[0], whole[1]}};
    int *same[][2] = {{expected[0], expected[1]},
                      {expected[0], expected[0]},
                      {expected[0] + SHIFT, expected[0]},
                      {expected[0], expected[1]}};
    for (int i = 0; i < 4; i++) {
        OK(clSetKernelArg(kernel, 0, sizeof(cl_mem), &pairs[i][0]));
        OK(clSetKernelArg(kernel, 1, sizeof(cl_mem), &pairs[i][1]));
        OK(run_1d(kernel, ROWS, 16));
        pass_on(same[i][0], same[i][1], ROWS);
        OK(clEnqueueReadBuffer(cl.queue, whole[0], CL_TRUE, 0, bytes, got, 0, NULL, NULL));
        assert_memory_equal(got, expected[0], bytes);
    }
    int *shared = clSVMAlloc(cl.context, CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER, bytes, 0);
    assert_non_null(shared);
    memcpy(shared, got, bytes);
    OK(clSetKernelArgSVMPointer(kernel, 0, shared + SHIFT));
    OK(clSetKernelArgSVMPointer(kernel, 1, shared));
    OK(run_1d(kernel, ROWS, 16));
    OK(clFinish(cl.queue));
    pass_on(expected[0] + SHIFT, expected[0], ROWS);
    assert_memory_equal(shared, expected[0], bytes);
    clSVMFree(cl.context, shared);
    OK(clReleaseMemObject(part));
    for (int i = 0; i < 2; i++)
        OK(clReleaseMemObject(whole[i]));
    OK(clReleaseKernel(kernel));
    OK(clReleaseProgram(built));
}

TEST(local_memory_of_no_bytes_is_none) {
    cl_program built = build("kernel void k(local int *none, local int *some, global int *out, int use) {\n"
                             "    some[get_local_id(0)] = use ? none[0] : (int)get_local_id(0);\n"
                             "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                             "    out[get_global_id(0)] = some[7 - get_local_id(0)];\n"
                             "}",
                             "");
    cl_kernel kernel = MADE(clCreateKernel(built, "k", &error));
    int out[8] = {0}, use = 0;
    cl_ulong bytes = 1;
    cl_mem mem = buffer_of(0, sizeof out, NULL);
    OK(clSetKernelArg(kernel, 0, 0, NULL));
    OK(clSetKernelArg(kernel, 1, sizeof out, NULL));
    OK(clSetKernelArg(kernel, 2, sizeof mem, &mem));
    OK(clSetKernelArg(kernel, 3, sizeof use, &use));
    OK(clGetKernelWorkGroupInfo(kernel, cl.device, CL_KERNEL_LOCAL_MEM_SIZE, sizeof bytes, &bytes, NULL));
    assert_int_equal(bytes, sizeof out);
    OK(run_1d(kernel, 8, 8));
    OK(clEnqueueReadBuffer(cl.queue, mem, CL_TRUE, 0, sizeof out, out, 0, NULL, NULL));
    for (int i = 0; i < 8; i++)
        assert_int_equal(out[i], 7 - i);
    OK(clSetKernelArg(kernel, 1, 0, NULL)); /* all of none; nothing may be read */
    GIVES(CL_INVALID_ARG_VALUE, clSetKernelArg(kernel, 0, 0, out));
    OK(clReleaseMemObject(mem));
    OK(clReleaseKernel(kernel));
    OK(clReleaseProgram(built));
}

TEST(a_kernel_with_unset_arguments_is_not_enqueued) {
    cl_kernel kernel = made("null");
    cl_mem mem = buffer_of(0, 4, NULL);
    size_t one = 1;
    GIVES(CL_INVALID_KERNEL_ARGS,
          clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
    OK(clSetKernelArg(kernel, 0, sizeof mem, &mem));
    GIVES(CL_INVALID_KERNEL_ARGS,
          clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
    GIVES(CL_INVALID_KERNEL_ARGS, clEnqueueTask(cl.queue, kernel, 0, NULL, NULL));
    OK(clReleaseMemObject(mem));
    OK(clReleaseKernel(kernel));
}

TEST(a_null_buffer_is_a_null_pointer) {
    cl_kernel kernel = made("null");
    cl_mem mem = buffer_of(0, 4, NULL), none = NULL;
    int back;
    OK(clSetKernelArg(kernel, 0, sizeof mem, NULL));
    OK(clSetKernelArg(kernel, 1, sizeof none, &none));
    OK(clSetKernelArg(kernel, 2, sizeof mem, &mem));
    OK(run_1d(kernel, 1, 1));
    OK(clEnqueueReadBuffer(cl.queue, mem, CL_TRUE, 0, 4, &back, 0, NULL, NULL));
    assert_int_equal(back, 3);
    OK(clReleaseMemObject(mem));
    OK(clReleaseKernel(kernel));
}

TEST(structs_arrive_whole) {
    cl_kernel kernel = made("structs");
    struct mixed {
        cl_char c;
        cl_long l;
        cl_int3 v;
        cl_float f[3];
    } in, out;
    memset(&in, 0, sizeof in);
    in.c = -3;
    in.l = 1ll << 40;
    for (int i = 0; i < 3; i++) {
        in.v.s[i] = i - 7;
        in.f[i] = (float)i * 1.5f;
    }
    cl_mem mem = buffer_of(0, sizeof out, NULL);
    OK(clSetKernelArg(kernel, 0, sizeof mem, &mem));
    OK(clSetKernelArg(kernel, 1, sizeof in, &in));
    GIVES(CL_INVALID_ARG_SIZE, clSetKernelArg(kernel, 1, sizeof in - 8, &in));
    OK(run_1d(kernel, 1, 1));
    OK(clEnqueueReadBuffer(cl.queue, mem, CL_TRUE, 0, sizeof out, &out, 0, NULL, NULL));
    assert_int_equal(out.c, in.c);
    assert_int_equal(out.l, in.l);
    assert_memory_equal(&out.v, &in.v, 12);
    assert_memory_equal(out.f, in.f, sizeof in.f);
    OK(clReleaseMemObject(mem));
    OK(clReleaseKernel(kernel));
}

TEST(values_of_all_widths_arrive) {
    cl_kernel kernel = made("widths");
    cl_mem mem = buffer_of(0, 64, NULL);
    cl_char c = -5;
    cl_short2 s = {{1, -300}};
    cl_uchar3 u = {{1, 2, 250}};
    cl_half4 hs = {{0x3c00, 0x4000, 0x4200, 0xb800}};
    cl_double8 d = {{0, 1, 2, 3, 4, 5, 6, 7.25}};
    cl_long16 l = {{0}};
    cl_float f = 0.5f;
    l.s[15] = -99;
    const struct {
        size_t size;
        const void *value;
    } values[] = {{sizeof mem, &mem}, {sizeof c, &c}, {sizeof s, &s}, {sizeof u, &u},
                  {sizeof hs, &hs},   {sizeof d, &d}, {sizeof l, &l}, {sizeof f, &f}};
    for (cl_uint i = 0; i < COUNT(values); i++)
        OK(clSetKernelArg(kernel, i, values[i].size, values[i].value));
    OK(run_1d(kernel, 1, 1));
    double back[7], wanted[7] = {-5, -300, 250, 7.25, -99, 0.5, -0.5};
    OK(clEnqueueReadBuffer(cl.queue, mem, CL_TRUE, 0, sizeof back, back, 0, NULL, NULL));
    assert_memory_equal(back, wanted, sizeof back);
    OK(clReleaseMemObject(mem));
    OK(clReleaseKernel(kernel));
}

TEST(local_arguments_do_not_overlap) {
    cl_kernel kernel = made("locals");
    enum { GLOBAL = 1024, LOCAL = 64 };
    cl_mem mem = buffer_of(0, GLOBAL * 4, NULL);
    int back[GLOBAL];
    OK(clSetKernelArg(kernel, 0, sizeof mem, &mem));
    OK(clSetKernelArg(kernel, 1, LOCAL * 4, NULL));
    OK(clSetKernelArg(kernel, 2, LOCAL, NULL));
    OK(clSetKernelArg(kernel, 3, LOCAL * 8, NULL));
    OK(run_1d(kernel, GLOBAL, LOCAL));
    OK(clEnqueueReadBuffer(cl.queue, mem, CL_TRUE, 0, sizeof back, back, 0, NULL, NULL));
    for (int i = 0; i < GLOBAL; i++)
        assert_int_equal(back[i], 3 * (LOCAL - 1 - i % LOCAL));
    OK(clReleaseMemObject(mem));
    OK(clReleaseKernel(kernel));
}

TEST(too_much_local_memory_is_refused_at_the_latest_when_enqueued) {
    cl_kernel kernel = made("k");
    cl_mem mem = buffer_of(0, 64, NULL);
    cl_ulong max;
    int v[4] = {0};
    size_t one = 1;
    OK(clGetDeviceInfo(cl.device, CL_DEVICE_LOCAL_MEM_SIZE, sizeof max, &max, NULL));
    OK(clSetKernelArg(kernel, 0, sizeof mem, &mem));
    OK(clSetKernelArg(kernel, 1, sizeof mem, &mem));
    OK(clSetKernelArg(kernel, 3, 4, v));
    OK(clSetKernelArg(kernel, 4, 16, v));
    cl_int code = clSetKernelArg(kernel, 2, max + 1, NULL);
    if (!code)
        code = clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &one, &one, 0, NULL, NULL);
    assert_true(code == CL_OUT_OF_RESOURCES || code == CL_INVALID_ARG_SIZE ||
                code == CL_MAX_SIZE_RESTRICTION_EXCEEDED);
    OK(clReleaseMemObject(mem));
    OK(clReleaseKernel(kernel));
}

/* An argument belongs to the launch from its enqueue on. */
TEST(arguments_are_those_of_the_moment_of_the_enqueue) {
    cl_kernel kernel = kernel_of("kernel void put(global int *p, int i) { p[i] = i + 1; }", "put");
    enum { N = 100 };
    cl_mem mem = buffer_of(0, N * 4, NULL);
    cl_event gate = MADE(clCreateUserEvent(cl.context, &error));
    int back[N];
    size_t one = 1;
    OK(clSetKernelArg(kernel, 0, sizeof mem, &mem));
    for (int i = 0; i < N; i++) {
        OK(clSetKernelArg(kernel, 1, sizeof i, &i));
        OK(clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &one, NULL, i == 0, i ? NULL : &gate, NULL));
    }
    OK(clReleaseKernel(kernel));
    OK(clSetUserEventStatus(gate, CL_COMPLETE));
    OK(clEnqueueReadBuffer(cl.queue, mem, CL_TRUE, 0, sizeof back, back, 0, NULL, NULL));
    for (int i = 0; i < N; i++)
        assert_int_equal(back[i], i + 1);
    OK(clReleaseEvent(gate));
    OK(clReleaseMemObject(mem));
}

TEST(a_buffer_released_after_the_enqueue_is_still_used) {
    cl_kernel kernel = kernel_of("kernel void put(global int *p) { p[get_global_id(0)] = 1; }", "put");
    cl_event gate = MADE(clCreateUserEvent(cl.context, &error)), done;
    cl_mem mem = buffer_of(0, 4096, NULL);
    size_t n = 1024;
    OK(clSetKernelArg(kernel, 0, sizeof mem, &mem));
    OK(clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &n, NULL, 1, &gate, &done));
    OK(clReleaseMemObject(mem));
    OK(clReleaseKernel(kernel));
    OK(clSetUserEventStatus(gate, CL_COMPLETE));
    OK(clWaitForEvents(1, &done));
    OK(clReleaseEvent(gate));
    OK(clReleaseEvent(done));
}

TEST(a_buffer_of_another_context_is_refused) {
    cl_context other = MADE(clCreateContext(NULL, 1, &cl.device, NULL, NULL, &error));
    cl_mem foreign = MADE(clCreateBuffer(other, 0, 64, NULL, &error));
    cl_kernel kernel = made("null");
    cl_int code = clSetKernelArg(kernel, 0, sizeof foreign, &foreign);
    assert_true(code == CL_INVALID_CONTEXT || code == CL_INVALID_MEM_OBJECT);
    OK(clReleaseKernel(kernel));
    OK(clReleaseMemObject(foreign));
    OK(clReleaseContext(other));
}

TEST(the_program_goes_last) {
    OK(clReleaseProgram(program));
}

static char told[500];
static void CL_CALLBACK note(const char *text, const void *info, size_t size, void *data) {
    snprintf(told, sizeof told, "%s", text);
}

TEST(a_wrong_size_is_explained) {
    cl_context old = cl.context;
    float v[4] = {0};
    cl.context = MADE(clCreateContext(NULL, 1, &cl.device, note, NULL, &error));
    cl_kernel kernel = kernel_of("kernel void k(global float *p, float3 f, int4 i) { *p = f.x + i.x; }", "k");
    GIVES(CL_INVALID_ARG_SIZE, clSetKernelArg(kernel, 1, 12, v));
    if (is_weir()) {
        assert_non_null(strstr(told, "12 bytes given, its type has 16"));
        assert_non_null(strstr(told, "3 components"));
        GIVES(CL_INVALID_ARG_SIZE, clSetKernelArg(kernel, 2, 12, v));
        assert_null(strstr(told, "3 components"));
    }
    OK(clSetKernelArg(kernel, 1, 16, v));
    OK(clReleaseKernel(kernel));
    OK(clReleaseContext(cl.context));
    cl.context = old;
}
