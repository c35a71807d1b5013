/* Sources that nobody should write: each gives a clear error, and the process lives and builds on. */
#include <time.h>
#include "api.h"

/* The code of building `source`, which must leave a log if it fails. */
static cl_int fails(const char *source, const char *expected) {
    cl_program program = program_of(source);
    cl_int code = clBuildProgram(program, 0, NULL, "", NULL, NULL);
    char *text = log_of(program);
    assert_true(code == CL_SUCCESS || *text);
    if (expected && !strstr(text, expected))
        fail_msg("no \"%s\" in the log: %.500s", expected, text);
    free(text);
    OK(clReleaseProgram(program));
    return code;
}

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

TEST(syntax_errors_fail_with_a_log) {
    static const char *const sources[] = {"kernel void k( {",
                                          "}",
                                          "#error no",
                                          "kernel int k() { return 1; }",
                                          "kernel void k(int **p) {}",
                                          "kernel void k() { goto nowhere; }",
                                          "kernel void k(global int p) {}",
                                          "\"",
                                          "/* unfinished",
                                          "#if 1\n",
                                          "kernel void k() { undeclared(); }",
                                          "kernel void k(bool b) {}",
                                          "void f() { f(); } kernel void k() { int x[-1]; }"};
    for (size_t i = 0; i < COUNT(sources); i++)
        if (fails(sources[i], NULL) != CL_BUILD_PROGRAM_FAILURE)
            fail_msg("built: %s", sources[i]);
    still_works();
}

/* Local variables of inner blocks are taken for variables of the kernel: a program that fails nevertheless is told of as it is
 * written, and what can't be moved is refused. */
TEST(what_fails_beside_local_variables_of_inner_blocks_is_named) {
    GIVES(CL_BUILD_PROGRAM_FAILURE,
          fails("#define N 4\n"
                "kernel void k(global int *a) { if (a[0]) { local int t[N]; t[0] = M; } }",
                "<source>:2:67: error: use of undeclared identifier 'M'"));
    GIVES(
        CL_BUILD_PROGRAM_FAILURE,
        fails("kernel void k(global int *a) { { int n = a[0]; { local int t[n]; a[0] = t[0]; } } }", "t[n]"));
    GIVES(CL_BUILD_PROGRAM_FAILURE,
          fails("void f(global int *a) { { local int t; t = 1; a[0] = t; } }", "non-kernel function"));
    GIVES(CL_SUCCESS, fails("kernel void k(global int *a) { { local int t; t = 1; a[0] = t; } }",
                            "note: local variables"));
    still_works();
}

TEST(an_empty_source_is_a_program_without_kernels) {
    cl_program program = build("", "");
    size_t n = 77;
    OK(clGetProgramInfo(program, CL_PROGRAM_NUM_KERNELS, sizeof n, &n, NULL));
    assert_int_equal(n, 0);
    REFUSES(CL_INVALID_KERNEL_NAME, clCreateKernel(program, "k", &error));
    OK(clReleaseProgram(program));
}

TEST(a_missing_include_is_named) {
    GIVES(CL_BUILD_PROGRAM_FAILURE,
          fails("#include \"no/such/file.h\"\nkernel void k() {}", "no/such/file.h"));
    GIVES(CL_BUILD_PROGRAM_FAILURE, fails("#include <stdio.h>\nkernel void k() {}", "stdio.h"));
}

TEST(includes_without_end_stop) {
    cl_program self = program_of("#include \"self.h\"\n"),
               program = program_of("#include \"self.h\"\nkernel void k() {}");
    const char *name = "self.h";
    GIVES(CL_COMPILE_PROGRAM_FAILURE, clCompileProgram(program, 0, NULL, "", 1, &self, &name, NULL, NULL));
    OK(clReleaseProgram(self));
    OK(clReleaseProgram(program));
    still_works();
}

TEST(devices_and_system_files_are_no_programs) {
    double start = seconds();
    fails("#include \"/dev/zero\"\nkernel void k() {}", NULL); /* may be taken as an empty file */
    GIVES(CL_BUILD_PROGRAM_FAILURE, fails("#include \"/etc/passwd\"\nkernel void k() {}", NULL));
    assert_true(seconds() - start < 60);
    still_works();
}

