/* Build options of the specification, and the build log. */
#include <sys/stat.h>
#include "api.h"

/* Builds `source`: the build's code. */
static cl_int try(const char *source, const char *options) {
    cl_program program = program_of(source);
    cl_int code = clBuildProgram(program, 0, NULL, options, NULL, NULL);
    OK(clReleaseProgram(program));
    return code;
}

TEST(every_option_of_the_specification_is_accepted) {
    static const char *const options[] = {"",
                                          " ",
                                          "-D A",
                                          "-D A=1",
                                          "-DA",
                                          "-DA=1",
                                          "-I .",
                                          "-I.",
                                          "-w",
                                          "-Werror",
                                          "-cl-single-precision-constant",
                                          "-cl-denorms-are-zero",
                                          "-cl-fp32-correctly-rounded-divide-sqrt",
                                          "-cl-opt-disable",
                                          "-cl-strict-aliasing",
                                          "-cl-mad-enable",
                                          "-cl-no-signed-zeros",
                                          "-cl-unsafe-math-optimizations",
                                          "-cl-finite-math-only",
                                          "-cl-fast-relaxed-math",
                                          "-cl-uniform-work-group-size",
                                          "-cl-no-subgroup-ifp",
                                          "-cl-std=CL1.1",
                                          "-cl-std=CL1.2",
                                          "-cl-std=CL2.0",
                                          "-cl-std=CL3.0",
                                          "-cl-std=CL3.1",
                                          "-cl-kernel-arg-info",
                                          "-g",
                                          "  -DA=1   -w  -cl-mad-enable ",
                                          "-DA=1 -DA=1 -D B -I /nowhere"};
    for (size_t i = 0; i < COUNT(options); i++) {
        cl_int code = try("kernel void k(global int *p) { *p = 1; }", options[i]);
        if (code == CL_INVALID_BUILD_OPTIONS && strstr(options[i], "divide-sqrt"))
            continue; /* only where CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT is advertised */
        if (code)
            fail_msg("\"%s\" gave %d", options[i], code);
    }
}

TEST(options_that_do_not_exist_are_named) {
    static const char *const options[] = {"-cl-no-such-thing",
                                          "-cl-std=CL7.0",
                                          "-fplugin=evil.so",
                                          "-Xclang -load",
                                          "-o /tmp/stolen",
                                          "x.c",
                                          "-include /etc/passwd",
                                          "@/etc/passwd",
                                          "-D",
                                          "-I",
                                          "-create-library"};
    for (size_t i = 0; i < COUNT(options); i++) {
        cl_program program = program_of("kernel void k() {}");
        cl_int code = clBuildProgram(program, 0, NULL, options[i], NULL, NULL);
        if (code != CL_INVALID_BUILD_OPTIONS)
            fail_msg("\"%s\" gave %d", options[i], code);
        OK(clReleaseProgram(program));
    }
}

TEST(macros_reach_the_source) {
    static const char source[] =
        "#if !defined(A) || B != 2 || C(3) != 6\n#error macros\n#endif\nkernel void k() {}";
    OK(try(source, "-DA -D B=2 \"-DC(x)=x * 2\""));
    OK(try(source, "-D A -DB=2 -D \"C(x)=(x) * 2\""));
    OK(try("constant char s[] = S; kernel void k(global char *p) { *p = s[0]; }", "-DS=\\\"text\\\""));
}

TEST(the_language_version_is_as_asked) {
    char source[256];
    static const struct {
        const char *options;
        int version;
    } cases[] = {{"", 120},
                 {"-cl-std=CL1.1", 110},
                 {"-cl-std=CL1.2", 120},
                 {"-cl-std=CL2.0", 200},
                 {"-cl-std=CL3.0", 300},
                 {"-cl-std=CL3.1 -Werror", 310}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        snprintf(source, sizeof source,
                 "#if __OPENCL_C_VERSION__ != %d\n#error version\n#endif\nkernel void k() {}",
                 cases[i].version);
        if (try(source, cases[i].options))
            fail_msg("\"%s\" is not version %d", cases[i].options, cases[i].version);
    }
}

TEST(macros_of_the_language_are_defined) {
    OK(try("#if !defined(__OPENCL_VERSION__) || __OPENCL_VERSION__ < 310 || !defined(__ENDIAN_LITTLE__)\n"
           "#error predefined\n#endif\n"
           "#if CL_VERSION_1_0 != 100 || CL_VERSION_1_2 != 120 || CL_VERSION_2_0 != 200 || CL_VERSION_3_0 != "
           "300 || CL_VERSION_3_1 != 310\n"
           "#error versions\n#endif\n"
           "#ifdef __FAST_RELAXED_MATH__\n#error fast\n#endif\n"
           "#if defined(__NVPTX__) || defined(__PTX__) || defined(__CUDA_ARCH__)\n#error foreign\n#endif\n"
           "kernel void k() {}",
           ""));
    OK(try("#ifndef __FAST_RELAXED_MATH__\n#error fast\n#endif\nkernel void k() {}",
           "-cl-fast-relaxed-math"));
    OK(try("#ifndef __IMAGE_SUPPORT__\n#error no images\n#endif\nkernel void k() {}", ""));
}

