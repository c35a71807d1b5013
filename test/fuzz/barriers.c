/* barriers.c: random legal kernels full of barriers and divergent control flow, run on the device at several widths
 * of packs and by a plain interpreter (test/harness/fuzz/barriers).
 *
 * In: FUZZ_SEED (first seed, default 1), FUZZ_COUNT (programs, default 26, 6 with WEIR_TEST_QUICK), FUZZ_WIDTHS (as
 * "1,8,32": every program at each of them, 0 is the compiler's choice, compiled for the work-group's size and for any;
 * default: each program at one of 0 to 32 in turn, a third of them compiled for any size), FUZZ_CHECKED (programs under the
 * checker, default 10, 3 with WEIR_TEST_QUICK: it must be silent, and find the fault when a barrier that matters, or its
 * flag, is left out), FUZZ_REDUCE=0 (no shortening), FUZZ_FAILURES (per width, before it gives up; default 1). Out: exit code
 * 1 and the source of programs whose result differs, shortened while it does. Each width has a process of its own, whose
 * death is a failure of the program that it ran. */
#include "device.h"
#include "findings.h"
#include "program.h"
#include "session.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { REDUCE_SECONDS = 300 };

static cl_mem in_buffer;
enum { FAULTS, FOUND, ALARMS, WRONG }; /* counts of `progress`, under the checker */

struct trial { /* a program in one configuration */
    struct program *program;
    struct shape shape;
    bool optimize;
    cl_kernel kernel; /* built before, or NULL */
    time_t deadline;  /* of shortening; 0: none */
    char found[200];
};

static cl_kernel build(const struct trial *t, bool *failed) {
    const char *options = t->optimize ? "-cl-std=CL3.0 -w" : "-cl-std=CL3.0 -w -cl-opt-disable";
    cl_program program = program_new(emit_program(t->program), options, t->deadline != 0);
    cl_int error;
    cl_kernel kernel = program ? clCreateKernel(program, "k", &error) : NULL;
    *failed = !kernel;
    if (program)
        clReleaseProgram(program);
    return kernel;
}

static cl_int launch(const struct trial *t, cl_kernel kernel, uint32_t *out, uint32_t *cells) {
    static const uint32_t zeros[GLOBAL * ARRAY];
    cl_mem buffers[] = {buffer_new(GLOBAL * 4, zeros), in_buffer, buffer_new(GLOBAL * ARRAY * 4, zeros),
                        buffer_new(GLOBAL * ARRAY, zeros), buffer_new(CELLS * 4, zeros)};
    size_t global[3], local[3], offset[3];
    for (int d = 0; d < 3; d++)
        global[d] = t->shape.global[d], local[d] = t->shape.local[d], offset[d] = t->shape.offset[d];
    for (cl_uint a = 0; a < 5; a++)
        must(clSetKernelArg(kernel, a, sizeof buffers[a], &buffers[a]), "clSetKernelArg");
    must(clSetKernelArg(kernel, 5, 4, &t->shape.argument), "clSetKernelArg");
    cl_int error =
        clEnqueueNDRangeKernel(cl.queue, kernel, t->program->dims, offset, global, local, 0, NULL, NULL);
    if (!error)
        error = clEnqueueReadBuffer(cl.queue, buffers[0], CL_TRUE, 0, GLOBAL * 4, out, 0, NULL, NULL);
    if (!error)
        error = clEnqueueReadBuffer(cl.queue, buffers[4], CL_TRUE, 0, CELLS * 4, cells, 0, NULL, NULL);
    for (int b = 0; b < 5; b++)
        if (b != 1)
            clReleaseMemObject(buffers[b]);
    return error;
}

static bool differs(const char *what, const uint32_t *got, const uint32_t *want, uint32_t n, char *found,
                    size_t room) {
    for (uint32_t i = 0; i < n; i++)
        if (got[i] != want[i]) {
            snprintf(found, room, "%s[%u] is %u, expected %u", what, i, got[i], want[i]);
            return true;
        }
    return false;
}

