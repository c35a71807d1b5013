/* Sources as programs have them: with byte order marks, in pieces, with what earlier compilers only warned of. */
#include "api.h"

#include <sys/stat.h>
#include <unistd.h>

#define MARK   "\xef\xbb\xbf"
#define KERNEL "kernel void k(global int *p) { *p = 1; }"

static cl_int try(cl_uint n, const char **texts, const size_t *lengths, const char *options, char **log) {
    cl_program program = MADE(clCreateProgramWithSource(cl.context, n, texts, lengths, &error));
    cl_int code = clBuildProgram(program, 1, &cl.device, options, NULL, NULL);
    *log = log_of(program);
    OK(clReleaseProgram(program));
    return code;
}

static void write_text(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static void builds(const char *source) {
    char *log;
    cl_int code = try(1, &source, NULL, "", &log);
    if (code || *log)
        fail_msg("%d for %s: %s", code, source, log);
    free(log);
}

TEST(byte_order_marks_are_skipped) {
    builds(MARK KERNEL);
    builds(MARK "#define A 1\r\n#if A\r\n" KERNEL "\r\n#endif\r\n");
    builds(MARK "\r\n" KERNEL);
    builds(MARK "// only a comment");
    builds(MARK);
}

TEST(each_string_may_begin_with_a_mark) {
    const char *texts[] = {MARK "#define A \\\n 1\n", MARK "constant int a = A;\n", MARK, MARK KERNEL "xx"};
    size_t lengths[] = {0, strlen(texts[1]), 3, strlen(texts[3]) - 2};
    char *log, *source;
    OK(try(COUNT(texts), texts, lengths, "", &log));
    assert_string_equal(log, "");
    free(log);
    cl_program program = MADE(clCreateProgramWithSource(cl.context, COUNT(texts), texts, lengths, &error));
    size_t size;
    OK(clGetProgramInfo(program, CL_PROGRAM_SOURCE, 0, NULL, &size));
    source = malloc(size);
    OK(clGetProgramInfo(program, CL_PROGRAM_SOURCE, size, source, NULL));
    assert_memory_equal(source, MARK "#define A", 12); /* as it was given */
    free(source);
    OK(clReleaseProgram(program));
}

TEST(a_mark_inside_a_line_is_kept) {
    char *log;
    const char *text = "kernel void k(global int *p) { *p = sizeof(\"" MARK "\"); }\nint " MARK "x;";
    assert_int_equal(try(1, &text, NULL, "", &log), CL_BUILD_PROGRAM_FAILURE);
    assert_non_null(strstr(log, ":2:"));
    free(log);
}

TEST(an_embedded_header_may_begin_with_a_mark) {
    const char *name = "h.h";
    cl_program header = program_of(MARK "#define V 3\r\n");
    cl_program program = program_of(MARK "#include \"h.h\"\nkernel void k(global int *p) { *p = V; }");
    OK(clCompileProgram(program, 1, &cl.device, "", 1, &header, &name, NULL, NULL));
    OK(clReleaseProgram(program));
    OK(clReleaseProgram(header));
}

/* clCompileProgram: embedded headers are searched first. */
TEST(an_embedded_header_comes_before_a_file_of_its_name) {
    const char *name = "h.h",
               *text = "#include \"h.h\"\n#include \"other.h\"\n#if V != 3 || W != 4\n#error wrong\n#endif\n";
    char old[4096], folder[] = "/tmp/weir-sources-XXXXXX";
    assert_non_null(getcwd(old, sizeof old));
    assert_non_null(mkdtemp(folder));
    assert_int_equal(chdir(folder), 0);
    assert_int_equal(mkdir("sub", 0700), 0);
    write_text("h.h", "#define V 1\n");
    write_text("sub/h.h", "#define V 2\n");
    write_text("sub/other.h", "#define W 4\n");
    cl_program header = program_of("#define V 3\n"), program = program_of(text);
    cl_int in_folder = clCompileProgram(program, 1, &cl.device, "-I sub", 1, &header, &name, NULL, NULL);
    write_text("other.h", "#define W 4\n");
    cl_int beside = clCompileProgram(program, 1, &cl.device, "", 1, &header, &name, NULL, NULL);
    unlink("h.h"), unlink("other.h"), unlink("sub/h.h"), unlink("sub/other.h"), rmdir("sub");
    assert_int_equal(chdir(old), 0);
    rmdir(folder);
    OK(in_folder);
    OK(beside);
    OK(clReleaseProgram(program));
    OK(clReleaseProgram(header));
}

/* What clang 14 warned of and clang 22 refuses by itself. */
TEST(what_earlier_compilers_warned_of_is_a_warning) {
    static const char *const sources[] = {
        "kernel void k(global int *p) { global float *q = p; *q = 1; }",
        "void f(local float *q) { *q = 1; }\n"
        "kernel void k(global int *p) { local float2 l[4]; f(l); *p = l[0].x; }",
        "kernel void k(global int *p) { const n = 3; *p = n; }",
        "f(int x) { return x; }\nkernel void k(global int *p) { *p = f(1); }",
        "kernel void k(global int *p) { *p = 3 > *p > -2; }",
    };
    for (size_t i = 0; i < COUNT(sources); i++) {
        const char *source = sources[i];
        char *log;
        cl_int code = try(1, &source, NULL, "", &log);
        if (code || !strstr(log, "warning: "))
            fail_msg("%d for %s: %s", code, source, log);
        free(log);
        assert_int_equal(try(1, &source, NULL, "-w", &log), CL_SUCCESS);
        assert_string_equal(log, "");
        free(log);
        assert_int_equal(try(1, &source, NULL, "-Werror", &log), CL_BUILD_PROGRAM_FAILURE);
        free(log);
    }
}

TEST(names_of_a_later_language_are_noted) {
    const char *source = "kernel void k(global int *p) { p[get_local_linear_id()] = 1; }";
    char *log;
    if (!is_weir())
        skip();
    OK(try(1, &source, NULL, "", &log));
    assert_non_null(strstr(log, "note: "));
    assert_non_null(strstr(log, "OpenCL C 1.2"));
    free(log);
    OK(try(1, &source, NULL, "-cl-std=CL3.0 -Werror", &log));
    assert_string_equal(log, "");
    free(log);
}

/* Each version says for itself what is wrong with a program that no version accepts. */
TEST(errors_are_those_of_the_language_that_was_asked_for) {
    const char *source = "kernel void k(global int *p) { int *q = p; p[get_local_linear_id()] = nothing; }";
    char *log;
    assert_int_equal(try(1, &source, NULL, "", &log), CL_BUILD_PROGRAM_FAILURE);
    assert_non_null(strstr(log, "address space"));
    assert_non_null(strstr(log, "get_local_linear_id"));
    free(log);
    assert_int_equal(try(1, &source, NULL, "-cl-std=CL3.0", &log), CL_BUILD_PROGRAM_FAILURE);
    assert_null(strstr(log, "get_local_linear_id'"));
    free(log);
}

static size_t binary_of(cl_program program, unsigned char **bytes) {
    size_t size;
    OK(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL));
    *bytes = malloc(size);
    assert_non_null(*bytes);
    OK(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof *bytes, bytes, NULL));
    return size;
}

