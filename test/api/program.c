/* Programs: source, build, compile and link, binaries, queries, callbacks. */
#define _GNU_SOURCE
#include "api.h"

#include "../../src/base/hash.c"

static const char two[] = "kernel void first(global int *p) { *p = 1; }\n"
                          "kernel void second(global int *p, int v) { *p = v; }\n";

static char *text_of(cl_program program, cl_program_info name) {
    size_t size;
    OK(clGetProgramInfo(program, name, 0, NULL, &size));
    char *text = calloc(1, size + 1);
    OK(clGetProgramInfo(program, name, size, text, NULL));
    return text;
}

static cl_build_status status_of(cl_program program) {
    cl_build_status status;
    OK(clGetProgramBuildInfo(program, cl.device, CL_PROGRAM_BUILD_STATUS, sizeof status, &status, NULL));
    return status;
}

static cl_program_binary_type type_of(cl_program program) {
    cl_program_binary_type type;
    OK(clGetProgramBuildInfo(program, cl.device, CL_PROGRAM_BINARY_TYPE, sizeof type, &type, NULL));
    return type;
}

TEST(program_creation_checks_its_arguments) {
    const char *strings[] = {"", NULL}, *source = "";
    REFUSES(CL_INVALID_VALUE, clCreateProgramWithSource(cl.context, 0, &source, NULL, &error));
    REFUSES(CL_INVALID_VALUE, clCreateProgramWithSource(cl.context, 1, NULL, NULL, &error));
    REFUSES(CL_INVALID_VALUE, clCreateProgramWithSource(cl.context, 2, strings, NULL, &error));
}

TEST(source_strings_are_joined_by_their_lengths) {
    const char *strings[] = {"kernel void aXXXX", "(global int *p) {", " *p = 7; }"};
    size_t lengths[] = {13, 0, 10};
    cl_program program = MADE(clCreateProgramWithSource(cl.context, 3, strings, lengths, &error));
    char *text = text_of(program, CL_PROGRAM_SOURCE);
    assert_string_equal(text, "kernel void a(global int *p) { *p = 7; }");
    OK(clBuildProgram(program, 0, NULL, NULL, NULL, NULL));
    assert_int_equal(result_of(program, "a"), 7);
    free(text);
    OK(clReleaseProgram(program));
}

TEST(a_program_tells_its_state) {
    cl_program program = program_of(two);
    cl_uint n;
    cl_device_id device;
    cl_context context;
    size_t count;
    assert_int_equal(status_of(program), CL_BUILD_NONE);
    assert_int_equal(type_of(program), CL_PROGRAM_BINARY_TYPE_NONE);
    GIVES(CL_INVALID_PROGRAM_EXECUTABLE,
          clGetProgramInfo(program, CL_PROGRAM_NUM_KERNELS, sizeof count, &count, NULL));
    GIVES(CL_INVALID_PROGRAM_EXECUTABLE, clGetProgramInfo(program, CL_PROGRAM_KERNEL_NAMES, 0, NULL, &count));
    OK(clBuildProgram(program, 1, &cl.device, "-DX=1", NULL, NULL));
    assert_int_equal(status_of(program), CL_BUILD_SUCCESS);
    assert_int_equal(type_of(program), CL_PROGRAM_BINARY_TYPE_EXECUTABLE);
    OK(clGetProgramInfo(program, CL_PROGRAM_NUM_KERNELS, sizeof count, &count, NULL));
    assert_int_equal(count, 2);
    char *names = text_of(program, CL_PROGRAM_KERNEL_NAMES), options[16];
    assert_string_equal(names, "first;second");
    free(names);
    OK(clGetProgramBuildInfo(program, cl.device, CL_PROGRAM_BUILD_OPTIONS, sizeof options, options, NULL));
    assert_string_equal(options, "-DX=1");
    OK(clGetProgramInfo(program, CL_PROGRAM_NUM_DEVICES, sizeof n, &n, NULL));
    assert_int_equal(n, 1);
    OK(clGetProgramInfo(program, CL_PROGRAM_DEVICES, sizeof device, &device, NULL));
    assert_ptr_equal(device, cl.device);
    OK(clGetProgramInfo(program, CL_PROGRAM_CONTEXT, sizeof context, &context, NULL));
    assert_ptr_equal(context, cl.context);
    OK(clGetProgramInfo(program, CL_PROGRAM_REFERENCE_COUNT, sizeof n, &n, NULL));
    assert_int_equal(n, 1);
    size_t globals = 99;
    OK(clGetProgramBuildInfo(program, cl.device, CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE, sizeof globals,
                             &globals, NULL));
    assert_int_equal(globals, 0);
    cl_bool present = 7;
    OK(clGetProgramInfo(program, CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT, sizeof present, &present, NULL));
    assert_int_equal(present, CL_FALSE);
    OK(clGetProgramInfo(program, CL_PROGRAM_IL, 0, NULL, &count));
    assert_int_equal(count, 0);
    OK(clReleaseProgram(program));
}

