/* check.h: tests of the checker (WEIR_CHECK) with the API: each runs in a process of its own, whose report is looked at. */
#ifndef CHECK_H
#define CHECK_H

#include "api.h"

/* Tests end with their process, and leave their objects to it; a launch that was stopped may hold some. */
const char *__asan_default_options(void);
const char *__asan_default_options(void) {
    return "detect_leaks=0";
}

static char report[4096];

/* Fails unless the report is empty (`wanted` NULL) or its one line has all of `wanted`, which are separated by '|'; after a '+'
 * there may be more lines. */
static __attribute__((unused)) void expect_report(const char *wanted) {
    static char text[1 << 16];
    char list[1024], *next, *lasts = NULL;
    FILE *f = fopen(report, "r");
    size_t n = f ? fread(text, 1, sizeof text - 1, f) : 0, lines = 0;
    text[n] = 0;
    if (f)
        fclose(f);
    unlink(report);
    for (size_t i = 0; i < n; i++)
        lines += text[i] == '\n';
    bool or_more = wanted && *wanted == '+' && lines > 1;
    if (lines != (wanted != NULL) && !or_more)
        print_error("findings: %zu\n%s", lines, text);
    assert_true(lines == (wanted != NULL) || or_more);
    snprintf(list, sizeof list, "%s", wanted ? wanted + (*wanted == '+') : "");
    for (next = strtok_r(list, "|", &lasts); next; next = strtok_r(NULL, "|", &lasts)) {
        if (!strstr(text, next))
            print_error("no '%s' in\n%s", next, text);
        assert_non_null(strstr(text, next));
    }
}

static __attribute__((unused)) void name_report(void) {
    setenv("WEIR_CHECK_REPORT", report, 1);
}

/* In the process under the checker, which begins with `prepare` (and that with name_report), it returns true; in the test
 * program it starts that one, which runs `test` alone, checks that the test passed there and what it reported, and returns
 * false. */
static __attribute__((unused)) bool checked_after(void (*prepare)(void), const char *test,
                                                  const char *wanted) {
    if (getenv("WEIR_TEST_CHILD"))
        return true;
    snprintf(report, sizeof report, "%s/weir-check.%d", getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp",
             (int)getpid());
    unlink(report);
    fresh(test, prepare, "WEIR_CHECK=1"); /* this process has threads that look at the environment */
    expect_report(wanted);
    return false;
}

static __attribute__((unused)) bool checked(const char *test, const char *wanted) {
    return checked_after(name_report, test, wanted);
}

SHARED cl_command_queue queue_of(cl_command_queue_properties bits) {
    cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, bits, 0};
    return MADE(clCreateCommandQueueWithProperties(cl.context, cl.device, list, &error));
}

/* Enqueues a launch in one dimension, with arguments that are set. */
SHARED void launch(cl_command_queue queue, cl_kernel kernel, size_t n, cl_uint nwait, const cl_event *wait,
                   cl_event *event) {
    OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &n, NULL, nwait, wait, event));
}

SHARED cl_kernel kernel_on(const char *source, const char *name, cl_mem mem) {
    cl_kernel kernel = kernel_of(source, name);
    OK(clSetKernelArg(kernel, 0, sizeof mem, &mem));
    return kernel;
}

#endif
