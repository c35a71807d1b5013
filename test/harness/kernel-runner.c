/* kernel-runner.c: runs kernel tests in every variant and compares the results.
 *
 * In: .cl or .spvasm files with headers (see testcase.c). Out: exit code 0, 1 (wrong, with what and where on standard
 * output), 2 (malformed case) or 77 (the device lacks a needed feature). Of several files the first one that doesn't pass
 * ends the run: those who want to know more run each by itself. The matrix: environments (specialized
 * or generic code, all workers or one, work-items per pack, under the checker, which has nothing to say; each in a
 * process of its own, for Weir reads them once, which all files share but those that set variables or are invalid programs)
 * x (optimized, -cl-opt-disable) x local sizes. Uses only the public API, so that other implementations can run it.
 * Environment: WEIR_TEST_SPIRV=1 has clang make SPIR-V of the program, which the device then gets; cases that clang's
 * SPIR-V can't express are skipped; with the next one it has the first environment alone. A value as -O or -Os is what
 * spirv-opt does to all modules before the device gets them. WEIR_TEST_QUICK=1 has the first environment, one of the two
 * where work-items are alone, and for one case in eight one under the checker, with fewer local sizes. WEIR_TEST_ALL=1 has
 * all combinations, where other runs have them by turns, by the names of cases: see `wants`, `is_left_out` and `has_unoptimized`.
 */
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>

#include <regex.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness.h"

enum { EXIT_WRONG = 1, EXIT_SKIP = 77, GUARD = 256, SECONDS = 300, SMALL = 2000 /* bytes of source */ };

/* Two environments of a kind take turns, by the names of cases, but for small ones (`wants`). */
enum kind { FIRST, ALONE, GENERIC, WIDTHS, CHECKED };
static const struct environment {
    const char *label;
    enum kind kind;
    unsigned turn; /* which of its kind's two */
    struct {
        const char *name, *value;
    } set[3];
} environments[] = {
    {"specialized, all workers", FIRST, 0, {{0}}},
    {"generic, one worker, width 1",
     ALONE,
     0,
     {{"WEIR_SPECIALIZE", "0"}, {"WEIR_CU", "1"}, {"WEIR_WIDTH", "1"}}},
    {"generic, all workers", GENERIC, 0, {{"WEIR_SPECIALIZE", "0"}}},
    {"specialized, all workers, width 1", ALONE, 1, {{"WEIR_WIDTH", "1"}}},
    {"specialized, one worker, width 2", WIDTHS, 0, {{"WEIR_CU", "1"}, {"WEIR_WIDTH", "2"}}},
    {"generic, all workers, width 4, x86-64",
     GENERIC,
     1,
     {{"WEIR_SPECIALIZE", "0"}, {"WEIR_WIDTH", "4"}, {"WEIR_CPU", "x86-64"}}},
    {"specialized, all workers, width 64", WIDTHS, 1, {{"WEIR_WIDTH", "64"}}},
    {"checked, all workers", CHECKED, 0, {{0}}},
    {"checked, generic, one worker, width 4",
     CHECKED,
     1,
     {{"WEIR_SPECIALIZE", "0"}, {"WEIR_CU", "1"}, {"WEIR_WIDTH", "4"}}},
};

enum { WHERE = 256 };
static char *where; /* the cell of the matrix being run; shared with the children, which may die there */
static const struct testcase **running; /* its case; likewise */
static int saved_stdout = 1;

/* Ends the process with the case's name, the cell and the message. */
_Noreturn static void wrong(const struct testcase *t, const char *format, ...) {
    va_list ap;
    fflush(stdout);
    dup2(saved_stdout, 1);
    printf("%s [%s]: ", t->path, where);
    va_start(ap, format);
    vprintf(format, ap);
    va_end(ap);
    printf("\n");
    fflush(stdout);
    _exit(EXIT_WRONG);
}

struct session {
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
    cl_program program;
};