TEST(program_queries_check_their_arguments) {
    cl_program program = program_of(two), wrong = (cl_program)cl.context;
    char one;
    GIVES(CL_INVALID_PROGRAM, clGetProgramInfo(wrong, CL_PROGRAM_SOURCE, 0, NULL, NULL));
    GIVES(CL_INVALID_VALUE, clGetProgramInfo(program, CL_PROGRAM_SOURCE, 1, &one, NULL));
    GIVES(CL_INVALID_VALUE, clGetProgramInfo(program, CL_DEVICE_NAME, 1, &one, NULL));
    GIVES(CL_INVALID_PROGRAM,
          clGetProgramBuildInfo(wrong, cl.device, CL_PROGRAM_BUILD_STATUS, 0, NULL, NULL));
    GIVES(CL_INVALID_DEVICE,
          clGetProgramBuildInfo(program, (cl_device_id)cl.context, CL_PROGRAM_BUILD_STATUS, 0, NULL, NULL));
    GIVES(CL_INVALID_VALUE,
          clGetProgramBuildInfo(program, cl.device, CL_PROGRAM_BUILD_STATUS, 1, &one, NULL));
    GIVES(CL_INVALID_VALUE, clGetProgramBuildInfo(program, cl.device, CL_DEVICE_NAME, 1, &one, NULL));
    GIVES(CL_INVALID_PROGRAM, clRetainProgram(wrong));
    GIVES(CL_INVALID_PROGRAM, clReleaseProgram(wrong));
    OK(clReleaseProgram(program));
}

static void CL_CALLBACK done(cl_program program, void *user) {
    __atomic_store_n((int *)user, 1, __ATOMIC_SEQ_CST);
}

TEST(building_checks_its_arguments) {
    cl_program program = program_of(two);
    cl_device_id wrong = (cl_device_id)cl.context;
    int user;
    GIVES(CL_INVALID_PROGRAM, clBuildProgram((cl_program)cl.context, 0, NULL, "", NULL, NULL));
    GIVES(CL_INVALID_VALUE, clBuildProgram(program, 1, NULL, "", NULL, NULL));
    GIVES(CL_INVALID_VALUE, clBuildProgram(program, 0, &cl.device, "", NULL, NULL));
    GIVES(CL_INVALID_VALUE, clBuildProgram(program, 0, NULL, "", NULL, &user));
    GIVES(CL_INVALID_DEVICE, clBuildProgram(program, 1, &wrong, "", NULL, NULL));
    GIVES(CL_INVALID_BUILD_OPTIONS, clBuildProgram(program, 0, NULL, "-no-such-option", NULL, NULL));
    assert_int_equal(status_of(program), CL_BUILD_ERROR);
    OK(clReleaseProgram(program));
}

TEST(a_build_with_a_callback_calls_it) {
    cl_program program = program_of(two);
    int called = 0;
    OK(clBuildProgram(program, 1, &cl.device, "", done, &called));
    for (int i = 0; i < 10000 && !__atomic_load_n(&called, __ATOMIC_SEQ_CST); i++)
        usleep(1000);
    assert_int_equal(called, 1);
    assert_int_equal(status_of(program), CL_BUILD_SUCCESS);
    assert_int_equal(result_of(program, "first"), 1);
    OK(clReleaseProgram(program));
}