TEST(warnings_become_errors_on_request_and_can_be_silenced) {
    static const char source[] = "#warning careful\nkernel void k() {}";
    OK(try(source, ""));
    GIVES(CL_BUILD_PROGRAM_FAILURE, try(source, "-Werror"));
    OK(try(source, "-w"));
    cl_program program = build(source, "");
    char *text = log_of(program);
    assert_non_null(strstr(text, "careful"));
    free(text);
    OK(clReleaseProgram(program));
}

TEST(a_clean_build_has_an_empty_log) {
    cl_program program = build("kernel void k(global int *p) { *p = 1; }", "");
    char *text = log_of(program);
    assert_string_equal(text, "");
    free(text);
    OK(clReleaseProgram(program));
}

TEST(the_log_names_the_line_of_an_error) {
    cl_program program = program_of("// one\n// two\nkernel void k() { int x = undeclared_thing; }\n");
    GIVES(CL_BUILD_PROGRAM_FAILURE, clBuildProgram(program, 0, NULL, "", NULL, NULL));
    char *text = log_of(program);
    assert_non_null(strstr(text, "undeclared_thing"));
    assert_non_null(strstr(text, ":3:"));
    free(text);
    OK(clReleaseProgram(program));
}

TEST(includes_are_found_in_given_directories) {
    char dir[] = "/tmp/weir-includeXXXXXX", path[64], options[128];
    assert_non_null(mkdtemp(dir));
    snprintf(path, sizeof path, "%s/value.h", dir);
    for (int value = 1; value <= 2; value++) { /* a changed header must not be answered from a cache */
        FILE *file = fopen(path, "w");
        fprintf(file, "#define VALUE %d\n", value);
        fclose(file);
        snprintf(options, sizeof options, "-I %s", dir);
        char source[128];
        snprintf(source, sizeof source,
                 "#include \"value.h\"\n#if VALUE != %d\n#error stale\n#endif\nkernel void k() {}", value);
        OK(try(source, options));
    }
    unlink(path);
    rmdir(dir);
}

TEST(the_same_source_with_another_header_is_not_taken_from_the_cache) {
    char dir[] = "/tmp/weir-includeXXXXXX", path[64], options[128];
    static const char source[] = "#include \"value.h\"\nkernel void k(global int *p) { *p = VALUE; }";
    assert_non_null(mkdtemp(dir));
    snprintf(path, sizeof path, "%s/value.h", dir);
    snprintf(options, sizeof options, "-I %s", dir);
    for (int value = 1; value <= 2; value++) {
        FILE *file = fopen(path, "w");
        fprintf(file, "#define VALUE %d\n", value);
        fclose(file);
        cl_program program = build(source, options);
        assert_int_equal(result_of(program, "k"), value);
        OK(clReleaseProgram(program));
    }
    unlink(path);
    rmdir(dir);
}

TEST(a_megabyte_of_options_is_taken) {
    enum { MACROS = 60000 };
    char *options = malloc(MACROS * 24), *to = options;
    for (int i = 0; i < MACROS; i++)
        to += sprintf(to, "-DMACRO_%d=%d ", i, i);
    cl_program program =
        program_of("constant int last = MACRO_59999; kernel void k(global int *p) { *p = last; }");
    OK(clBuildProgram(program, 0, NULL, options, NULL, NULL));
    OK(clReleaseProgram(program));
    free(options);
}

TEST(linker_options_of_the_specification_are_accepted) {
    cl_program part = program_of("kernel void k() {}");
    OK(clCompileProgram(part, 0, NULL, "", 0, NULL, NULL, NULL, NULL));
    static const char *const options[] = {"",
                                          "-create-library",
                                          "-create-library -enable-link-options",
                                          "-cl-denorms-are-zero",
                                          "-cl-no-signed-zeros",
                                          "-cl-finite-math-only",
                                          "-cl-unsafe-math-optimizations",
                                          "-cl-fast-relaxed-math",
                                          "-cl-no-subgroup-ifp"};
    for (size_t i = 0; i < COUNT(options); i++) {
        cl_program linked = clLinkProgram(cl.context, 0, NULL, options[i], 1, &part, NULL, NULL, &error);
        if (error)
            fail_msg("\"%s\" gave %d", options[i], error);
        OK(clReleaseProgram(linked));
    }
    REFUSES(CL_INVALID_LINKER_OPTIONS,
            clLinkProgram(cl.context, 0, NULL, "-enable-link-options", 1, &part, NULL, NULL, &error));
    OK(clReleaseProgram(part));
}