struct run { /* one launch of a case: what its arguments are */
    const struct testcase *t;
    struct session *s;
    struct scope scope;
    size_t global[3], local[3];
    bool none;
    struct array arrays[MAX_ITEMS];
    unsigned char *initial[MAX_ITEMS]; /* with GUARD bytes after; in the order of arrays */
    size_t bytes[MAX_ITEMS], arg_of[MAX_ITEMS];
    void *memory[MAX_ITEMS]; /* a cl_mem or an SVM pointer */
};

static void check(const struct testcase *t, cl_int error, const char *call) {
    if (error)
        wrong(t, "%s: error %d", call, error);
}

static void set_sizes(struct run *r) {
    const size_t *g = r->global, *l = r->local;
    size_t groups = 1;
    for (int d = 0; d < 3; d++)
        groups *= (g[d] + l[d] - 1) / l[d];
    const size_t values[] = {
        0, l[0] * l[1] * l[2], l[0], l[1], l[2], g[0] * g[1] * g[2], g[0], g[1], g[2], groups};
    for (int v = 0; v < VAR_F; v++)
        r->scope.variables[v] = number_int((int64_t)values[v]);
}

static void fill(struct run *r, const struct item_list *list, const struct type *type, unsigned char *out,
                 size_t count) {
    for (size_t e = 0; e < count && (list->each || e < list->n); e++) {
        r->scope.variables[VAR_I] = number_int((int64_t)e);
        type_store(type, out + e * type->size, expr_eval(list->items[list->each ? 0 : e], &r->scope));
    }
}

static void make_arrays(struct run *r) {
    r->scope.arrays = r->arrays;
    for (size_t a = 0; a < r->t->nargs; a++) {
        const struct test_arg *arg = &r->t->args[a];
        if (arg->class != CLASS_BUFFER && arg->class != CLASS_SVM)
            continue;
        size_t n = r->scope.narrays, count = (size_t)expr_eval(arg->count, &r->scope).i;
        r->bytes[n] = count * arg->type->size;
        r->arg_of[n] = a;
        r->initial[n] = malloc(r->bytes[n] + GUARD);
        memset(r->initial[n], 0xa5, r->bytes[n] + GUARD);
        r->arrays[n] = (struct array){arg->name, arg->type, count, r->initial[n]};
        if (arg->init.n)
            fill(r, &arg->init, arg->type, r->initial[n], count);
        r->scope.narrays++;
    }
}

static void make_memory(struct run *r) {
    for (size_t n = 0; n < r->scope.narrays; n++) {
        cl_int error = 0;
        size_t bytes = r->bytes[n] + GUARD;
        if (r->t->args[r->arg_of[n]].class == CLASS_SVM) {
            r->memory[n] = clSVMAlloc(r->s->context, CL_MEM_READ_WRITE, bytes, 0);
            check(r->t, r->memory[n] ? 0 : CL_OUT_OF_RESOURCES, "clSVMAlloc");
            error =
                clEnqueueSVMMemcpy(r->s->queue, CL_TRUE, r->memory[n], r->initial[n], bytes, 0, NULL, NULL);
        } else {
            cl_mem_flags flags = CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR;
            r->memory[n] = clCreateBuffer(r->s->context, flags, bytes, r->initial[n], &error);
        }
        check(r->t, error, "making an argument");
    }
}

static void free_memory(struct run *r) {
    for (size_t n = 0; n < r->scope.narrays; n++)
        if (r->t->args[r->arg_of[n]].class == CLASS_SVM)
            clSVMFree(r->s->context, r->memory[n]);
        else
            clReleaseMemObject(r->memory[n]);
}