static void CL_CALLBACK create_first(cl_program program, void *user) {
    cl_kernel kernel = MADE(clCreateKernel(program, "first", &error));
    OK(clReleaseKernel(kernel));
    done(program, user);
}

TEST(kernels_are_there_before_the_callback_is_waited_for) {
    char source[200];
    snprintf(source, sizeof source, "%s// %d\n", two, (int)getpid()); /* not in the cache */
    cl_program program = program_of(source);
    int called = 0;
    OK(clBuildProgram(program, 1, &cl.device, "", create_first, &called));
    assert_int_equal(result_of(program, "first"), 1);
    for (int i = 0; i < 10000 && !__atomic_load_n(&called, __ATOMIC_SEQ_CST); i++)
        usleep(1000);
    assert_int_equal(called, 1);
    OK(clReleaseProgram(program));
}

TEST(queries_of_what_is_built_wait_for_the_build) {
    char source[200];
    snprintf(source, sizeof source, "%s// queries %d\n", two, (int)getpid());
    cl_program program = program_of(source);
    int called = 0;
    size_t kernels = 0, size = 0;
    OK(clBuildProgram(program, 1, &cl.device, "", done, &called));
    OK(clGetProgramInfo(program, CL_PROGRAM_NUM_KERNELS, sizeof kernels, &kernels, NULL));
    OK(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL));
    assert_int_equal(kernels, 2);
    assert_true(size > 0);
    for (int i = 0; i < 10000 && !__atomic_load_n(&called, __ATOMIC_SEQ_CST); i++)
        usleep(1000);
    OK(clReleaseProgram(program));
}

static cl_int code_of_the_asked;

static void CL_CALLBACK ask_for_a_kernel(const char *text, const void *data, size_t size, void *user) {
    (void)text, (void)data, (void)size;
    cl_program program =
        __atomic_exchange_n((cl_program *)user, NULL, __ATOMIC_SEQ_CST); /* the error below calls, too */
    if (program)
        assert_null(clCreateKernel(program, "k", &code_of_the_asked));
}

TEST(the_callback_of_a_context_may_ask_for_a_kernel_of_the_failed_build) {
    cl_program asked = NULL;
    cl_context context = MADE(clCreateContext(NULL, 1, &cl.device, ask_for_a_kernel, &asked, &error));
    const char *source = "kernel void k( {";
    cl_program program = asked = MADE(clCreateProgramWithSource(context, 1, &source, NULL, &error));
    GIVES(CL_BUILD_PROGRAM_FAILURE, clBuildProgram(program, 0, NULL, "", NULL, NULL));
    assert_int_equal(code_of_the_asked, CL_INVALID_PROGRAM_EXECUTABLE);
    OK(clReleaseProgram(program));
    OK(clReleaseContext(context));
}

TEST(a_failed_build_calls_back_too) {
    cl_program program = program_of("kernel void k( {");
    int called = 0;
    cl_int code = clBuildProgram(program, 1, &cl.device, "", done, &called);
    assert_true(code == CL_SUCCESS || code == CL_BUILD_PROGRAM_FAILURE);
    for (int i = 0; i < 10000 && !__atomic_load_n(&called, __ATOMIC_SEQ_CST); i++)
        usleep(1000);
    assert_int_equal(called, 1);
    assert_int_equal(status_of(program), CL_BUILD_ERROR);
    OK(clReleaseProgram(program));
}

TEST(a_program_with_kernels_cannot_be_rebuilt) {
    cl_program program = build(two, "");
    cl_kernel kernel = MADE(clCreateKernel(program, "first", &error));
    GIVES(CL_INVALID_OPERATION, clBuildProgram(program, 0, NULL, "-DY", NULL, NULL));
    GIVES(CL_INVALID_OPERATION, clCompileProgram(program, 0, NULL, "", 0, NULL, NULL, NULL, NULL));
    OK(clReleaseKernel(kernel));
    OK(clBuildProgram(program, 0, NULL, "-DY", NULL, NULL));
    OK(clReleaseProgram(program));
}

