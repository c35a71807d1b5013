/* call.c: calls functions by their declarations. A kernel has some calls of one width; of each work-item they take the
 * elements that struct call tells of, so that lanes load and store rows, and compiling is fast. */
#define CL_TARGET_OPENCL_VERSION 300
#include "builtin.h"

#include <CL/cl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    ARRAY = PLACES * 16, /* bytes, twice as many as of the largest type */
    KERNELS = 2,         /* of a program */
    COST = 2000          /* of a kernel */
};

struct queued {
    struct call call;
    unsigned kernel;
};
static struct {
    cl_context context;
    cl_device_id device;
    cl_command_queue queue;
    const char *options;
    struct queued calls[4096];
    size_t n;
    unsigned widths[KERNELS], costs[KERNELS], nkernels;
    char *in;
    size_t in_size, out_size;
    char *source;
    size_t source_size;
    FILE *text[KERNELS];
    char *bodies[KERNELS];
    size_t body_sizes[KERNELS];
    size_t failures, wrong, tested;
} run;

static void must(cl_int error, const char *what) {
    if (error) {
        fprintf(stderr, "%s: error %d\n", what, error);
        exit(1);
    }
}

int64_t integer_at(enum type t, const void *array, size_t place) {
    int64_t x = 0;
    unsigned size = type_sizes[t];
    memcpy(&x, (const char *)array + place * size, size);
    unsigned shift = 64 - 8 * size;
    return is_signed(t) ? (int64_t)((uint64_t)x << shift) >> shift : x;
}

double real_at(enum type t, const void *array, size_t place) {
    return t == FLOAT  ? (double)((const float *)array)[place]
           : t == HALF ? half_value(((const uint16_t *)array)[place])
                       : ((const double *)array)[place];
}

const char *spelled(struct param p, char text[32]) {
    snprintf(text, 32, p.width > 1 ? "%s%u" : "%s", type_names[p.type], p.width);
    return text;
}

static unsigned widest(const struct declared *d) {
    unsigned n = d->result.width;
    for (unsigned i = 0; i < d->nparams; i++) {
        n = d->params[i].width > n ? d->params[i].width : n;
    }
    return n;
}

/* ---- code ---- */

/* The place where what a pointer points to lies: generic ones take turns. */
enum space call_space(const struct call *c, unsigned i) {
    static const enum space turns[] = {PRIVATE, LOCAL, GLOBAL};
    return c->declared->params[i].space == PRIVATE ? turns[c->turn % 3] : c->declared->params[i].space;
}

static void emit_argument(FILE *f, const struct call *c, unsigned i) {
    struct param p = c->declared->params[i];
    char type[32];
    fprintf(f, "        %s a%u = (%s)(", spelled(p, type), i, type);
    for (unsigned j = 0; j < p.width; j++) {
        fprintf(f, "%s((global const %s *)(in + %zu))[g + %u]", j ? ", " : "", type_names[p.type], c->in[i],
                j * c->items);
    }
    fprintf(f, ");\n");
}

static void emit_output(FILE *f, const struct call *c, unsigned i) {
    struct param p = c->declared->params[i];
    char type[32];
    spelled(p, type);
    switch (call_space(c, i)) {
    case LOCAL:
        fprintf(f, "        local %s *p%u = (local %s *)scratch + l;\n", type, i, type);
        break;
    case GLOBAL:
        fprintf(f, "        global %s *p%u = (global %s *)(out + %zu) + g;\n", type, i, type,
                c->out[i] + ARRAY);
        break;
    default:
        fprintf(f, "        %s v%u, *p%u = &v%u;\n", type, i, i, i);
        break;
    }
}

void emit_stores(FILE *f, const struct call *c, struct param p, const char *value, size_t offset) {
    for (unsigned j = 0; j < p.width; j++) {
        fprintf(f, "        ((global %s *)(out + %zu))[g + %u] = %s", type_names[p.type], offset,
                j * c->items, value);
        fprintf(f, p.width > 1 ? ".s%x;\n" : ";\n", j);
    }
}

