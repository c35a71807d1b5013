/* run.c: `weir run`: builds a file, runs one kernel of it and shows what it wrote.
 * In: FILE, KERNEL, sizes and arguments. Out: the output buffers, printed or as .npy files, and times. */
#include "cli.h"

#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_ARGS = 256 };

struct run {
    const char *file, *kernel_name, *platform, *options;
    size_t global[3], local[3], offset[3];
    unsigned dim, local_dim, offset_dim;
    const char *texts[MAX_ARGS]; /* of --arg */
    unsigned ntexts;
    char *outs[MAX_ARGS]; /* of --out: NAME=FILE */
    unsigned nouts;
    uint64_t repeat, shown; /* shown: elements printed of each output */
    bool is_timed;
    const char *profile; /* perf, timer; "": what there is; NULL: none */
    struct target target;
    cl_program program;
    cl_command_queue queue;
    cl_kernel kernel;
    struct arg args[MAX_ARGS];
    unsigned nargs;
};

static const struct option options[] = {
    {"help", no_argument, NULL, 'h'},
    {"global", required_argument, NULL, 'g'},
    {"local", required_argument, NULL, 'l'},
    {"offset", required_argument, NULL, 'f'},
    {"arg", required_argument, NULL, 'a'},
    {"out", required_argument, NULL, 'u'},
    {"time", no_argument, NULL, 't'},
    {"repeat", required_argument, NULL, 'r'},
    {"options", required_argument, NULL, 'b'},
    {"platform", required_argument, NULL, 'p'},
    {"print", required_argument, NULL, 'n'},
    {"profile", optional_argument, NULL, 'P'},
    {0},
};

static void read_sizes(const char *option, const char *text, size_t sizes[3], unsigned *dim) {
    if (!parse_sizes(text, sizes, dim))
        die(EXIT_USAGE, "%s wants 1 to 3 sizes with commas between, as in 1024,64; not '%s'", option, text);
}

static void read_number(const char *option, const char *text, uint64_t *value) {
    if (!parse_uint(text, value))
        die(EXIT_USAGE, "%s wants a number, not '%s'", option, text);
}

static void add(const char *option, unsigned *n) {
    if ((*n)++ == MAX_ARGS)
        die(EXIT_USAGE, "more than %d times %s", MAX_ARGS, option);
}

static void read_option(struct run *run, int option) {
    switch (option) {
    case 'g':
        read_sizes("--global", optarg, run->global, &run->dim);
        break;
    case 'l':
        read_sizes("--local", optarg, run->local, &run->local_dim);
        break;
    case 'f':
        read_sizes("--offset", optarg, run->offset, &run->offset_dim);
        break;
    case 'a':
        add("--arg", &run->ntexts);
        run->texts[run->ntexts - 1] = optarg;
        break;
    case 'u':
        if (!strchr(optarg, '='))
            die(EXIT_USAGE, "--out wants NAME=FILE.npy, not '%s'", optarg);
        add("--out", &run->nouts);
        run->outs[run->nouts - 1] = optarg;
        break;
    case 't':
        run->is_timed = true;
        break;
    case 'r':
        read_number("--repeat", optarg, &run->repeat);
        break;
    case 'b':
        run->options = optarg;
        break;
    case 'p':
        run->platform = optarg;
        break;
    case 'P':
        run->profile = optarg ? optarg : "";
        if (*run->profile && strcmp(run->profile, "perf") && strcmp(run->profile, "timer"))
            die(EXIT_USAGE, "--profile wants perf or timer, not '%s'", run->profile);
        break;
    case 'n':
        if (strcmp(optarg, "all") == 0)
            run->shown = UINT64_MAX;
        else
            read_number("--print", optarg, &run->shown);
        break;
    }
}

static void read_command_line(struct run *run, int argc, char **argv) {
    int option;
    while ((option = next_option(&command_run, argc, argv, options)) >= 0)
        read_option(run, option);
    if (argc - optind != 2)
        die(EXIT_USAGE, "run wants FILE and KERNEL, in this order");
    run->file = argv[optind], run->kernel_name = argv[optind + 1];
    if (!run->dim)
        die(EXIT_USAGE, "run wants --global, the number of work-items");
    if (run->local_dim && run->local_dim != run->dim)
        die(EXIT_USAGE, "--local has %u dimensions, --global has %u", run->local_dim, run->dim);
    if (run->offset_dim && run->offset_dim != run->dim)
        die(EXIT_USAGE, "--offset has %u dimensions, --global has %u", run->offset_dim, run->dim);
    if (run->repeat < 1 || run->repeat > 1000000000)
        die(EXIT_USAGE, "--repeat wants 1 to 1000000000");
}