TEST(a_source_of_ten_megabytes_builds) {
    static const char line[] = "// a comment that takes up room: 0123456789012345678901234567890123456789\n";
    static const char tail[] = "kernel void k(global int *p) { *p = 1; }\n";
    size_t length = sizeof line - 1, n = (10 << 20) / length;
    char *source = malloc(n * length + sizeof tail);
    for (size_t i = 0; i < n; i++)
        memcpy(source + i * length, line, length);
    memcpy(source + n * length, tail, sizeof tail);
    OK(fails(source, NULL));
    memset(source + n * length / 2, '(', length);
    memset(source, '{', 1000);
    assert_true(fails(source, NULL) == CL_BUILD_PROGRAM_FAILURE);
    free(source);
    still_works();
}

TEST(a_source_of_zero_bytes_and_binary_noise_is_an_error) {
    char noise[4096];
    unsigned state_of_noise = 1;
    for (size_t i = 0; i < sizeof noise; i++)
        noise[i] = (char)((state_of_noise = state_of_noise * 1103515245 + 12345) >> 16);
    const char *at = noise;
    size_t size = sizeof noise;
    cl_program program = MADE(clCreateProgramWithSource(cl.context, 1, &at, &size, &error));
    GIVES(CL_BUILD_PROGRAM_FAILURE, clBuildProgram(program, 0, NULL, "", NULL, NULL));
    OK(clReleaseProgram(program));
    still_works();
}

TEST(deep_nesting_is_an_error_or_a_program) {
    enum { DEPTH = 100000 };
    char *source = malloc(2 * DEPTH + 100), *at = source;
    at += sprintf(at, "kernel void k(global int *p) { *p = ");
    memset(at, '(', DEPTH);
    at += DEPTH;
    *at++ = '1';
    memset(at, ')', DEPTH);
    strcpy(at + DEPTH, "; }");
    cl_int code = fails(source, NULL);
    assert_true(code == CL_BUILD_PROGRAM_FAILURE || code == CL_SUCCESS);
    free(source);
    still_works();
}

TEST(a_source_that_crashes_the_compiler_is_a_failed_build) {
    static const char *const sources[] = {
        "#pragma clang __debug crash\nkernel void k() {}",
        "#pragma clang __debug llvm_fatal_error\nkernel void k() {}",
        "#pragma clang __debug assert\n#pragma clang __debug parser_crash\nkernel void k() {}"};
    for (size_t i = 0; i < COUNT(sources); i++) {
        GIVES(CL_BUILD_PROGRAM_FAILURE, fails(sources[i], NULL));
        still_works();
    }
}

/* Preprocessing doubles a token list many times: minutes of work unless the time limit stops it. */
TEST(a_build_that_takes_too_long_is_stopped) {
    if (!fresh(__func__, NULL, "WEIR_BUILD_TIMEOUT=1"))
        return;
    char source[4096], *at = source;
    at += sprintf(at, "#define A0 x+\n");
    for (int i = 1; i <= 40; i++)
        at += sprintf(at, "#define A%d A%d A%d\n", i, i - 1, i - 1);
    sprintf(at, "kernel void k(global int *p) { int x = 1; *p = A40 1; }\n");
    double start = seconds();
    cl_int code = fails(source, NULL);
    assert_true(code == CL_BUILD_PROGRAM_FAILURE || code == CL_OUT_OF_HOST_MEMORY ||
                code == CL_OUT_OF_RESOURCES);
    assert_true(seconds() - start < 30);
    still_works();
}

/* What the device says it takes at most. */
TEST(many_arguments_work_up_to_the_limit) {
    size_t max, size = 64;
    OK(clGetDeviceInfo(cl.device, CL_DEVICE_MAX_PARAMETER_SIZE, sizeof max, &max, NULL));
    size_t n = (max - 8) / 128;
    char *source = malloc(n * 100 + 1000), *at = source, *body;
    at += sprintf(at, "kernel void k(global ulong *p");
    for (size_t i = 0; i < n; i++)
        at += sprintf(at, ", ulong16 a%zu", i);
    at += sprintf(at, ") { ulong s = 0;");
    body = at;
    for (size_t i = 0; i < n; i++)
        at += sprintf(at, " s += a%zu.sf;", i);
    strcpy(at, " *p = s; }");
    (void)body;
    cl_kernel kernel = kernel_of(source, "k");
    cl_ulong value[16] = {0}, back = 0, sum = 0;
    cl_mem mem = buffer_of(0, size, NULL);
    OK(clSetKernelArg(kernel, 0, sizeof mem, &mem));
    for (size_t i = 0; i < n; i++) {
        sum += value[15] = i * i;
        OK(clSetKernelArg(kernel, (cl_uint)i + 1, sizeof value, value));
    }
    OK(run_1d(kernel, 1, 1));
    OK(clEnqueueReadBuffer(cl.queue, mem, CL_TRUE, 0, sizeof back, &back, 0, NULL, NULL));
    assert_int_equal(back, sum);
    OK(clReleaseMemObject(mem));
    OK(clReleaseKernel(kernel));
    free(source);
}

