/* Each row of the hints for programs that come from elsewhere has an example, which gets that hint: most don't build. */
#include "api.h"

#include "../../src/kc/frontend/hints.h"

static const struct {
    const char *hint, *example;
} rows[] = {
#define ROW(message, names, hint, example) {hint, example},
    HINTS(ROW)
#undef ROW
};

TEST(each_hint_comes_with_its_example) {
    if (!is_weir())
        skip();
    int wrong = 0;
    for (size_t i = 0; i < COUNT(rows); i++) {
        const char *bar = strchr(rows[i].example, '|');
        char options[100];
        snprintf(options, sizeof options, "%.*s", (int)(bar - rows[i].example), rows[i].example);
        cl_program program = program_of(bar + 1);
        cl_int code = clBuildProgram(program, 0, NULL, options, NULL, NULL);
        char *text = log_of(program), line[1000];
        snprintf(line, sizeof line, "\nhint: %s\n", rows[i].hint);
        if ((code != CL_BUILD_PROGRAM_FAILURE && !strstr(text, "warning: ")) || !strstr(text, line)) {
            wrong++;
            print_error("code %d of: %s\n%sinstead of: %s\n", code, rows[i].example, text, rows[i].hint);
        }
        free(text);
        OK(clReleaseProgram(program));
    }
    assert_int_equal(wrong, 0);
}

static char *log_of_source(const char *source) {
    cl_program program = program_of(source);
    GIVES(CL_BUILD_PROGRAM_FAILURE, clBuildProgram(program, 0, NULL, "", NULL, NULL));
    char *text = log_of(program);
    OK(clReleaseProgram(program));
    return text;
}

/* Between the source that clang shows and the next error. */
TEST(a_hint_stands_once_after_its_error) {
    if (!is_weir())
        skip();
    char *text =
        log_of_source("kernel void k(global int *p) {\n    p[0] = threadIdx.x;\n    p[1] = threadIdx.y;\n"
                      "    p[2] = other;\n}\n");
    char *first = strstr(text, "threadIdx'"), *hint = strstr(text, "hint: "), *last = strstr(text, "'other'");
    assert_true(first && hint && last && first < hint && hint < last);
    assert_null(strstr(hint + 1, "hint: "));
    assert_non_null(strstr(text, "1 | ") ? text : strstr(text, "p[0] = threadIdx.x"));
    free(text);
}

TEST(an_error_without_a_hint_has_none) {
    static const char *const sources[] = {"kernel void k(global int *p) { p[0] = nothing_like_it; }",
                                          "kernel void k( {\n}\n", "kernel void k(global int *p { }"};
    for (size_t i = 0; i < COUNT(sources); i++) {
        char *text = log_of_source(sources[i]);
        assert_null(strstr(text, "hint: "));
        free(text);
    }
}

/* The word under the caret decides, not another one of the line. */
TEST(a_hint_is_about_the_place_that_clang_shows) {
    if (!is_weir())
        skip();
    char *text = log_of_source("template<class T> T f(T x) { return x; }\n"
                               "kernel void k(global float *p) { p[0] = f<float>(p[1]) + (float)1; }");
    assert_non_null(strstr(text, "hint: this is C++"));
    assert_null(strstr(text, "a conversion is a cast"));
    free(text);
}