static size_t fill_value(struct run *r, const struct test_arg *arg, unsigned char *out) {
    if (arg->class == CLASS_VALUE) {
        fill(r, &arg->init, arg->type, out, arg->init.n);
        return arg->type->size * (arg->width == 3 ? 4 : arg->width);
    }
    size_t offset = 0, align = 1;
    for (size_t m = 0; m < arg->init.n; m++) {
        size_t size = arg->init.types[m]->size;
        align = size > align ? size : align;
        offset = (offset + size - 1) / size * size;
        type_store(arg->init.types[m], out + offset, expr_eval(arg->init.items[m], &r->scope));
        offset += size;
    }
    return (offset + align - 1) / align * align;
}

static void set_args(struct run *r, cl_kernel kernel) {
    unsigned char value[1024];
    for (size_t a = 0, n = 0; a < r->t->nargs; a++) {
        const struct test_arg *arg = &r->t->args[a];
        cl_int error;
        memset(value, 0, sizeof value);
        switch (arg->class) {
        case CLASS_BUFFER:
            error = clSetKernelArg(kernel, a, sizeof(cl_mem), &r->memory[n++]);
            break;
        case CLASS_SVM:
            error = clSetKernelArgSVMPointer(kernel, a, r->memory[n++]);
            break;
        case CLASS_LOCAL:
            error = clSetKernelArg(kernel, a, (size_t)expr_eval(arg->count, &r->scope).i, NULL);
            break;
        case CLASS_NULL:
            error = clSetKernelArg(kernel, a, sizeof(cl_mem), NULL);
            break;
        default:
            error = clSetKernelArg(kernel, a, fill_value(r, arg, value), value);
        }
        if (error)
            wrong(r->t, "clSetKernelArg(%zu): error %d", a, error);
    }
}

static void launch(struct run *r, const char *name, bool single) {
    static const size_t one[3] = {1, 1, 1};
    cl_int error;
    cl_kernel kernel = clCreateKernel(r->s->program, name, &error);
    check(r->t, error, name);
    set_args(r, kernel);
    cl_event event;
    const size_t *global = single ? one : r->global, *local = single ? one : r->none ? NULL : r->local;
    error = clEnqueueNDRangeKernel(r->s->queue, kernel, single ? 1 : r->t->dim, single ? NULL : r->t->offset,
                                   global, local, 0, NULL, &event);
    check(r->t, error, "clEnqueueNDRangeKernel");
    error = clWaitForEvents(1, &event);
    if (!r->t->illegal) /* the checker stops it */
        check(r->t, error, "clWaitForEvents");
    clReleaseEvent(event);
    clReleaseKernel(kernel);
}

static unsigned char *read_back(struct run *r, size_t n) {
    size_t bytes = r->bytes[n] + GUARD;
    unsigned char *out = malloc(bytes);
    cl_int error =
        r->t->args[r->arg_of[n]].class == CLASS_SVM
            ? clEnqueueSVMMemcpy(r->s->queue, CL_TRUE, out, r->memory[n], bytes, 0, NULL, NULL)
            : clEnqueueReadBuffer(r->s->queue, r->memory[n], CL_TRUE, 0, bytes, out, 0, NULL, NULL);
    check(r->t, error, "reading back");
    for (size_t b = r->bytes[n]; b < bytes; b++)
        if (out[b] != 0xa5 && !r->t->illegal)
            wrong(r->t, "%s: written %zu bytes past its end", r->arrays[n].name, b - r->bytes[n]);
    return out;
}

static void compare(struct run *r, size_t n, const unsigned char *got, const unsigned char *want,
                    size_t count) {
    const struct type *type = r->arrays[n].type;
    for (size_t e = 0; e < count; e++) {
        struct number a = type_load(type, got + e * type->size), b = type_load(type, want + e * type->size);
        if (memcmp(got + e * type->size, want + e * type->size, type->size) && !(a.real && a.d == b.d)) {
            if (a.real)
                wrong(r->t, "%s[%zu] is %g, expected %g", r->arrays[n].name, e, a.d, b.d);
            wrong(r->t, "%s[%zu] is %lld, expected %lld", r->arrays[n].name, e, (long long)a.i,
                  (long long)b.i);
        }
    }
}