/* ---- kernel and arguments --------------------------------------------------------------------------------- */

/* Says which kernels there are, if it isn't one of them. */
static void find_kernel(struct run *run) {
    size_t n = 0, length = strlen(run->kernel_name);
    clGetProgramInfo(run->program, CL_PROGRAM_KERNEL_NAMES, 0, NULL, &n);
    char *names = must_alloc(n + 1);
    clGetProgramInfo(run->program, CL_PROGRAM_KERNEL_NAMES, n, names, NULL);
    for (char *name = names, *end; *name; name = *end ? end + 1 : end) {
        end = strchrnul(name, ';');
        if ((size_t)(end - name) == length && !memcmp(name, run->kernel_name, length)) {
            free(names);
            return;
        }
    }
    for (char *c = names; *c; c++)
        if (*c == ';')
            *c = ' ';
    die(EXIT_FAULT, "%s has no kernel '%s'; its kernels: %s", run->file, run->kernel_name,
        *names ? names : "none");
}

static char *param_string(cl_kernel kernel, cl_uint i, cl_kernel_arg_info info) {
    size_t n = 0;
    if (clGetKernelArgInfo(kernel, i, info, 0, NULL, &n) != CL_SUCCESS)
        return must_printf("%s", "");
    char *text = must_alloc(n + 1);
    clGetKernelArgInfo(kernel, i, info, n, text, NULL);
    return text;
}

static struct param param_get(cl_kernel kernel, cl_uint i) {
    struct param p = {.index = i};
    cl_kernel_arg_type_qualifier qualifiers = 0;
    p.name = param_string(kernel, i, CL_KERNEL_ARG_NAME);
    p.type_name = param_string(kernel, i, CL_KERNEL_ARG_TYPE_NAME);
    p.known = clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof p.space, &p.space,
                                 NULL) == CL_SUCCESS;
    clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_TYPE_QUALIFIER, sizeof qualifiers, &qualifiers, NULL);
    p.is_const = qualifiers & CL_KERNEL_ARG_TYPE_CONST || p.space == CL_KERNEL_ARG_ADDRESS_CONSTANT;
    return p;
}

static _Noreturn void wrong_number(struct run *run) {
    struct buf list = {0};
    for (cl_uint i = 0; i < run->nargs; i++) {
        struct param p = param_get(run->kernel, i);
        buf_printf(&list, "%s%s %s", i ? ", " : "", p.type_name, p.name);
    }
    die(EXIT_USAGE, "%s takes %u arguments, given are %u: %s(%s)", run->kernel_name, run->nargs, run->ntexts,
        run->kernel_name, run->nargs ? buf_cstr(&list) : "");
}

static void set_arg(struct run *run, struct arg *arg) {
    const void *value = arg->kind == KIND_VALUE ? arg->data : NULL;
    size_t size = arg->bytes;
    if (arg->kind == KIND_BUFFER) {
        cl_int error;
        arg->mem = clCreateBuffer(run->target.context, CL_MEM_READ_WRITE, arg->bytes, NULL, &error);
        if (error)
            die(EXIT_FAULT, "argument %u: a buffer of %zu bytes: %s (%d)", arg->param.index, arg->bytes,
                cl_name(error), error);
        value = &arg->mem, size = sizeof arg->mem;
    }
    cl_int error = clSetKernelArg(run->kernel, arg->param.index, size, value);
    if (error)
        die(EXIT_FAULT, "argument %u (%s %s), '%s': %zu bytes are refused: %s (%d)", arg->param.index,
            arg->param.type_name, arg->param.name, run->texts[arg->param.index], size, cl_name(error), error);
}

static void set_args(struct run *run) {
    size_t items = run->global[0];
    cl_uint n = 0;
    for (unsigned d = 1; d < run->dim; d++)
        if (__builtin_mul_overflow(items, run->global[d], &items))
            die(EXIT_USAGE, "--global is too large: 2^64 work-items or more");
    cl_must(clGetKernelInfo(run->kernel, CL_KERNEL_NUM_ARGS, sizeof n, &n, NULL), "asking for the arguments");
    run->nargs = n;
    if (n != run->ntexts)
        wrong_number(run);
    for (cl_uint i = 0; i < n; i++) {
        struct param p = param_get(run->kernel, i);
        arg_parse(&run->args[i], run->texts[i], &p, items);
        set_arg(run, &run->args[i]);
    }
}

