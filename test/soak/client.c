/* A program that uses OpenCL for long: builds, launches, contexts, forks. Every answer is right, or an error that says why;
 * its memory, descriptors and threads stay what they were.
 *
 * usage: client SECONDS SEED [short]     short: memory is, and so errors of that kind are no surprise
 * Out: a line of numbers; exit code 0, or 1 with what was wrong.
 */
#define _GNU_SOURCE
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <dirent.h>
#include <malloc.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifdef __SANITIZE_THREAD__ /* which keeps a shadow of all addresses that have been used, and threads' histories */
enum { SLACK_KIB = 1 << 20 };
#else
enum { SLACK_KIB = 24 << 10 };
#endif
enum { ITEMS = 4096, SOURCES = 48 };

static cl_platform_id platform;
static cl_device_id device;
static uint64_t state;
static bool is_short;
static struct {
    unsigned rounds, right, killed, without_memory, forks;
} count;

static uint32_t below(uint32_t n) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state >> 33) % n;
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static _Noreturn __attribute__((format(printf, 1, 2))) void wrong(const char *format, ...) {
    va_list args;
    va_start(args, format);
    vprintf(format, args);
    va_end(args);
    printf("\n");
    fflush(stdout);
    _exit(1);
}

static bool is_memory(cl_int code) {
    return code == CL_OUT_OF_HOST_MEMORY || code == CL_OUT_OF_RESOURCES ||
           code == CL_MEM_OBJECT_ALLOCATION_FAILURE;
}

/* Whether all went well; an error that isn't excused ends the program. */
static bool fine(cl_int code, const char *call) {
    if (code == CL_SUCCESS)
        return true;
    if (!is_short || !is_memory(code))
        wrong("%s: %d", call, code);
    count.without_memory++;
    return false;
}

/* A compiler that others killed, or that had no memory, says so in the log. */
static bool built(cl_program program, cl_int code) {
    char log[4096] = "";
    if (code == CL_SUCCESS)
        return true;
    clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);
    if (is_short && strstr(log, "ulimit"))
        count.without_memory++;
    else if (strstr(log, "crashed") || strstr(log, "killed") || strstr(log, "gave no answer"))
        count.killed++;
    else if (is_short && (is_memory(code) || strstr(log, "memory") || strstr(log, "ulimit")))
        count.without_memory++;
    else
        wrong("a build failed: %d: %s", code, log);
    return false;
}

/* Work-groups add up what they hold, across barriers: the answer is known. */
static const char text[] =
    "kernel void work(global uint *out, local uint *t) {\n"
    "    uint l = get_local_id(0), n = get_local_size(0), x = get_global_id(0) * %uu + %uu;\n"
    "    t[l] = x;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    uint sum = 0;\n"
    "    for (uint i = 0; i < n; i++)\n"
    "        sum += t[(l + i) %% n] * (i %% 3 + 1);\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    out[get_global_id(0)] = sum;\n"
    "}\n";

static uint32_t wanted(uint32_t item, uint32_t n, uint32_t a, uint32_t b) {
    uint32_t sum = 0, l = item % n, first = item - l;
    for (uint32_t i = 0; i < n; i++)
        sum += ((first + (l + i) % n) * a + b) * (i % 3 + 1);
    return sum;
}

static void launch(cl_context context, cl_kernel kernel, uint32_t a, uint32_t b) {
    static uint32_t out[ITEMS];
    cl_int error;
    size_t global = ITEMS, local = (size_t)1 << below(9);
    cl_queue_properties properties[] = {CL_QUEUE_PROPERTIES,
                                        below(2) ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0, 0};
    cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, properties, &error);
    if (!fine(error, "clCreateCommandQueueWithProperties"))
        return;
    cl_mem mem = clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof out, NULL, &error);
    if (fine(error, "clCreateBuffer")) {
        cl_event event = NULL;
        memset(out, 0, sizeof out);
        bool ok = fine(clSetKernelArg(kernel, 0, sizeof mem, &mem), "clSetKernelArg") &&
                  fine(clSetKernelArg(kernel, 1, local * 4, NULL), "clSetKernelArg");
        cl_int code =
            ok ? clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, &event) : 0;
        if (code == CL_OUT_OF_RESOURCES &&
            !is_short) { /* the code for this size came from a compiler that was killed */
            count.killed++;
            ok = false;
        }
        if (ok && fine(code, "clEnqueueNDRangeKernel") &&
            fine(clEnqueueReadBuffer(queue, mem, CL_TRUE, 0, sizeof out, out, 1, &event, NULL),
                 "clEnqueueReadBuffer")) {
            for (uint32_t i = 0; i < ITEMS; i += 61)
                if (out[i] != wanted(i, (uint32_t)local, a, b))
                    wrong("item %u of groups of %zu: %u instead of %u", i, local, out[i],
                          wanted(i, (uint32_t)local, a, b));
            count.right++;
        }
        if (event)
            clReleaseEvent(event);
        clReleaseMemObject(mem);
    }
    clFinish(queue);
    clReleaseCommandQueue(queue);
}