static size_t array_of(const struct run *r, size_t arg) {
    size_t n = 0;
    while (r->arg_of[n] != arg)
        n++;
    return n;
}

/* Runs the case's kernels once and compares what they leave with the expectations and the reference. */
static void run_shape(const struct testcase *t, struct session *s, const struct shape *shape) {
    struct run run = {.t = t, .s = s, .none = shape->none}, *r = &run;
    for (int d = 0; d < 3; d++) {
        r->global[d] = t->global[d] ? t->global[d] : 1;
        r->local[d] = shape->none ? 1 : shape->size[d];
    }
    set_sizes(r);
    make_arrays(r);
    make_memory(r);
    for (size_t k = 0; k < t->nkernels; k++)
        launch(r, t->kernels[k], false);
    unsigned char *got[MAX_ITEMS];
    for (size_t n = 0; n < r->scope.narrays; n++)
        got[n] = read_back(r, n);
    free_memory(r);
    for (size_t x = 0; x < t->nexpects && !t->illegal; x++) {
        const struct item_list *values = &t->expects[x].values;
        size_t n = array_of(r, t->expects[x].arg);
        unsigned char *want = malloc(r->bytes[n] + 1);
        fill(r, values, r->arrays[n].type, want, r->arrays[n].count);
        compare(r, n, got[n], want,
                values->each || values->n > r->arrays[n].count ? r->arrays[n].count : values->n);
        free(want);
    }
    if (*t->reference) {
        make_memory(r);
        launch(r, t->reference, true);
    }
    for (size_t n = 0; n < r->scope.narrays; n++) {
        if (*t->reference) {
            unsigned char *want = read_back(r, n);
            compare(r, n, got[n], want, r->arrays[n].count);
            free(want);
        }
        free(got[n]);
        free(r->initial[n]);
    }
    if (*t->reference)
        free_memory(r);
}

static int by_text(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void sort_lines(char *text) {
    char *lines[4096], *copy = strdup(text);
    size_t n = 0;
    for (char *line = strtok(copy, "\n"); line && n < 4096; line = strtok(NULL, "\n"))
        lines[n++] = line;
    qsort(lines, n, sizeof *lines, by_text);
    *text = 0;
    for (size_t l = 0; l < n; l++)
        text += sprintf(text, "%s\n", lines[l]);
    free(copy);
}

/* As run_shape, with standard output going to a file and compared at the end. */
static void run_printing(const struct testcase *t, struct session *s, const struct shape *shape) {
    FILE *file = tmpfile();
    static char text[1 << 20];
    fflush(stdout);
    dup2(fileno(file), 1);
    run_shape(t, s, shape);
    check(t, clFinish(s->queue), "clFinish");
    fflush(stdout);
    dup2(saved_stdout, 1);
    rewind(file);
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
    char *want = strdup(t->print);
    if (t->print_unordered) {
        sort_lines(text);
        sort_lines(want);
    }
    if (strcmp(text, want))
        wrong(t, "printed:\n%sexpected:\n%s", text, want);
    free(want);
}

static bool device_flag(cl_device_id device, cl_device_info what) {
    cl_bool yes = CL_FALSE;
    return !clGetDeviceInfo(device, what, sizeof yes, &yes, NULL) && yes;
}

static bool has_feature(cl_device_id device, const char *name) {
    static cl_name_version list[256];
    size_t bytes = 0;
    if (clGetDeviceInfo(device, CL_DEVICE_OPENCL_C_FEATURES, sizeof list, list, &bytes))
        return false;
    for (size_t f = 0; f < bytes / sizeof *list; f++)
        if (!strcmp(list[f].name, name))
            return true;
    return false;
}

static bool device_has(cl_device_id device, const char *need) {
    char extensions[8192] = "";
    clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, sizeof extensions, extensions, NULL);
    if (!strcmp(need, "nonuniform"))
        return device_flag(device, CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT);
    if (!strcmp(need, "generic"))
        return device_flag(device, CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT);
    if (!strcmp(need, "collectives"))
        return device_flag(device, CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT);
    if (!strcmp(need, "globals"))
        return has_feature(device, "__opencl_c_program_scope_global_variables");
    return has_feature(device, need) || strstr(extensions, need);
}