/* The compiler's processes serve many programs: none leaves something to the next one. */
TEST(a_program_is_the_same_whatever_was_built_before_it) {
    if (!fresh(__func__, NULL, "WEIR_CACHE_DIR="))
        return;
    const char *source = "kernel void k(global float4 *p, global const int *q) {\n"
                         "    int i = get_global_id(0);\n"
                         "    p[i] = fmax(convert_float4((int4)(q[i])), p[i]) * (float4)(VALUE);\n}\n";
    const char *others[] = {"kernel void other(read_only image2d_t i) {}", "kernel void k(", KERNEL,
                            "#define VALUE 3\n#pragma OPENCL FP_CONTRACT OFF\n" KERNEL,
                            "#pragma clang __debug crash\nkernel void k() {}"};
    unsigned char *first, *next;
    size_t size = 0;
    for (int round = 0; round < 8; round++) {
        cl_program program = program_of(source);
        OK(clBuildProgram(program, 0, NULL, "-DVALUE=2 -cl-std=CL3.0", NULL, NULL));
        size_t n = binary_of(program, &next);
        if (!round) {
            first = next;
            size = n;
        } else {
            assert_int_equal(n, size);
            assert_memory_equal(first, next, size);
            free(next);
        }
        OK(clReleaseProgram(program));
        for (size_t i = 0; i < COUNT(others); i++) {
            char *log;
            try(1, &others[i], NULL, i % 2 ? "-DVALUE=3" : "-cl-std=CL2.0 -w", &log);
            free(log);
        }
    }
    free(first);
}