TEST(a_program_can_be_rebuilt_with_other_options) {
    cl_program program = program_of("kernel void k(global int *p) { *p = V; }");
    OK(clBuildProgram(program, 0, NULL, "-DV=1", NULL, NULL));
    assert_int_equal(result_of(program, "k"), 1);
    OK(clBuildProgram(program, 0, NULL, "-DV=2", NULL, NULL));
    assert_int_equal(result_of(program, "k"), 2);
    GIVES(CL_BUILD_PROGRAM_FAILURE, clBuildProgram(program, 0, NULL, "", NULL, NULL));
    REFUSES(CL_INVALID_PROGRAM_EXECUTABLE, clCreateKernel(program, "k", &error));
    OK(clBuildProgram(program, 0, NULL, "-DV=3", NULL, NULL));
    assert_int_equal(result_of(program, "k"), 3);
    OK(clReleaseProgram(program));
}

static cl_program compiled(const char *source) {
    cl_program program = program_of(source);
    OK(clCompileProgram(program, 0, NULL, "", 0, NULL, NULL, NULL, NULL));
    return program;
}

TEST(programs_are_compiled_with_headers_and_linked) {
    cl_program header = program_of("int add(int a, int b);\n#define THREE 3\n");
    cl_program library = compiled("int add(int a, int b) { return a + b; }");
    cl_program user =
        program_of("#include \"my/add.h\"\nkernel void k(global int *p) { *p = add(THREE, 4); }");
    const char *name = "my/add.h";
    OK(clCompileProgram(user, 0, NULL, "", 1, &header, &name, NULL, NULL));
    assert_int_equal(type_of(user), CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT);
    cl_program parts[] = {user, library};
    cl_program linked = MADE(clLinkProgram(cl.context, 0, NULL, "", 2, parts, NULL, NULL, &error));
    assert_int_equal(type_of(linked), CL_PROGRAM_BINARY_TYPE_EXECUTABLE);
    assert_int_equal(status_of(linked), CL_BUILD_SUCCESS);
    assert_int_equal(result_of(linked, "k"), 7);
    OK(clReleaseProgram(linked));
    OK(clReleaseProgram(user));
    OK(clReleaseProgram(library));
    OK(clReleaseProgram(header));
}

TEST(libraries_are_linked_in_two_steps) {
    cl_program a = compiled("int f(int x) { return x * 2; }"), b = compiled("int g(int x) { return x + 1; }");
    cl_program pair[] = {a, b};
    cl_program library =
        MADE(clLinkProgram(cl.context, 0, NULL, "-create-library", 2, pair, NULL, NULL, &error));
    assert_int_equal(type_of(library), CL_PROGRAM_BINARY_TYPE_LIBRARY);
    cl_program user = compiled("int f(int); int g(int); kernel void k(global int *p) { *p = f(g(4)); }");
    cl_program parts[] = {user, library};
    cl_program linked = MADE(clLinkProgram(cl.context, 0, NULL, "", 2, parts, NULL, NULL, &error));
    assert_int_equal(result_of(linked, "k"), 10);
    OK(clReleaseProgram(linked));
    OK(clReleaseProgram(user));
    OK(clReleaseProgram(library));
    OK(clReleaseProgram(a));
    OK(clReleaseProgram(b));
}

TEST(an_undefined_function_fails_the_link_by_name) {
    cl_program user =
        compiled("int missing_function(int); kernel void k(global int *p) { *p = missing_function(1); }");
    cl_program linked = clLinkProgram(cl.context, 0, NULL, "", 1, &user, NULL, NULL, &error);
    assert_int_equal(error, CL_LINK_PROGRAM_FAILURE);
    if (linked) {
        char *text = log_of(linked);
        assert_non_null(strstr(text, "missing_function"));
        free(text);
        assert_int_equal(status_of(linked), CL_BUILD_ERROR);
        OK(clReleaseProgram(linked));
    }
    OK(clReleaseProgram(user));
    user =
        program_of("int missing_function(int); kernel void k(global int *p) { *p = missing_function(1); }");
    GIVES(CL_BUILD_PROGRAM_FAILURE, clBuildProgram(user, 0, NULL, "", NULL, NULL));
    char *text = log_of(user);
    assert_non_null(strstr(text, "missing_function"));
    free(text);
    OK(clReleaseProgram(user));
}