static void check_needs(const struct testcase *t, cl_device_id device) {
    char *needs = strdup(t->needs);
    for (char *need = strtok(needs, " "); need; need = strtok(NULL, " "))
        if (!device_has(device, need)) {
            printf("skipped: the device lacks %s\n", need);
            exit(EXIT_SKIP);
        }
    free(needs);
}

static void check_build_error(const struct testcase *t, cl_int error, const char *log) {
    regex_t regex;
    if (!error)
        wrong(t, "the program builds, though it must not");
    if (regcomp(&regex, t->build_error, REG_EXTENDED | REG_NOSUB | REG_NEWLINE))
        wrong(t, "malformed regular expression: %s", t->build_error);
    if (regexec(&regex, log, 0, NULL, 0))
        wrong(t, "the build log lacks \"%s\":\n%s", t->build_error, log);
    regfree(&regex);
}

/* Runs spirv-opt on the module; false: it can't. */
static bool optimize_module(const char *source) {
    const char *how = getenv("WEIR_TEST_SPIRV");
    char command[1024];
    snprintf(command, sizeof command, "spirv-opt --target-env=spv1.6 %s %s.spv -o %s.spv 2>%s.err", how,
             source, source, source);
    return !how || *how != '-' || !system(command);
}

/* The program as SPIR-V by clang, with weirc's declarations where it lacks some, or by spirv-as; made once for all variants.
 * False: they can't. In a file that this process owns. */
static bool make_module(struct testcase *t) {
    static const char *const common =
        "-target spirv64-unknown-unknown -x cl -O1 -w -fno-builtin -Xclang -fdeclare-opencl-builtins "
        "-Xclang -finclude-default-header -Xclang -cl-ext=+all -mllvm "
        "--spirv-ext=+SPV_KHR_subgroup_rotate,+SPV_KHR_shader_clock,+SPV_EXT_shader_atomic_float_add,"
        "+SPV_EXT_shader_atomic_float_min_max,+SPV_EXT_shader_atomic_float16_add,+SPV_KHR_uniform_group_"
        "instructions,"
        "+SPV_INTEL_subgroups,+SPV_INTEL_split_barrier,+SPV_KHR_integer_dot_product,+SPV_KHR_expect_assume,"
        "+SPV_KHR_bit_instructions,+SPV_KHR_no_integer_wrap_decoration,+SPV_INTEL_function_pointers";
    char source[] = "/tmp/weir-spirv.XXXXXX.cl", command[2048];
    int fd = mkstemps(source, 3);
    if (fd < 0 || write(fd, t->source, strlen(t->source)) < 0)
        return false;
    close(fd);
    if (t->is_assembly)
        snprintf(command, sizeof command,
                 "spirv-as --target-env spv1.6 %s -o %s.spv && %s --target-env spv1.6 %s.spv", source, source,
                 t->unvalidated ? "true" : "spirv-val", source);
    else
        snprintf(command, sizeof command,
                 "clang-22 %s %s -c %s -o %s.spv 2>%s.err || "
                 "${BUILD:-build}/weirc %s '--options=%s' --emit=spv -o %s.spv 2>%s.err",
                 common, t->options, source, source, source, source, t->options, source, source);
    bool made = !system(command) && optimize_module(source);
    snprintf(command, sizeof command, "%s.spv", source);
    FILE *file = made ? fopen(command, "rb") : NULL;
    if (file) {
        t->module = malloc(1 << 24);
        t->module_size = fread(t->module, 1, 1 << 24, file);
        fclose(file);
    }
    snprintf(command, sizeof command, "rm -f %s %s.spv %s.err", source, source, source);
    if (system(command))
        return false;
    return t->module_size;
}

