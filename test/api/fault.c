/* WEIR_FAULT=1: what a kernel that faults says of itself, and that all else is as without it. */
#define _GNU_SOURCE
#include <signal.h>
#include "api.h"

static const char source[] = "float get(global float *p, ulong i) {\n"
                             "    return p[i];\n"
                             "}\n"
                             "kernel void fill(global float *out, global float *in, ulong far) {\n"
                             "    size_t i = get_global_id(0);\n"
                             "    if (i == 500)\n"
                             "        out[i] = get(in, far);\n"
                             "    else\n"
                             "        out[i] = 1;\n"
                             "}\n";

/* Launches the kernel, whose item 500 reads element `far` of a buffer of 1 MB, or of NULL. */
static void launch(bool null, cl_ulong far) {
    cl_kernel kernel = kernel_of(source, "fill");
    cl_mem out = buffer_of(0, 4000, NULL), in = buffer_of(0, 1 << 20, NULL);
    OK(clSetKernelArg(kernel, 0, sizeof out, &out));
    OK(clSetKernelArg(kernel, 1, sizeof in, null ? NULL : &in));
    OK(clSetKernelArg(kernel, 2, sizeof far, &far));
    OK(run_1d(kernel, 1000, 8));
}

/* Runs `part` in a process of its own: its wait status, and the last line that it wrote to standard error. */
static int status_of(void (*part)(void), char *line, size_t size) {
    int ends[2], status = -1;
    size_t n = 0;
    ssize_t got;
    OK(pipe(ends));
    fflush(stdout);
    pid_t pid = fork();
    if (!pid) {
        for (int i = 0; i < 32; i++) /* cmocka's are ours here */
            signal(i, SIG_DFL);
        dup2(ends[1], 2);
        alarm(60);
        part();
        _exit(0);
    }
    close(ends[1]);
    while (n < size - 1 && (got = read(ends[0], line + n, size - 1 - n)) > 0)
        n += (size_t)got;
    line[n] = 0;
    close(ends[0]);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    return status;
}

static void before_a_buffer(void) {
    launch(false, -((cl_ulong)1 << 34));
}

static void at_null(void) {
    launch(true, 3);
}

static void call_of_the_application(int number) {
    _exit(number == SIGSEGV ? 77 : 78);
}

static void with_a_handler(void) {
    signal(SIGSEGV, call_of_the_application);
    launch(true, 3);
}

static void return_to_the_kernel(int number) {
}

static void with_a_handler_for_one_call(void) {
    struct sigaction once = {.sa_handler = return_to_the_kernel, .sa_flags = SA_RESETHAND};
    sigaction(SIGSEGV, &once, NULL);
    launch(true, 3);
}

static void CL_CALLBACK fault_natively(void *arg) {
    raise(SIGSEGV);
}

static void outside_of_kernels(void) {
    launch(false, 1);
    OK(clEnqueueNativeKernel(cl.queue, fault_natively, NULL, 0, 0, NULL, NULL, 0, NULL, NULL));
    clFinish(cl.queue);
}

TEST(a_fault_is_told_with_kernel_line_group_and_buffer) {
    char text[2000];
    if (!THREADS_AFTER_FORK || !fresh(__func__, NULL, "WEIR_FAULT=1"))
        return;
    int status = status_of(before_a_buffer, text, sizeof text);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGSEGV);
    assert_non_null(strstr(text, "weir: SIGSEGV in kernel fill at "));
    const char *group = strstr(text, ", work-group (62, 0, 0): address 0x");
    assert_non_null(
        group); /* the access may be named by its own line or by the one that it was inlined into */
    assert_true(!strncmp(group - 5, ".cl:2", 5) || !strncmp(group - 5, ".cl:7", 5));
    assert_non_null(strstr(text, " bytes before argument "));
    assert_non_null(strstr(text, "a buffer of "));
}

TEST(an_argument_that_is_null_is_told) {
    char text[2000];
    if (!THREADS_AFTER_FORK || !fresh(__func__, NULL, "WEIR_FAULT=1"))
        return;
    int status = status_of(at_null, text, sizeof text);
    assert_int_equal(WTERMSIG(status), SIGSEGV);
    assert_non_null(strstr(text, ": address 0xc, 12 bytes after argument 1 (in), which is NULL\n"));
}

TEST(a_handler_of_the_application_is_called_after_the_report) {
    char text[2000];
    if (!THREADS_AFTER_FORK || !fresh(__func__, NULL, "WEIR_FAULT=1"))
        return;
    int status = status_of(with_a_handler, text, sizeof text);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 77);
    assert_non_null(strstr(text, "in kernel fill"));
}

TEST(a_handler_that_is_set_for_one_call_is_called_once) {
    char text[2000];
    if (!THREADS_AFTER_FORK || !fresh(__func__, NULL, "WEIR_FAULT=1"))
        return;
    int status = status_of(with_a_handler_for_one_call, text, sizeof text);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGSEGV);
    assert_non_null(strstr(text, "in kernel fill"));
}

TEST(faults_outside_of_kernels_are_not_reported) {
    char text[2000];
    if (!THREADS_AFTER_FORK || !fresh(__func__, NULL, "WEIR_FAULT=1"))
        return;
    int status = status_of(outside_of_kernels, text, sizeof text);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGSEGV);
    assert_string_equal(text, "");
}

TEST(nothing_is_reported_unless_asked_for) {
    char text[2000];
    if (!THREADS_AFTER_FORK || !fresh(__func__, NULL, NULL))
        return;
    int status = status_of(at_null, text, sizeof text);
    assert_int_equal(WTERMSIG(status), SIGSEGV);
    assert_null(strstr(text, "weir:"));
}