TEST(arguments_beyond_the_limit_are_an_error_not_a_crash) {
    size_t n = 1200;
    char *source = malloc(n * 40 + 100), *at = source;
    at += sprintf(at, "kernel void k(global ulong *p");
    for (size_t i = 0; i < n; i++)
        at += sprintf(at, ", ulong16 a%zu", i);
    strcpy(at, ") { *p = a7.s0; }");
    cl_program program = program_of(source);
    cl_int code = clBuildProgram(program, 0, NULL, "", NULL, NULL);
    if (!code) {
        cl_kernel kernel = clCreateKernel(program, "k", &code);
        if (kernel)
            OK(clReleaseKernel(kernel));
    } else {
        assert_int_equal(code, CL_BUILD_PROGRAM_FAILURE);
    }
    OK(clReleaseProgram(program));
    free(source);
    still_works();
}

TEST(too_much_local_memory_is_an_error) {
    cl_program program = program_of("kernel void k(global int *p) {"
                                    "    local int big[1 << 26];"
                                    "    big[get_local_id(0)] = 1;"
                                    "    barrier(CLK_LOCAL_MEM_FENCE);"
                                    "    *p = big[0];"
                                    "}");
    cl_int code = clBuildProgram(program, 0, NULL, "", NULL, NULL);
    if (!code) {
        cl_kernel kernel = MADE(clCreateKernel(program, "k", &error));
        cl_mem mem = buffer_of(0, 4, NULL);
        OK(clSetKernelArg(kernel, 0, sizeof mem, &mem));
        code = run_1d(kernel, 1, 1);
        assert_true(code == CL_OUT_OF_RESOURCES || code == CL_INVALID_WORK_GROUP_SIZE);
        OK(clReleaseMemObject(mem));
        OK(clReleaseKernel(kernel));
    }
    OK(clReleaseProgram(program));
    still_works();
}

TEST(recursion_and_function_pointers_do_not_crash) {
    static const char *const sources[] = {
        "int f(int n) { return n ? f(n - 1) + 1 : 0; } kernel void k(global int *p) { *p = f(*p); }",
        "int f(void) { return 1; } kernel void k(global int *p) { int (*g)(void) = f; *p = g(); }",
        "kernel void k(global int *p) { asm(\"hlt\"); }",
        "kernel void k(global int *p) { __builtin_trap(); }",
        "kernel void k(global int *p) { *p = __builtin_ia32_rdtsc(); }",
    };
    for (size_t i = 0; i < COUNT(sources); i++) {
        cl_program program = program_of(sources[i]);
        clBuildProgram(program, 0, NULL, "", NULL, NULL);
        OK(clReleaseProgram(program));
    }
    still_works();
}

TEST(very_long_options_and_names_are_handled) {
    enum { LONG = 200000 };
    char *options = malloc(LONG + 10), *source = malloc(LONG + 100);
    memset(options, ' ', LONG);
    strcpy(options + LONG, "-DV=1");
    cl_program program = program_of("kernel void k(global int *p) { *p = V; }");
    OK(clBuildProgram(program, 0, NULL, options, NULL, NULL));
    OK(clReleaseProgram(program));
    char *at = source + sprintf(source, "kernel void ");
    memset(at, 'n', LONG);
    strcpy(at + LONG, "(global int *p) { *p = 1; }");
    program = program_of(source);
    cl_int code = clBuildProgram(program, 0, NULL, "", NULL, NULL);
    assert_true(code == CL_SUCCESS || code == CL_BUILD_PROGRAM_FAILURE);
    OK(clReleaseProgram(program));
    free(options);
    free(source);
    still_works();
}