static void round_of(cl_context context) {
    char source[2000];
    const char *at = source;
    cl_int error;
    /* few sources, which several processes share in the cache; now and then one that nobody has */
    uint32_t a = below(8) ? below(SOURCES) : below(1u << 30), b = a * 7 + 1;
    snprintf(source, sizeof source, text, a, b);
    cl_program program = clCreateProgramWithSource(context, 1, &at, NULL, &error);
    if (!fine(error, "clCreateProgramWithSource"))
        return;
    if (built(program, clBuildProgram(program, 0, NULL, below(4) ? "" : "-cl-std=CL3.0", NULL, NULL))) {
        cl_kernel kernel = clCreateKernel(program, "work", &error);
        if (fine(error, "clCreateKernel")) {
            for (unsigned i = 0; i <= below(4); i++)
                launch(context, kernel, a, b);
            clReleaseKernel(kernel);
        }
    }
    clReleaseProgram(program);
    count.rounds++;
}

/* A child that uses nothing, or the same implementation anew: the parent doesn't notice. */
static void fork_once(void) {
    bool works = below(2);
    fflush(stdout);
    pid_t pid = fork();
    if (pid < 0)
        return;
    if (!pid) {
        if (works) {
            cl_int error;
            cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
            if (fine(error, "clCreateContext in a child"))
                round_of(context);
        }
        _exit(0);
    }
    int status = 0;
    waitpid(pid, &status, 0);
    if (status)
        wrong("a forked child ended with status 0x%x", status);
    count.forks++;
}

struct use {
    long kib, files, threads;
};

static struct use use(void) {
    struct use u = {0};
    char line[200];
    FILE *f = fopen("/proc/self/status", "r");
    while (f && fgets(line, sizeof line, f)) {
        sscanf(line, "RssAnon: %ld", &u.kib);
        sscanf(line, "Threads: %ld", &u.threads);
    }
    if (f)
        fclose(f);
    DIR *d = opendir("/proc/self/fd");
    while (d && readdir(d))
        u.files++;
    if (d)
        closedir(d);
    return u;
}

int main(int argc, char **argv) {
    double seconds = argc > 1 ? atof(argv[1]) : 1, start = now();
    state = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    is_short = argc > 3;
    cl_int error = clGetPlatformIDs(1, &platform, NULL);
    if (error || clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL))
        wrong("no device (%d)", error);
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
    if (!fine(error, "clCreateContext"))
        return 0;
    struct use early = {0}, late;
    while (now() - start < seconds || !(is_short ? count.rounds : count.right)) {
        round_of(context);
        if (!below(20))
            fork_once();
        if (!below(10)) {
            cl_context another = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
            if (fine(error, "clCreateContext")) {
                round_of(another);
                clReleaseContext(another);
            }
        }
        if (!early.kib && count.rounds >= 2 * SOURCES) { /* it has what it needs */
            malloc_trim(0);
            early = use();
        }
        if (is_short && count.without_memory > count.rounds + 1000)
            break; /* nothing is to be had any more */
    }
    malloc_trim(0);
    late = use();
    printf("%u rounds, %u right, %u without a compiler, %u without memory, %u forks; %ld to %ld KiB, %ld to "
           "%ld files, "
           "%ld to %ld threads\n",
           count.rounds, count.right, count.killed, count.without_memory, count.forks, early.kib, late.kib,
           early.files, late.files, early.threads, late.threads);
    if (early.kib && !is_short) {
        if (late.kib > early.kib + SLACK_KIB)
            wrong("memory grew from %ld to %ld KiB", early.kib, late.kib);
        if (late.files > early.files + 8 || late.threads > early.threads + 2)
            wrong("files or threads grew: %ld to %ld, %ld to %ld", early.files, late.files, early.threads,
                  late.threads);
    }
    if (!count.right && !is_short)
        wrong("no launch was right");
    clReleaseContext(context);
    fflush(stdout);
    return 0;
}
