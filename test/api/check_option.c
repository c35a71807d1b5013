/* -weir-check, a build option: kernels of such a program are checked whatever the environment says, however it came about. */
#include "check.h"

#define RACY                                                                                                 \
    "kernel void racy(global int *p) {\n"                                                                    \
    "    local int t[64];\n"                                                                                 \
    "    t[get_local_id(0)] = p[get_local_id(0)];\n"                                                         \
    "    p[get_local_id(0)] = t[63 - get_local_id(0)];\n"                                                    \
    "}\n"
#define FOUND "data-race|\"kernel\":\"racy\"|\"line\":3|\"line\":4|local variable t["

/* As checked(), with nothing in the environment that asks for it. */
static bool unasked(const char *test, const char *wanted) {
    if (getenv("WEIR_TEST_CHILD"))
        return true;
    snprintf(report, sizeof report, "%s/weir-check-option.%d", getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp",
             (int)getpid());
    unlink(report);
    setenv("WEIR_CHECK_REPORT", report, 1);
    fresh(test, NULL, "WEIR_CHECK=0");
    unsetenv("WEIR_CHECK_REPORT");
    expect_report(wanted);
    return false;
}

static void run(cl_program program) {
    cl_kernel kernel = MADE(clCreateKernel(program, "racy", &error));
    cl_mem mem = buffer_of(CL_MEM_READ_WRITE, 64 * sizeof(cl_int), NULL);
    size_t n = 64;
    OK(clSetKernelArg(kernel, 0, sizeof mem, &mem));
    OK(clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &n, &n, 0, NULL, NULL));
    OK(clFinish(cl.queue));
}

static cl_program compiled(const char *options) {
    cl_program program = program_of(RACY);
    OK(clCompileProgram(program, 0, NULL, options, 0, NULL, NULL, NULL, NULL));
    return program;
}

static cl_program linked(cl_program input, const char *options) {
    return MADE(clLinkProgram(cl.context, 0, NULL, options, 1, &input, NULL, NULL, &error));
}

static cl_program from_binary(cl_program program, const char *options) {
    size_t size;
    OK(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL));
    unsigned char *bytes = malloc(size);
    OK(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof bytes, &bytes, NULL));
    cl_program copy = MADE(clCreateProgramWithBinary(cl.context, 1, &cl.device, &size,
                                                     (const unsigned char **)&bytes, NULL, &error));
    OK(clBuildProgram(copy, 0, NULL, options, NULL, NULL));
    free(bytes);
    return copy;
}

TEST(a_program_that_asks_for_it_is_checked) {
    if (unasked(__func__, FOUND))
        run(build(RACY, "-weir-check"));
}

TEST(other_programs_are_not) {
    if (unasked(__func__, NULL))
        run(build(RACY, NULL));
}

TEST(both_of_one_source_can_be_there) {
    if (!unasked(__func__, FOUND))
        return;
    cl_program checked_one = build(RACY, "-DA -weir-check"), other = build(RACY, "-DA");
    run(other);
    run(checked_one);
    run(other);
}

TEST(a_compiled_object_keeps_it) {
    if (unasked(__func__, FOUND))
        run(linked(compiled("-weir-check"), NULL));
}

TEST(it_is_an_option_of_linking) {
    if (unasked(__func__, FOUND))
        run(linked(compiled(NULL), "-weir-check"));
}

TEST(a_library_keeps_it) {
    if (unasked(__func__, FOUND))
        run(linked(linked(compiled("-weir-check"), "-create-library"), NULL));
}

TEST(binaries_keep_it) {
    if (!unasked(__func__, FOUND))
        return;
    cl_program program = build(RACY, "-weir-check");
    run(program); /* then the kernel's object is in the binary, too */
    run(from_binary(program, NULL));
}

TEST(a_program_from_a_binary_takes_it_at_its_build) {
    if (!unasked(__func__, FOUND))
        return;
    cl_program program = build(RACY, NULL);
    run(program);
    run(from_binary(program, "-weir-check"));
}

TEST(the_options_of_the_build_tell_it) {
    char text[64] = "";
    cl_program program = build(RACY, "-w -weir-check");
    OK(clGetProgramBuildInfo(program, cl.device, CL_PROGRAM_BUILD_OPTIONS, sizeof text, text, NULL));
    assert_string_equal(text, "-w -weir-check");
}