TEST(compiling_checks_its_arguments) {
    cl_program program = program_of(two), header = program_of("");
    const char *name = "h";
    int user;
#define COMPILE(code, what, ndevices, devices, options, n, headers, names, data)                             \
    GIVES(code, clCompileProgram(what, ndevices, devices, options, n, headers, names, NULL, data))
    COMPILE(CL_INVALID_PROGRAM, (cl_program)cl.context, 0, NULL, "", 0, NULL, NULL, NULL);
    COMPILE(CL_INVALID_VALUE, program, 1, NULL, "", 0, NULL, NULL, NULL);
    COMPILE(CL_INVALID_VALUE, program, 0, &cl.device, "", 0, NULL, NULL, NULL);
    COMPILE(CL_INVALID_VALUE, program, 0, NULL, "", 0, &header, NULL, NULL);
    COMPILE(CL_INVALID_VALUE, program, 0, NULL, "", 0, NULL, &name, NULL);
    COMPILE(CL_INVALID_VALUE, program, 0, NULL, "", 1, &header, NULL, NULL);
    COMPILE(CL_INVALID_VALUE, program, 0, NULL, "", 1, NULL, &name, NULL);
    COMPILE(CL_INVALID_VALUE, program, 0, NULL, "", 0, NULL, NULL, &user);
    COMPILE(CL_INVALID_DEVICE, program, 1, (cl_device_id *)&cl.context, "", 0, NULL, NULL, NULL);
    COMPILE(CL_INVALID_COMPILER_OPTIONS, program, 0, NULL, "-no-such-option", 0, NULL, NULL, NULL);
    OK(clReleaseProgram(program));
    program = program_of("kernel void k( {");
    COMPILE(CL_COMPILE_PROGRAM_FAILURE, program, 0, NULL, "", 0, NULL, NULL, NULL);
    OK(clReleaseProgram(program));
    OK(clReleaseProgram(header));
}

TEST(linking_checks_its_arguments) {
    cl_program program = compiled(two), raw = program_of(two), wrong = (cl_program)cl.context;
    int user;
#define LINK(code, context, ndevices, devices, options, n, programs, data)                                   \
    REFUSES(code, clLinkProgram(context, ndevices, devices, options, n, programs, NULL, data, &error))
    LINK(CL_INVALID_CONTEXT, (cl_context)cl.queue, 0, NULL, "", 1, &program, NULL);
    LINK(CL_INVALID_VALUE, cl.context, 1, NULL, "", 1, &program, NULL);
    LINK(CL_INVALID_VALUE, cl.context, 0, &cl.device, "", 1, &program, NULL);
    LINK(CL_INVALID_VALUE, cl.context, 0, NULL, "", 0, NULL, NULL);
    LINK(CL_INVALID_VALUE, cl.context, 0, NULL, "", 1, NULL, NULL);
    LINK(CL_INVALID_VALUE, cl.context, 0, NULL, "", 1, &program, &user);
    LINK(CL_INVALID_PROGRAM, cl.context, 0, NULL, "", 1, &wrong, NULL);
    LINK(CL_INVALID_DEVICE, cl.context, 1, (cl_device_id *)&cl.context, "", 1, &program, NULL);
    LINK(CL_INVALID_OPERATION, cl.context, 0, NULL, "", 1, &raw, NULL);
    LINK(CL_INVALID_LINKER_OPTIONS, cl.context, 0, NULL, "-no-such-option", 1, &program, NULL);
    OK(clReleaseProgram(program));
    OK(clReleaseProgram(raw));
}

static cl_program from_binary(const void *bytes, size_t size, cl_int *status) {
    const unsigned char *at = bytes;
    return clCreateProgramWithBinary(cl.context, 1, &cl.device, &size, &at, status, &error);
}

static unsigned char *binary_of(cl_program program, size_t *size) {
    OK(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof *size, size, NULL));
    assert_true(*size > 0);
    unsigned char *bytes = malloc(*size);
    OK(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof bytes, &bytes, NULL));
    return bytes;
}

