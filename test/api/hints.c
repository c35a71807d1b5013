/* Each row of the hints for programs that come from elsewhere has an example, which gets that hint: most don't build. */
#include "api.h"

#include "../../src/kc/frontend/hints.h"

static const struct {
    const char *hint, *example;
} rows[] = {
#define ROW(message, names, hint, example) {hint, example},
    HINTS(ROW) LAST_HINTS(ROW)
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

/* clang itself knows no built-in function before it meets its name. */
TEST(a_misspelt_name_of_opencl_c_gets_the_right_one) {
    if (!is_weir())
        skip();
    static const struct {
        const char *written, *meant;
    } names[] = {
        {"q[get_gobal_id(0)] = 1", "get_global_id"},
        {"q[getGlobalId(0)] = 1", "get_global_id"},
        {"bariier(CLK_LOCAL_MEM_FENCE)", "barrier"},
        {"p[0] = clap(p[1], 0.0f, 1.0f)", "clamp"},
        {"p[0] = sqr(2.0f)", "sqrt"},
        {"p[0] = convert_flot(q[0])", "convert_float"},
        {"p[0] = as_flaot(q[0])", "as_float"},
        {"v[0] = vlod4(0, p)", "vload4"},
        {"q[0] = sub_group_reduce_ad(q[1])", "sub_group_reduce_add"},
        {"p[0] = FLT_MXA", "FLT_MAX"},
        {"locl int t[4]", "local"},
    };
    for (size_t i = 0; i < COUNT(names); i++) {
        char source[200], line[100];
        snprintf(source, sizeof source,
                 "kernel void k(global float *p, global int *q, global float4 *v) { %s; }", names[i].written);
        snprintf(line, sizeof line, "\nhint: did you mean '%s'?\n", names[i].meant);
        char *text = log_of_source(source);
        if (!strstr(text, line))
            print_error("%s instead of %s\n", text, names[i].meant);
        assert_non_null(strstr(text, line));
        free(text);
    }
}

TEST(a_name_unlike_any_of_opencl_c_gets_none) {
    static const char *const calls[] = {
        "helper(1)", "sum(q[0])", "f(1)", "tile_index(1)", "work_group_reduce(1)", "update(q)", "N"};
    for (size_t i = 0; i < COUNT(calls); i++) {
        char source[200];
        snprintf(source, sizeof source, "kernel void k(global int *q) { q[0] = %s; }", calls[i]);
        char *text = log_of_source(source);
        assert_null(strstr(text, "hint: did you mean"));
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