/* Whether the device's result isn't the interpreter's. */
static bool fails(void *arg) {
    struct trial *t = arg;
    uint32_t got[GLOBAL], want[GLOBAL], got_cells[CELLS], want_cells[CELLS];
    bool failed = false;
    if (t->deadline && time(NULL) > t->deadline)
        return false;
    progress->beats++;
    cl_kernel kernel = t->kernel ? t->kernel : build(t, &failed);
    if (failed) {
        snprintf(t->found, sizeof t->found, "the build fails");
        return true;
    }
    cl_int error = launch(t, kernel, got, got_cells);
    if (!t->kernel)
        clReleaseKernel(kernel);
    if (error) {
        snprintf(t->found, sizeof t->found, "the launch fails (%d)", error);
        return true;
    }
    interpret(t->program, &t->shape, want, want_cells);
    return differs("out", got, want, GLOBAL, t->found, sizeof t->found) ||
           differs("cells", got_cells, want_cells, CELLS, t->found, sizeof t->found);
}

static bool passes(uint64_t seed, uint32_t width, bool must_divide) {
    struct program program;
    struct trial t = {.program = &program};
    generate(seed, &program);
    const char *reduces = getenv("FUZZ_REDUCE");
    bool failed;
    t.optimize = seed % 4 != 0;
    t.kernel = build(&t, &failed);
    for (int launches = seed % 5 ? 1 : 2; launches > 0; launches--) {
        shape_roll(&program, must_divide, &t.shape);
        bool wrong = failed || fails(&t);
        if (!wrong)
            continue;
        t.deadline = time(NULL) + REDUCE_SECONDS;
        t.kernel = NULL;
        if (!reduces || strcmp(reduces, "0"))
            reduce(&program, fails, &t);
        const uint32_t *l = t.shape.local, *o = t.shape.offset;
        printf("FUZZ_SEED=%llu FUZZ_WIDTHS=%u, %s, local size %u,%u,%u, offset %u,%u,%u, arg %u: %s\n%s",
               (unsigned long long)seed, width, t.optimize ? "optimized" : "-cl-opt-disable", l[0], l[1],
               l[2], o[0], o[1], o[2], t.shape.argument, t.found, emit_program(&program));
        return false;
    }
    clReleaseKernel(t.kernel);
    return true;
}

/* Whether the checker is silent about the program, and isn't any more when a barrier is taken away, or its flag. */
static bool is_told_right(uint64_t seed, uint32_t width) {
    struct program program;
    struct trial t = {.program = &program, .optimize = true};
    uint32_t out[GLOBAL], cells[CELLS];
    off_t before = findings_size();
    bool failed;
    generate(seed, &program);
    t.kernel = build(&t, &failed);
    shape_roll(&program, false, &t.shape);
    bool wrong = failed || fails(&t), alarm = findings_size() != before;
    progress->count[ALARMS] += alarm;
    progress->count[WRONG] += wrong && !alarm;
    if (wrong || alarm) {
        const uint32_t *l = t.shape.local, *o = t.shape.offset;
        printf("FUZZ_SEED=%llu FUZZ_WIDTHS=%u, local size %u,%u,%u, offset %u,%u,%u, arg %u: %s under the "
               "checker\n",
               (unsigned long long)seed, width, l[0], l[1], l[2], o[0], o[1], o[2], t.shape.argument,
               alarm ? "a false alarm" : t.found);
        findings_show(before);
        printf("%s", emit_program(&program));
        return false;
    }
    clReleaseKernel(t.kernel);
    program.faulty = shares_roll(&program);
    program.fault = seed % 2 ? FAULT_NO_BARRIER : FAULT_NO_FLAG;
    interpret(&program, &t.shape, out, cells);
    if (!interpret_fault_matters)
        return true;
    progress->count[FAULTS]++;
    t.kernel = build(&t, &failed);
    launch(&t, t.kernel, out, cells);
    clReleaseKernel(t.kernel);
    bool found = findings_size() != before;
    progress->count[FOUND] += found;
    const uint32_t *l = t.shape.local;
    if (!found)
        printf("FUZZ_SEED=%llu FUZZ_WIDTHS=%u, local size %u,%u,%u, arg %u: a %s isn't found\n%s",
               (unsigned long long)seed, width, l[0], l[1], l[2], t.shape.argument,
               seed % 2 ? "barrier that is missing" : "flag that is missing", emit_program(&program));
    return found;
}