TEST(a_binary_brings_its_program_back) {
    cl_program program = build(two, "");
    assert_int_equal(result_of(program, "first"), 1);
    size_t size;
    unsigned char *bytes = binary_of(program, &size);
    OK(clReleaseProgram(program));
    cl_int status = 77;
    program = MADE(from_binary(bytes, size, &status));
    assert_int_equal(status, CL_SUCCESS);
    OK(clBuildProgram(program, 0, NULL, "", NULL, NULL));
    assert_int_equal(result_of(program, "first"), 1);
    size_t length = 77;
    OK(clGetProgramInfo(program, CL_PROGRAM_SOURCE, 0, NULL, &length));
    assert_true(length <= 1);
    GIVES(CL_INVALID_OPERATION, clCompileProgram(program, 0, NULL, "", 0, NULL, NULL, NULL, NULL));
    OK(clReleaseProgram(program));
    free(bytes);
}

TEST(a_compiled_binary_can_be_linked) {
    cl_program a = compiled("int f(int x) { return x * 2; }");
    size_t size;
    unsigned char *bytes = binary_of(a, &size);
    OK(clReleaseProgram(a));
    a = MADE(from_binary(bytes, size, NULL));
    assert_int_equal(type_of(a), CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT);
    cl_program user = compiled("int f(int); kernel void k(global int *p) { *p = f(21); }"),
               parts[] = {a, user};
    cl_program linked = MADE(clLinkProgram(cl.context, 0, NULL, "", 2, parts, NULL, NULL, &error));
    assert_int_equal(result_of(linked, "k"), 42);
    OK(clReleaseProgram(linked));
    OK(clReleaseProgram(user));
    OK(clReleaseProgram(a));
    free(bytes);
}

/* Whatever a file holds, the answer is an error or a program that builds or does not: never a crash. */
TEST(damaged_binaries_are_refused) {
    cl_program program = build(two, "");
    size_t size;
    cl_int status = 0;
    unsigned char *bytes = binary_of(program, &size), *copy = malloc(size);
    OK(clReleaseProgram(program));
    REFUSES(CL_INVALID_BINARY, from_binary("not a program", 13, &status));
    assert_int_equal(status, CL_INVALID_BINARY);
    for (size_t cut = 1; cut < size; cut += cut < 64 ? 1 : size / 16 + 1)
        REFUSES(CL_INVALID_BINARY, from_binary(bytes, cut, &status));
    for (size_t i = 0; i < 64; i++) {
        memcpy(copy, bytes, size);
        copy[i < 48 ? i : i * 2654435761u % size] ^= (unsigned char)(1 + i * 37);
        program = from_binary(copy, size, &status);
        if (program) {
            clBuildProgram(program, 0, NULL, "", NULL, NULL);
            OK(clReleaseProgram(program));
        }
    }
    free(copy);
    free(bytes);
}

TEST(binary_creation_checks_its_arguments) {
    const unsigned char *bytes = (const unsigned char *)"x", *none = NULL;
    size_t one = 1, zero = 0;
#define BINARY(code, n, devices, sizes, list)                                                                \
    REFUSES(code, clCreateProgramWithBinary(cl.context, n, devices, sizes, list, NULL, &error))
    BINARY(CL_INVALID_VALUE, 0, &cl.device, &one, &bytes);
    BINARY(CL_INVALID_VALUE, 1, NULL, &one, &bytes);
    BINARY(CL_INVALID_VALUE, 1, &cl.device, NULL, &bytes);
    BINARY(CL_INVALID_VALUE, 1, &cl.device, &one, NULL);
    BINARY(CL_INVALID_VALUE, 1, &cl.device, &zero, &bytes);
    BINARY(CL_INVALID_VALUE, 1, &cl.device, &one, &none);
    BINARY(CL_INVALID_DEVICE, 1, (cl_device_id *)&cl.context, &one, &bytes);
}

TEST(built_in_kernels_by_unknown_name_are_refused) {
    REFUSES(CL_INVALID_VALUE,
            clCreateProgramWithBuiltInKernels(cl.context, 1, &cl.device, "nothing", &error));
    REFUSES(CL_INVALID_VALUE, clCreateProgramWithBuiltInKernels(cl.context, 1, &cl.device, NULL, &error));
    REFUSES(CL_INVALID_VALUE, clCreateProgramWithBuiltInKernels(cl.context, 0, NULL, "nothing", &error));
}