static void emit(FILE *f, const struct call *c) {
    const struct declared *d = c->declared;
    char type[32];
    for (unsigned i = 0; i < d->nparams; i++) {
        if (d->params[i].pointer) {
            emit_output(f, c, i);
        } else {
            emit_argument(f, c, i);
        }
    }
    fprintf(f, "        %s r = %s(", spelled(d->result, type), d->name);
    for (unsigned i = 0; i < d->nparams; i++) {
        fprintf(f, "%s%c%u", i ? ", " : "", d->params[i].pointer ? 'p' : 'a', i);
    }
    fprintf(f, ");\n");
    emit_stores(f, c, d->result, "r", c->result_at);
    for (unsigned i = 0; i < d->nparams; i++) {
        char value[16];
        snprintf(value, sizeof value, "p%u[0]", i);
        if (d->params[i].pointer) {
            emit_stores(f, c, d->params[i], value, c->out[i]);
        }
    }
}

/* ---- running ---- */

static cl_program build(void) {
    char *text = NULL, options[512];
    size_t size;
    cl_int error;
    FILE *f = open_memstream(&text, &size);
    fprintf(f, "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n");
    for (unsigned k = 0; k < run.nkernels; k++) {
        fclose(run.text[k]);
        fprintf(f,
                "kernel void k%u(global const uchar *in, global uchar *out, constant uchar *con,\n"
                "               local uchar *scratch) {\n"
                "    size_t g = get_global_id(0), l = get_local_id(0);\n%s}\n",
                k, run.bodies[k]);
        free(run.bodies[k]);
    }
    fclose(f);
    cl_program program = clCreateProgramWithSource(run.context, 1, (const char **)&text, NULL, &error);
    must(error, "clCreateProgramWithSource");
    snprintf(options, sizeof options, "%s %s", strstr(run.options, "-cl-std") ? "" : "-cl-std=CL3.0",
             run.options);
    if (clBuildProgram(program, 1, &run.device, options, NULL, NULL)) {
        static char log[20000];
        clGetProgramBuildInfo(program, run.device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);
        printf("build failed: %.8000s\n%s\n", log, text);
        exit(1);
    }
    free(text);
    return program;
}

static void launch(cl_program program, cl_mem in, cl_mem out) {
    for (unsigned k = 0; k < run.nkernels; k++) {
        char name[16];
        cl_int error;
        size_t global = PLACES / run.widths[k], local = GROUP;
        snprintf(name, sizeof name, "k%u", k);
        cl_kernel kernel = clCreateKernel(program, name, &error);
        must(error, "clCreateKernel");
        must(clSetKernelArg(kernel, 0, sizeof in, &in) | clSetKernelArg(kernel, 1, sizeof out, &out) |
                 clSetKernelArg(kernel, 2, sizeof in, &in) | clSetKernelArg(kernel, 3, SCRATCH, NULL),
             "clSetKernelArg");
        must(clEnqueueNDRangeKernel(run.queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL), name);
        must(clFinish(run.queue), name);
        clReleaseKernel(kernel);
    }
}

static void print_value(enum type t, const void *array, size_t place) {
    if (!type_sizes[t]) {
        return;
    }
    if (is_real(t)) {
        double x = real_at(t, array, place);
        printf("%a (%.9g)", x, x);
    } else {
        printf("%lld (0x%llx)", (long long)integer_at(t, array, place),
               (long long)integer_at(t, array, place));
    }
}

static void report(const struct call *c, size_t place, const char *why) {
    const struct declared *d = c->declared;
    printf("  at place %zu:", place);
    for (unsigned i = 0; i < d->nparams; i++) {
        if (!c->is_output[i]) {
            printf(" ");
            print_value(d->params[i].type, c->params[i], d->params[i].width == 1 ? place % c->items : place);
        }
    }
    printf(" gave ");
    print_value(d->result.type, c->result, place);
    for (unsigned i = 0; i < d->nparams; i++) {
        if (c->is_output[i]) {
            printf(" and ");
            print_value(d->params[i].type, c->params[i], place);
        }
    }
    printf("%s%s\n", *why ? ", not " : "", why);
}