struct run { /* of the programs at one width */
    uint32_t width;
    const uint32_t *turns; /* each program has one width of these; NULL: every program has this one */
    uint32_t nturns;
    bool checked, generic; /* generic: compiled for work-groups of any size */
};

static int run_width(void *arg) {
    const struct run *r = arg;
    char text[16];
    uint32_t inputs[INPUTS];
    cl_bool nonuniform = CL_FALSE;
    snprintf(text, sizeof text, "%u", r->width);
    if (r->width)
        setenv("WEIR_WIDTH", text, 1);
    else
        unsetenv("WEIR_WIDTH");
    setenv("WEIR_SPECIALIZE", r->generic ? "0" : "1", 1);
    if (r->checked)
        findings_collect();
    device_open();
    clGetDeviceInfo(cl.device, CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT, sizeof nonuniform, &nonuniform,
                    NULL);
    for (uint32_t i = 0; i < INPUTS; i++)
        inputs[i] = input_at(i);
    in_buffer = buffer_new(sizeof inputs, inputs);
    unsigned long first = number_from("FUZZ_SEED", 1), wrongs = 0, most = number_from("FUZZ_FAILURES", 1);
    unsigned long count =
        r->checked ? number_from("FUZZ_CHECKED", getenv("WEIR_TEST_QUICK") ? 3 : 10) : runs_asked(26, 6);
    for (unsigned long seed = first; seed < first + count && wrongs < most; seed++) {
        bool generic = seed / r->nturns % 3 == 0;
        if (r->turns && (r->turns[seed % r->nturns] != r->width || generic != r->generic))
            continue;
        progress->seed = seed;
        wrongs += r->checked ? !is_told_right(seed, r->width) : !passes(seed, r->width, !nonuniform);
        progress->runs++;
        fflush(stdout);
    }
    clReleaseMemObject(in_buffer);
    device_close();
    return wrongs > 0;
}

int main(void) {
    setenv("WEIR_COMPILE_RETRY", "0", 0); /* slower code may not hide the compiler's mistakes */
    uint32_t widths[16] = {0, 1, 2, 4, 8, 16, 32}, n = 7;
    const char *asked = getenv("FUZZ_WIDTHS");
    if (asked)
        for (n = 0; *asked && n < 16; asked += *asked == ',')
            widths[n++] = (uint32_t)strtoul(asked, (char **)&asked, 10);
    bool failed = false;
    findings_begin();
    for (uint32_t i = 0; i < 4 * n && (!failed || number_from("FUZZ_FAILURES", 1) > 1); i++) {
        struct run r = {.width = widths[i % n],
                        .turns = getenv("FUZZ_WIDTHS") ? NULL : widths,
                        .nturns = n,
                        .checked = i >= 2 * n,
                        .generic = i / n % 2};
        int end = child_run(run_width, &r);
        if (end < 0)
            printf("FUZZ_SEED=%lu FUZZ_WIDTHS=%u: signal %d\n", (unsigned long)progress->seed, r.width, -end);
        failed |= end != 0;
    }
    findings_end();
    const volatile uint64_t *count = progress->count;
    printf("%lu programs ran; under the checker %lu of %lu faults were found, %lu false alarms, %lu wrong "
           "results\n",
           (unsigned long)progress->runs, (unsigned long)count[FOUND], (unsigned long)count[FAULTS],
           (unsigned long)count[ALARMS], (unsigned long)count[WRONG]);
    return failed;
}