TEST(program_scope_variables_keep_their_values_between_launches) {
    cl_program program = build("global int counter = 5;\n"
                               "kernel void k(global int *p) { *p = ++counter; }",
                               "-cl-std=CL3.0");
    size_t globals = 0;
    OK(clGetProgramBuildInfo(program, cl.device, CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE, sizeof globals,
                             &globals, NULL));
    assert_true(globals >= 4);
    assert_int_equal(result_of(program, "k"), 6);
    assert_int_equal(result_of(program, "k"), 7);
    OK(clReleaseProgram(program));
}

TEST(a_kernel_outlives_the_release_of_its_program) {
    cl_kernel kernel = kernel_of("kernel void k(global int *p) { *p = 3; }", "k");
    cl_program program;
    OK(clGetKernelInfo(kernel, CL_KERNEL_PROGRAM, sizeof program, &program, NULL));
    cl_mem mem = buffer_of(0, 4, NULL);
    int back = 0;
    OK(clSetKernelArg(kernel, 0, sizeof mem, &mem));
    OK(run_1d(kernel, 1, 1));
    OK(clEnqueueReadBuffer(cl.queue, mem, CL_TRUE, 0, 4, &back, 0, NULL, NULL));
    assert_int_equal(back, 3);
    OK(clReleaseMemObject(mem));
    OK(clReleaseKernel(kernel));
}

/* Refused where the program is built, not while it is launched. */
TEST(program_scope_variables_of_gigabytes_are_refused_with_a_sentence) {
    static const char *const sources[] = {
        "global char large[3ul << 30]; kernel void k(global int *p) { large[p[0] & 255] = 1; p[0] = "
        "large[5]; }",
        "global int large[1 << 29] = {1}; kernel void k(global int *p) { p[0] = large[p[0] & 255]++; }",
        "constant int large[1 << 29] = {1}; kernel void k(global int *p) { p[0] = large[p[0] & 255]; }",
        "global char a[100 << 20], b[100 << 20], large[100 << 20];"
        "kernel void k(global int *p) { p[0] = ++a[p[0] & 255] + ++b[p[0] & 255] + ++large[p[0] & 255]; }",
    };
    for (size_t i = 0; i < COUNT(sources); i++) {
        cl_program program = program_of(sources[i]);
        GIVES(CL_BUILD_PROGRAM_FAILURE, clBuildProgram(program, 0, NULL, "-cl-std=CL3.0", NULL, NULL));
        char *text = log_of(program);
        assert_non_null(strstr(text, "'large'"));
        free(text);
        OK(clReleaseProgram(program));
    }
}

/* Makes the checksum at the end of a program binary right again. */
static void seal(unsigned char *binary, size_t size) {
    struct hash h;
    char hex[33];
    hash_init(&h);
    hash_bytes(&h, binary, size - 32);
    hash_hex(&h, hex);
    memcpy(binary + size - 32, hex, 32);
}

/* Its checksum is right: only the object's own form tells. Then the kernel is compiled from the IR beside it. */
TEST(a_binary_with_a_damaged_kernel_object_runs_all_the_same) {
    static const uint64_t values[] = {0, 1, 0x4141414141414141, UINT64_MAX, 1ul << 40};
    size_t size;
    if (!is_weir())
        skip();
    cl_program whole = build(two, "");
    assert_int_equal(result_of(whole, "first"), 1);
    unsigned char *binary = binary_of(whole, &size), *copy = malloc(size);
    OK(clReleaseProgram(whole));
    unsigned char *object = memmem(binary, size, "\177ELF", 4);
    assert_non_null(object);
    const size_t begin = (size_t)(object - binary);
    for (size_t at = 0; at < 0x1d0; at += 8) /* headers, hash table, symbols, where the first relocation is */
        for (size_t v = 0; v < COUNT(values); v++) {
            cl_int status;
            memcpy(copy, binary, size);
            memcpy(copy + begin + at, &values[v], 8);
            seal(copy, size);
            cl_program program = MADE(from_binary(copy, size, &status));
            OK(clBuildProgram(program, 0, NULL, NULL, NULL, NULL));
            assert_int_equal(result_of(program, "first"), 1);
            OK(clReleaseProgram(program));
        }
    free(copy);
    free(binary);
}