static void check(struct queued *q, const char *out) {
    struct call *c = &q->call;
    size_t bad = 0, places = c->items * c->declared->result.width;
    if (c->declared->result.type == VOID) {
        places = PLACES;
    }
    c->result = (void *)(out + c->result_at);
    for (unsigned i = 0; i < c->declared->nparams; i++) {
        c->params[i] = c->is_output[i] ? (void *)(out + c->out[i]) : run.in + c->in[i];
    }
    for (size_t p = 0; p < places; p++) {
        char why[160] = "";
        if (!c->family->check(c, p, why) && ++bad <= 4) {
            if (bad == 1) {
                printf("FAILED: %s\n", c->declared->text);
            }
            report(c, p, why);
        }
    }
    run.failures += bad != 0;
    run.wrong += bad;
    run.tested++;
}

static void flush(void) {
    cl_int error;
    if (!run.n) {
        return;
    }
    cl_program program = build();
    cl_mem in =
        clCreateBuffer(run.context, CL_MEM_COPY_HOST_PTR, run.in_size ? run.in_size : 1, run.in, &error);
    must(error, "clCreateBuffer");
    cl_mem out = clCreateBuffer(run.context, 0, run.out_size, NULL, &error);
    must(error, "clCreateBuffer");
    must(clEnqueueFillBuffer(run.queue, out, "\xa5", 1, 0, run.out_size, 0, NULL, NULL),
         "clEnqueueFillBuffer");
    launch(program, in, out);
    char *results =
        clEnqueueMapBuffer(run.queue, out, CL_TRUE, CL_MAP_READ, 0, run.out_size, 0, NULL, NULL, &error);
    must(error, "clEnqueueMapBuffer");
    for (size_t i = 0; i < run.n; i++) {
        check(&run.calls[i], results);
    }
    clEnqueueUnmapMemObject(run.queue, out, results, 0, NULL, NULL);
    clFinish(run.queue);
    clReleaseMemObject(in);
    clReleaseMemObject(out);
    clReleaseProgram(program);
    run.n = run.nkernels = 0;
    run.in_size = run.out_size = 0;
}

/* ---- queueing ---- */

/* A kernel of the program for calls of this width with room for one more of this cost. */
static unsigned kernel_for(unsigned width, unsigned cost) {
    for (unsigned k = 0; k < run.nkernels; k++) {
        if (run.widths[k] == width && run.costs[k] + cost <= COST) {
            run.costs[k] += cost;
            return k;
        }
    }
    if (run.nkernels == KERNELS || run.n > 4000) {
        flush();
    }
    unsigned k = run.nkernels++;
    run.widths[k] = width;
    run.costs[k] = cost;
    run.text[k] = open_memstream(&run.bodies[k], &run.body_sizes[k]);
    return k;
}

/* Where the argument's values are: declarations of one name share them. */
static size_t input(const struct family *family, const struct declared *d, unsigned i) {
    enum type t = d->params[i].type;
    for (size_t n = run.n; n-- > 0 && run.n - n < 64;) {
        const struct declared *other = run.calls[n].call.declared;
        if (run.calls[n].call.family == family && !strcmp(other->name, d->name) && other->nparams > i &&
            !run.calls[n].call.is_output[i] && other->params[i].type == t &&
            other->params[0].type == d->params[0].type) {
            return run.calls[n].call.in[i];
        }
    }
    size_t at = run.in_size;
    run.in_size += ARRAY;
    run.in = realloc(run.in, run.in_size);
    uint64_t seed = i + 1;
    for (const char *s = d->name; *s; s++) {
        seed = seed * 131 + (unsigned char)*s;
    }
    random_seed(seed * 16 + t);
    family->values(d, i, t, run.in + at);
    return at;
}

static void add(const struct family *family, const struct declared *d, size_t turn) {
    unsigned width = widest(d), cost = (family->cost ? family->cost : 10) * width;
    struct queued q = {.call = {.declared = d, .family = family, .width = width, .turn = turn}};
    struct call *c = &q.call;
    q.kernel = kernel_for(width, cost);
    c->items = PLACES / width;
    for (unsigned i = 0; i < d->nparams; i++) {
        c->is_output[i] = d->params[i].pointer && !(family->inputs >> i & 1);
        if (c->is_output[i]) {
            c->out[i] = run.out_size;
            run.out_size += 3 * ARRAY; /* room for vectors of three with their padding, and for SCRATCH */
        } else if (type_sizes[d->params[i].type]) {
            c->in[i] = input(family, d, i);
        }
    }
    c->result_at = run.out_size;
    run.out_size += 3 * ARRAY; /* room for more that emit stores */
    run.calls[run.n++] = q;
    FILE *f = run.text[q.kernel];
    fprintf(f, "    { // %s\n", d->text);
    (family->emit ? family->emit : emit)(f, c);
    fprintf(f, "    }\n");
}