/* Gives each --out its argument: by the parameter's name or its index. */
static void bind_outs(struct run *run) {
    for (unsigned o = 0; o < run->nouts; o++) {
        char *path = strchr(run->outs[o], '=');
        *path++ = 0;
        struct arg *found = NULL;
        uint64_t index;
        for (unsigned i = 0; i < run->nargs; i++)
            if (!strcmp(run->args[i].param.name, run->outs[o]) ||
                (parse_uint(run->outs[o], &index) && index == i))
                found = &run->args[i];
        if (!found || found->kind != KIND_BUFFER)
            die(EXIT_USAGE, "--out: '%s' is not a buffer parameter of %s", run->outs[o], run->kernel_name);
        found->is_out = true;
        found->out_path = path;
        check_output(path, OUTPUT_ARRAY);
    }
}

/* ---- running ------------------------------------------------------------------------------------------------- */

/* Every run starts from the same contents. */
static void fill_buffers(struct run *run, bool is_first) {
    for (unsigned i = 0; i < run->nargs; i++) {
        struct arg *arg = &run->args[i];
        if (arg->kind == KIND_BUFFER && (is_first || arg->is_out))
            cl_must(
                clEnqueueWriteBuffer(run->queue, arg->mem, CL_TRUE, 0, arg->bytes, arg->data, 0, NULL, NULL),
                "filling a buffer");
    }
}

static const int crashes[] = {CRASH_SIGNALS};
enum { CRASHES = sizeof crashes / sizeof *crashes };
static struct sigaction before[CRASHES]; /* the library's, if it writes a trace */

/* A kernel is native code. What it has overwritten may be found out anywhere. */
static void on_crash(int number) {
    static const char text[] =
        "weir: the kernel crashed, or something that it overwrote: `weir check` with the same arguments "
        "finds "
        "accesses beyond buffers, WEIR_FAULT=1 names the line of a crash in the kernel\n";
    ssize_t written = write(STDERR_FILENO, text, sizeof text - 1);
    (void)written;
    for (size_t i = 0; i < CRASHES; i++)
        if (crashes[i] == number)
            sigaction(number, &before[i], NULL);
    if (number == SIGABRT)
        raise(number);
    /* else the instruction runs again, and the process dies of it */
}

static void explain_crashes(void) {
    struct sigaction action = {.sa_handler = on_crash};
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < CRASHES; i++)
        sigaction(crashes[i], &action, &before[i]);
}

static double launch(struct run *run) {
    cl_event event;
    cl_int error =
        clEnqueueNDRangeKernel(run->queue, run->kernel, run->dim, run->offset_dim ? run->offset : NULL,
                               run->global, run->local_dim ? run->local : NULL, 0, NULL, &event);
    if (error == CL_INVALID_WORK_GROUP_SIZE && !run->target.is_weir)
        die(EXIT_FAULT,
            "%s cannot run with this --local (CL_INVALID_WORK_GROUP_SIZE): it must match the kernel's "
            "reqd_work_group_size, divide --global for OpenCL C 1.x, and not exceed the device's limit",
            run->kernel_name);
    cl_must(error, "launching the kernel");
    error = clFinish(run->queue);
    cl_int status = CL_SUCCESS;
    clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL);
    if (status < 0)
        die(EXIT_FAULT, "%s failed: %s (%d)", run->kernel_name, cl_name(status), status);
    cl_must(error, "running the kernel");
    cl_ulong start = 0, end = 0;
    clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof start, &start, NULL);
    clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL);
    clReleaseEvent(event);
    return (double)(end - start) * 1e-6;
}

static void run_all(struct run *run) {
    double *ms = must_alloc(run->repeat * sizeof *ms);
    struct progress p = progress_begin("running");
    for (uint64_t i = 0; i < run->repeat; i++) {
        fill_buffers(run, i == 0);
        ms[i] = launch(run);
        progress_show(&p, i + 1, run->repeat);
    }
    progress_end(&p);
    double first = ms[0], middle = median(ms, run->repeat);
    if (run->is_timed && run->repeat == 1)
        printf("time: %.4f ms\n", first);
    else if (run->is_timed)
        printf("time: median %.4f ms, min %.4f ms, max %.4f ms, first %.4f ms, %llu runs\n", middle, ms[0],
               ms[run->repeat - 1], first, (unsigned long long)run->repeat);
    free(ms);
}

/* ---- results ----------------------------------------------------------------------------------------------------- */