static bool build(const struct testcase *t, struct session *s, const char *more) {
    char options[600];
    static char log[1 << 18];
    cl_int error;
    snprintf(options, sizeof options, "%s%s", t->options, more);
    s->program = t->module
                     ? clCreateProgramWithIL(s->context, t->module, t->module_size, &error)
                     : clCreateProgramWithSource(s->context, 1, (const char **)&t->source, NULL, &error);
    check(t, error, "creating the program");
    error = clBuildProgram(s->program, 1, &s->device, options, NULL, NULL);
    clGetProgramBuildInfo(s->program, s->device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);
    if (*t->build_error)
        check_build_error(t, error, log);
    else if (error)
        wrong(t, "clBuildProgram: error %d\n%s", error, log);
    return !error;
}

/* Whether the device can run the shape: uniform, or it takes non-uniform groups. */
static bool shape_fits(const struct testcase *t, const struct shape *shape, bool nonuniform) {
    for (unsigned d = 0; d < t->dim && !shape->none; d++)
        if (shape->size[d] > t->global[d] || (t->global[d] % shape->size[d] && !nonuniform))
            return false;
    return true;
}

static bool quick, all; /* WEIR_TEST_QUICK, WEIR_TEST_ALL */

/* Of a case, by its name. */
static unsigned hash_of(const struct testcase *t) {
    unsigned hash = 0;
    for (const char *c = strrchr(t->path, '/'); c && *c; c++)
        hash = hash * 31 + (unsigned char)*c;
    return hash;
}

/* Whether all local sizes share their code there. */
static bool is_generic(const struct environment *e) {
    return e->set[0].name && !strcmp(e->set[0].name, "WEIR_SPECIALIZE");
}

/* Whether the local size, one of `n`, is left out. Where code is specialized each one has code of its own to compile, so that the first
 * environment alone has all of them; of code that isn't optimized every third. The others have every fourth, but at
 * least one, which one by turns of cases and environments. Quick runs have every fifth at first, every third where
 * something is to be found, and one otherwise. */
static bool is_left_out(const struct testcase *t, size_t shape, size_t n, bool optimized,
                        const struct environment *e) {
    size_t turn = hash_of(t) / 64 + (size_t)(e - environments), every = optimized ? 1 : 3;
    if (is_generic(e) || all)
        every = 1;
    else if (quick)
        every = !optimized || e != environments ? n : *t->finds ? 3 : 5;
    else if (e != environments)
        every = 4;
    every = every < n ? every : n;
    return (shape + turn) % every != 0;
}

/* Whether code that isn't optimized is run there: at first, and by turns of cases where it is one code for all local sizes, and in one
 * of four where each has its own or is checked. Quick runs have it for one case of four, at first. */
static bool has_unoptimized(const struct testcase *t, const struct environment *e) {
    size_t turn = hash_of(t) / 32 + (size_t)(e - environments);
    if (quick)
        return e == environments && turn % 4 == 0;
    return e == environments || all || turn % (is_generic(e) && e->kind != CHECKED ? 2 : 4) == 0;
}

