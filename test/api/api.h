/* api.h: what the API tests share. A test file includes it once and holds TESTs, named as sentences, which
 * run in the order of the file; `main` is here. `NAME [PATTERN]` runs the tests that match the pattern.
 * Each program starts with the first device of the first platform, a context and an in-order queue with
 * profiling in `cl`.
 */
#ifndef API_H
#define API_H

#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_0_APIS
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#define CL_USE_DEPRECATED_OPENCL_2_0_APIS
#define CL_USE_DEPRECATED_OPENCL_2_1_APIS
#define CL_USE_DEPRECATED_OPENCL_2_2_APIS
#include "cl_new.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#define SHARED static __attribute__((unused))

static struct {
    cl_platform_id platform;
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
} cl;
SHARED _Thread_local cl_int error; /* where creating calls put their code; callbacks make objects, too */

/* Fails the test unless `code` is `wanted`. */
SHARED void expect_code(cl_int code, cl_int wanted, const char *call, const char *file, int line) {
    if (code == wanted)
        return;
    print_error("%s\n    gave %d instead of %d\n", call, code, wanted);
    _fail(file, line);
}
#define GIVES(code, call) expect_code((call), (code), #call, __FILE__, __LINE__)
#define OK(call)          GIVES(CL_SUCCESS, call)
/* A creating call, which writes its code to `error`: fails with `code` and returns NULL. */
#define REFUSES(code, call)                                                                                  \
    do {                                                                                                     \
        error = 12345;                                                                                       \
        assert_null((void *)(call));                                                                         \
        expect_code(error, (code), #call, __FILE__, __LINE__);                                               \
    } while (0)
/* A creating call that succeeds: its value. */
#define MADE(call)                                                                                           \
    ({                                                                                                       \
        __typeof__(call) made = (error = 12345, (call));                                                     \
        expect_code(error, CL_SUCCESS, #call, __FILE__, __LINE__);                                           \
        assert_non_null((void *)made);                                                                       \
        made;                                                                                                \
    })
#define COUNT(array) (sizeof(array) / sizeof *(array))

static struct CMUnitTest tests[200];
static size_t ntests;
#define TEST(name)                                                                                           \
    static void name(void **);                                                                               \
    static __attribute__((constructor)) void register_##name(void) {                                         \
        tests[ntests++] = (struct CMUnitTest){#name, name, NULL, NULL, NULL};                                \
    }                                                                                                        \
    static void name(void **state)

SHARED cl_mem buffer_of(cl_mem_flags flags, size_t size, void *host) {
    return MADE(clCreateBuffer(cl.context, flags, size, host, &error));
}

/* A buffer of `n` ints, all 0. */
SHARED cl_mem zeros(size_t n) {
    cl_mem mem = buffer_of(0, n * sizeof(cl_int), NULL);
    cl_int zero = 0;
    OK(clEnqueueFillBuffer(cl.queue, mem, &zero, sizeof zero, 0, n * sizeof zero, 0, NULL, NULL));
    OK(clFinish(cl.queue));
    return mem;
}

SHARED cl_int int_at(cl_mem mem, size_t index) {
    cl_int value = -1;
    OK(clEnqueueReadBuffer(cl.queue, mem, CL_TRUE, index * sizeof value, sizeof value, &value, 0, NULL,
                           NULL));
    return value;
}

SHARED cl_command_queue queue_with(cl_device_id device, cl_command_queue_properties bits) {
    cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, bits, 0};
    return MADE(clCreateCommandQueueWithProperties(cl.context, device, list, &error));
}

SHARED cl_int event_status(cl_event event) {
    cl_int status = 77;
    OK(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
    return status;
}

/* Functions of extensions, for which the loader has no symbols: `EXTENSION(clFoo)` declares clFoo_, which FIND(clFoo) sets. */
#define EXTENSION(function) static __attribute__((unused)) __typeof__(function) *function##_;
#define FIND(function)                                                                                       \
    function##_ = (__typeof__(function) *)clGetExtensionFunctionAddressForPlatform(cl.platform, #function);  \
    assert_non_null((void *)function##_);

SHARED cl_program program_of(const char *source) {
    return MADE(clCreateProgramWithSource(cl.context, 1, &source, NULL, &error));
}

/* The build log; free it. */
SHARED char *log_of(cl_program program) {
    size_t size;
    OK(clGetProgramBuildInfo(program, cl.device, CL_PROGRAM_BUILD_LOG, 0, NULL, &size));
    char *text = calloc(1, size + 1);
    OK(clGetProgramBuildInfo(program, cl.device, CL_PROGRAM_BUILD_LOG, size, text, NULL));
    return text;
}

SHARED cl_program build(const char *source, const char *options) {
    cl_program program = program_of(source);
    cl_int code = clBuildProgram(program, 1, &cl.device, options, NULL, NULL);
    if (code) {
        char *text = log_of(program);
        print_error("build log: %s\n", text);
        free(text);
    }
    OK(code);
    return program;
}

/* A kernel of a program made for it, which it holds. */
SHARED cl_kernel kernel_of(const char *source, const char *name) {
    cl_program program = build(source, "");
    cl_kernel kernel = MADE(clCreateKernel(program, name, &error));
    OK(clReleaseProgram(program));
    return kernel;
}

SHARED cl_int run_1d(cl_kernel kernel, size_t global, size_t local) {
    cl_int code =
        clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &global, local ? &local : NULL, 0, NULL, NULL);
    return code ? code : clFinish(cl.queue);
}

/* Runs the kernel (one pointer to int, to 16 zeros) once: what it wrote first. */
SHARED int result_of(cl_program program, const char *name) {
    cl_kernel kernel = MADE(clCreateKernel(program, name, &error));
    cl_mem mem = buffer_of(0, 64, NULL);
    int back[16] = {0};
    OK(clEnqueueWriteBuffer(cl.queue, mem, CL_TRUE, 0, 64, back, 0, NULL, NULL));
    OK(clSetKernelArg(kernel, 0, sizeof mem, &mem));
    OK(run_1d(kernel, 1, 1));
    OK(clEnqueueReadBuffer(cl.queue, mem, CL_TRUE, 0, 4, back, 0, NULL, NULL));
    OK(clReleaseMemObject(mem));
    OK(clReleaseKernel(kernel));
    return back[0];
}

/* Builds and runs a kernel that doubles an int: proof that the implementation is alive. */
SHARED void still_works(void) {
    cl_kernel kernel = kernel_of("kernel void twice(global int *p) { p[get_global_id(0)] *= 2; }", "twice");
    int values[64], i;
    for (i = 0; i < 64; i++)
        values[i] = i;
    cl_mem mem = buffer_of(CL_MEM_COPY_HOST_PTR, sizeof values, values);
    OK(clSetKernelArg(kernel, 0, sizeof mem, &mem));
    OK(run_1d(kernel, 64, 16));
    OK(clEnqueueReadBuffer(cl.queue, mem, CL_TRUE, 0, sizeof values, values, 0, NULL, NULL));
    for (i = 0; i < 64; i++)
        assert_int_equal(values[i], 2 * i);
    OK(clReleaseMemObject(mem));
    OK(clReleaseKernel(kernel));
}

SHARED bool is_weir(void) {
    char name[64];
    OK(clGetPlatformInfo(cl.platform, CL_PLATFORM_NAME, sizeof name, name, NULL));
    return strstr(name, "Weir") != NULL;
}

/* This process goes on as a test program that runs `test` alone. */
SHARED _Noreturn void become(const char *test) {
    char path[4096] = {0}; /* not through the link itself: under valgrind that is valgrind */
    if (readlink("/proc/self/exe", path, sizeof path - 1) > 0)
        execl(path, "child", test, NULL);
    _exit(127);
}

/* For tests that need a process of their own, with other variables or an odd environment. In that process it
 * returns true; in the test program it starts one that runs `test` alone (after `before`, if given, with the
 * environment `assignment`, if given), checks that the test passed there, and returns false. */
SHARED bool fresh(const char *test, void (*before)(void), const char *assignment) {
    if (getenv("WEIR_TEST_CHILD"))
        return true;
    pid_t pid = fork();
    if (!pid) {
        char number[32];
        snprintf(number, sizeof number, "%d", (int)getpid());
        setenv("WEIR_TEST_CHILD", number, 1);
        if (assignment)
            putenv(strdup(assignment));
        alarm(100);
        if (before)
            before();
        become(test);
    }
    int status = -1;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
    return false;
}

/* ThreadSanitizer starts no threads in a process that was forked from one with threads. */
#if defined(__SANITIZE_THREAD__)
enum { THREADS_AFTER_FORK = 0 };
#else
enum { THREADS_AFTER_FORK = 1 };
#endif

static int api_setup(void **state) {
    OK(clGetPlatformIDs(1, &cl.platform, NULL));
    OK(clGetDeviceIDs(cl.platform, CL_DEVICE_TYPE_ALL, 1, &cl.device, NULL));
    cl.context = MADE(clCreateContext(NULL, 1, &cl.device, NULL, NULL, &error));
    cl_queue_properties properties[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE, 0};
    cl.queue = MADE(clCreateCommandQueueWithProperties(cl.context, cl.device, properties, &error));
    return 0;
}

static int api_teardown(void **state) {
    OK(clReleaseCommandQueue(cl.queue));
    OK(clReleaseContext(cl.context));
    return 0;
}

int main(int argc, char **argv) {
    if (argc > 1)
        cmocka_set_test_filter(argv[1]);
    return _cmocka_run_group_tests(argv[0], tests, ntests, api_setup, api_teardown) != 0;
}

#endif