static void print_array(const struct arg *arg, size_t shown) {
    size_t tail = arg->count > shown ? shown / 4 : 0;
    size_t head = arg->count > shown ? shown - tail : arg->count;
    char *type = type_name(&arg->type);
    if (*arg->param.name)
        printf("%s: %s[%zu] =", arg->param.name, type, arg->count);
    else
        printf("%u: %s[%zu] =", arg->param.index, type, arg->count);
    for (size_t i = 0; i < arg->count; i++) {
        if (i == head) {
            fputs(" ...", stdout);
            i = arg->count - tail;
        }
        if (i == arg->count)
            break;
        putchar(' ');
        type_print(&arg->type, arg->data + i * type_size(&arg->type));
    }
    putchar('\n');
    free(type);
}

static void save_array(const struct arg *arg) {
    struct buf file = {0};
    npy_write(&file, &arg->type, arg->count, arg->data);
    write_output(arg->out_path, OUTPUT_ARRAY, &file);
    buf_free(&file);
}

static void show_results(struct run *run) {
    for (unsigned i = 0; i < run->nargs; i++) {
        struct arg *arg = &run->args[i];
        if (!arg->is_out)
            continue;
        cl_must(clEnqueueReadBuffer(run->queue, arg->mem, CL_TRUE, 0, arg->bytes, arg->data, 0, NULL, NULL),
                "reading a buffer");
        if (arg->out_path)
            save_array(arg);
        else
            print_array(arg, run->shown);
    }
}

static void release(struct run *run) {
    for (unsigned i = 0; i < run->nargs; i++) {
        free(run->args[i].data);
        free(run->args[i].param.name);
        free(run->args[i].param.type_name);
        if (run->args[i].mem)
            clReleaseMemObject(run->args[i].mem);
    }
    clReleaseKernel(run->kernel);
    clReleaseProgram(run->program);
    clReleaseCommandQueue(run->queue);
    clReleaseContext(run->target.context);
    free(run);
}

static int run_entry(int argc, char **argv) {
    struct run *run = must_alloc(sizeof *run);
    run->repeat = 1, run->shown = 16, run->options = "";
    read_command_line(run, argc, argv);
    if (run->profile && !getenv("WEIR_PROFILE"))
        return profile_run(argv, run->profile, run->file, run->kernel_name, run->platform);
    run->target = target_open(run->platform);
    target_context(&run->target);
    cl_int error;
    cl_queue_properties properties[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE, 0};
    run->queue =
        clCreateCommandQueueWithProperties(run->target.context, run->target.device, properties, &error);
    cl_must(error, "creating a queue");
    char *build_options = must_printf("-cl-kernel-arg-info %s", run->options);
    run->program = target_build(&run->target, run->file, build_options);
    free(build_options);
    find_kernel(run);
    run->kernel = clCreateKernel(run->program, run->kernel_name, &error);
    cl_must(error, "creating the kernel");
    set_args(run);
    bind_outs(run);
    explain_crashes();
    run_all(run);
    show_results(run);
    release(run);
    return EXIT_DONE;
}

static const char help[] =
    "Usage: weir run FILE KERNEL --global N[,N[,N]] [OPTION]...\n\n"
    "Builds FILE (OpenCL C, SPIR-V, or a .weir binary) and runs one of its kernels.\n\n"
    "  --global N[,N[,N]]   number of work-items\n"
    "  --local N[,N[,N]]    work-group size. Default: the platform chooses\n"
    "  --offset N[,N[,N]]   global offset\n"
    "  --arg ARG            once for each parameter, see below\n"
    "  --out NAME=FILE.npy  saves a buffer, by parameter name or index, instead of printing it\n"
    "  --print N|all        how many elements of each output are printed (16)\n"
    "  --time               prints the kernel's time\n"
    "  --repeat N           runs the kernel N times, each time from the same contents\n"
    "  --profile[=HOW]      shows the source with each line's share of the time, and how it runs. HOW: perf\n"
    "                       (the system's performance events) or timer. Default: the first that works. Use\n"
    "                       --repeat for short kernels\n"
    "  --options TEXT       build options, as in '-cl-fast-relaxed-math -DN=4'\n"
    "  --platform NAME      a platform whose name contains NAME (Weir)\n\n"
    "Example:\n"
    "  weir run saxpy.cl saxpy --global 1024 --local 64 --arg 2.5 --arg iota --arg inout=ones --time\n\n";

const struct command command_run = {"run", "builds a file and runs one of its kernels", run_entry, help,
                                    arg_help};