/* One environment: every build and local size, in this process. */
static void run_environment(const struct testcase *t, const struct environment *e) {
    struct session s;
    cl_platform_id platform;
    cl_int error;
    check(t, clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
    check(t, clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &s.device, NULL), "clGetDeviceIDs");
    check_needs(t, s.device);
    s.context = clCreateContext(NULL, 1, &s.device, NULL, NULL, &error);
    check(t, error, "clCreateContext");
    s.queue = clCreateCommandQueueWithProperties(s.context, s.device, NULL, &error);
    check(t, error, "clCreateCommandQueueWithProperties");
    if (strstr(t->needs, "__opencl_c_device_enqueue")) {
        cl_queue_properties properties[] = {
            CL_QUEUE_PROPERTIES,
            CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
        clCreateCommandQueueWithProperties(s.context, s.device, properties, &error);
        check(t, error, "the default queue on the device");
    }
    bool nonuniform = device_flag(s.device, CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT);
    const struct shape *fitting[sizeof t->shapes / sizeof *t->shapes];
    size_t nfitting = 0;
    for (size_t i = 0; i < t->nshapes; i++)
        if (shape_fits(t, &t->shapes[i], nonuniform))
            fitting[nfitting++] = &t->shapes[i];
    static const char *const more[] = {"", " -cl-opt-disable"};
    for (size_t m = 0; m < (has_unoptimized(t, e) ? 2 : 1); m++) {
        snprintf(where, WHERE, "%s%s", e->label, more[m]);
        if (build(t, &s, more[m]))
            for (size_t i = 0; i < nfitting; i++) {
                const struct shape *shape = fitting[i];
                if (is_left_out(t, i, nfitting, m == 0, e))
                    continue;
                snprintf(where, WHERE, shape->none ? "%s%s, no local size" : "%s%s, local %zu,%zu,%zu",
                         e->label, more[m], shape->size[0], shape->size[1], shape->size[2]);
                (t->print ? run_printing : run_shape)(t, &s, shape);
            }
        clReleaseProgram(s.program);
    }
    clReleaseCommandQueue(s.queue);
    clReleaseContext(s.context);
}

/* A child's: the cases, one after the other. */
_Noreturn static void run_cases(struct testcase *const *cases, size_t n, const struct environment *e,
                                const char *report) {
    if (report) {
        setenv("WEIR_CHECK", "1", 1);
        setenv("WEIR_CHECK_REPORT", report, 1);
    }
    char *value = strchr(cases[0]->set, '=');
    if (value)
        setenv(strndup(cases[0]->set, (size_t)(value - cases[0]->set)), value + 1, 1);
    for (size_t v = 0; v < 3 && e->set[v].name; v++)
        setenv(e->set[v].name, e->set[v].value, 1);
    saved_stdout = dup(1);
    long seen = 0; /* of the report */
    int result = 0;
    for (size_t c = 0; c < n && !result; c++) {
        *running = cases[c];
        snprintf(where, WHERE, "%s", e->label);
        alarm(SECONDS);
        run_environment(cases[c], e);
        /* two groups that access a place at the same moment may both go unseen (docs/checker.md) */
        bool may_miss = report && strstr(cases[c]->finds, "inter-group-race");
        for (int more = 0; may_miss && more < 8 && !findings_are_all(cases[c], report, seen); more++)
            run_environment(cases[c], e);
        if (report && !findings_compare(cases[c], e->label, report, &seen))
            result = EXIT_WRONG;
    }
    exit(result);
}

static bool is_checked(const struct testcase *t, const struct environment *e) {
    return *t->finds || e->kind == CHECKED;
}

static int run_child(struct testcase *const *cases, size_t n, const struct environment *e) {
    char report[] = "/tmp/weir-findings.XXXXXX";
    bool checked = is_checked(cases[0], e);
    int fd = checked ? mkstemp(report) : -1;
    fflush(stdout);
    pid_t pid = fork();
    if (!pid)
        run_cases(cases, n, e, checked ? report : NULL);
    int status;
    if (pid < 0 || waitpid(pid, &status, 0) != pid) {
        perror("kernel-runner");
        return EXIT_WRONG;
    }
    if (fd >= 0) {
        unlink(report);
        close(fd);
    }
    if (WIFEXITED(status))
        return WEXITSTATUS(status);
    printf("%s [%s]: killed by signal %d%s\n", (*running)->path, where, WTERMSIG(status),
           WTERMSIG(status) == SIGALRM ? ": it hangs" : "");
    return EXIT_WRONG;
}

/* Whether the case runs in the environment: under the checker if it isn't in all of them, and its results mean something; where a
 * kind's turn is another's only if it is small, and has so few local sizes that it isn't varied otherwise. Quick runs have
 * the first environment, one of work-items alone, and one case in eight under the checker. */
static bool wants(const struct testcase *t, const struct environment *e) {
    if (e->kind == CHECKED && (*t->finds || t->illegal || *t->build_error))
        return false;
    if (quick && t->module && !t->is_assembly) /* what comes after the front end is one for both */
        return e == environments;
    bool has_turn = e->kind == FIRST || (hash_of(t) >> (8 + e->kind)) % 2 == e->turn;
    if (quick && e->kind == CHECKED)
        return !e->turn && hash_of(t) % 8 == 0;
    if (quick)
        return has_turn && e->kind <= ALONE;
    bool is_small = t->nshapes <= 2 && strlen(t->source) < SMALL;
    return has_turn || all || (is_small && !*t->finds);
}

/* Whether the case may run in one process with others. */
static bool is_sociable(const struct testcase *t) {
    return !*t->set && (!t->illegal || *t->finds);
}

/* All cases in one environment, in as few processes as possible. `together` has room for all. */
static int run_all(struct testcase *const *cases, size_t n, const struct environment *e,
                   struct testcase **together) {
    int result = 0;
    for (size_t first = 0; first < n; first++) {
        const struct testcase *t = cases[first];
        size_t count = 0;
        for (size_t c = 0; c < n; c++) {
            bool joins =
                is_sociable(t) && is_sociable(cases[c]) && is_checked(cases[c], e) == is_checked(t, e);
            if ((c == first || joins) && wants(cases[c], e))
                together[count++] = cases[c];
        }
        if (!count || together[0] != t) /* it ran with an earlier one */
            continue;
        int code = run_child(together, count, e);
        result = code ? code : result;
        if (code && n > 1)
            break;
    }
    return result;
}

/* The case's module, if it gets one. False: it can't be made; *code says what that means. */
static bool prepare(struct testcase *t, int *code) {
    *code = EXIT_SKIP;
    if (getenv("WEIR_TEST_SPIRV") && *t->no_spirv) {
        printf("skipped: %s\n", t->no_spirv);
        return false;
    }
    if (t->is_assembly && !make_module(t)) {
        if (getenv("WEIR_TEST_SPIRV")) {
            printf("skipped: spirv-opt refuses it\n");
            return false;
        }
        printf("%s: spirv-as or spirv-val refuses it\n", t->path);
        *code = EXIT_WRONG;
        return false;
    }
    if (!t->is_assembly && getenv("WEIR_TEST_SPIRV") && (*t->build_error || !make_module(t))) {
        printf("skipped: clang makes no SPIR-V of it\n");
        return false;
    }
    return true;
}

int main(int argc, char **argv) {
    if (argc < 2) {
        fprintf(stderr, "usage: kernel-runner FILE.cl|FILE.spvasm...\n");
        return 2;
    }
    size_t n = (size_t)argc - 1;
    struct testcase **cases = calloc(n, sizeof(*cases)), **together = calloc(n, sizeof(*together));
    where = mmap(NULL, WHERE + sizeof(*running), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (where == MAP_FAILED || !cases || !together)
        return 2;
    running = (void *)(where + WHERE);
    quick = getenv("WEIR_TEST_QUICK") != NULL;
    all = !quick && getenv("WEIR_TEST_ALL");
    int result = 0, code;
    for (size_t c = 0; c < n; c++) {
        cases[c] = testcase_read(argv[c + 1]);
        if (!prepare(cases[c], &code))
            return code;
    }
    for (size_t e = 0; e < sizeof environments / sizeof *environments && result != EXIT_SKIP; e++) {
        code = run_all(cases, n, &environments[e], together);
        result = code ? code : result;
        if (result && n > 1)
            break;
    }
    return result;
}