static const struct family *family_of(const struct family *families, size_t n, const char *name) {
    for (size_t i = 0; i < n; i++) {
        size_t length = strlen(families[i].name);
        bool open = families[i].name[length - 1] == '*';
        if (open ? !strncmp(name, families[i].name, length - 1) : !strcmp(name, families[i].name)) {
            return &families[i];
        }
    }
    return NULL;
}

/* Whether the declaration is called in this one of the two runs, with work-items alone or with packs. Forms of vectors take most of
 * the time, and one macro of the library makes all of a function: each is in one of both runs, or with WEIR_TEST_ALL=1 in both. */
static bool takes_part(const struct declared *d, bool alone) {
    unsigned hash = 0;
    for (const char *c = d->text; *c; c++) {
        hash = hash * 31 + (unsigned char)*c;
    }
    return widest(d) == 1 || getenv("WEIR_TEST_ALL") || (hash >> 7) % 2 == alone;
}

static int run_all(const struct family *families, size_t n, const char *options,
                   bool (*only)(const struct declared *), bool alone) {
    const struct declared *list;
    cl_platform_id platform;
    cl_int error;
    const char *standard = strstr(options, "-cl-std=");
    size_t count = declared_read(standard ? "CL1.2" : "CL3.0", &list);
    bool quick = getenv("WEIR_TEST_QUICK");
    run.options = options;
    must(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
    must(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &run.device, NULL), "clGetDeviceIDs");
    run.context = clCreateContext(NULL, 1, &run.device, NULL, NULL, &error);
    must(error, "clCreateContext");
    run.queue = clCreateCommandQueueWithProperties(run.context, run.device, NULL, &error);
    must(error, "clCreateCommandQueueWithProperties");
    for (unsigned width = 1; width <= 16; width++) { /* calls of one width share a kernel */
        for (size_t i = 0; i < count; i++) {
            const struct family *family = family_of(families, n, list[i].name);
            if (family && widest(&list[i]) == width && (!only || only(&list[i])) && (!quick || i % 17 == 0) &&
                (standard || takes_part(&list[i], alone))) {
                add(family, &list[i], standard ? 0 : i);
            }
        }
    }
    flush();
    printf("%zu declarations called, %zu gave wrong results (%zu)\n", run.tested, run.failures, run.wrong);
    return run.failures || !run.tested;
}

/* The names that are declared; if there are families theirs alone. */
static void print_names(const struct family *families, size_t n, const char *standard) {
    const struct declared *list;
    size_t count = declared_read(standard, &list);
    for (size_t i = 0; i < count; i++) {
        if (!families || family_of(families, n, list[i].name)) {
            puts(list[i].name);
        }
    }
}

int builtin_main(int argc, char **argv, const struct family *families, size_t n, const char *options,
                 bool (*only)(const struct declared *)) {
    static const char *const widths[] = {"1", NULL};
    int failed = 0;
    if (argc > 1 && !strcmp(argv[1], "--names")) {
        print_names(families, n, "CL3.0");
        return 0;
    }
    if (argc > 1 && !strcmp(argv[1], "--declared")) {
        print_names(NULL, 0, "CL3.0");
        print_names(NULL, 0, "CL1.2");
        return 0;
    }
    /* In OpenCL C 1.2 only the address spaces of pointers are others, for which the width makes no difference. */
    for (size_t i = strstr(options, "-cl-std=") ? 1 : 0; i < 2; i++) {
        fflush(stdout);
        pid_t child = fork();
        int status = 1;
        if (!child) {
            if (widths[i]) {
                setenv("WEIR_WIDTH", widths[i], 1);
            }
            printf("width %s, options '%s': ", widths[i] ? widths[i] : "of the device", options);
            int code = run_all(families, n, options, only, i == 0);
            fflush(stdout);
            _exit(code);
        }
        waitpid(child, &status, 0);
        failed |= status != 0;
    }
    return failed;
}
