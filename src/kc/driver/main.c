/* main.c: weirc, as a server for the runtime or for one file.
 *
 * In: command line. Out: for a file, what --emit asks for; the exit status is 0, 1 (the program is at fault),
 * 2 (wrong usage) or 3 (the compiler is).
 */
#include "driver.h"
#include "fork_server.h"
#include "front_end.h"
#include "frontend.h"
#include "sandbox.h"
#include "spirv.h"
#include <llvm-c/Support.h>

#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char usage[] =
    "usage: weirc FILE.cl|FILE.spv|FILE.ll|FILE.bc [options]    compile one kernel\n"
    "       weirc --server                             serve requests on the socket that is descriptor 0\n"
    "       weirc --sandbox                            tell what limits a server's workers on this machine; "
    "exits with\n"
    "                                                  0 where both system calls and files are, else with 1\n"
    "\n"
    "  --kernel NAME      which kernel (default: the first)\n"
    "  --globals          instead of a kernel, the object that initializes program-scope variables\n"
    "  --local X[,Y[,Z]]  specialize for this work-group size (default: any size)\n"
    "  --constants N,...  specialize for these traits of images, values of samplers and, with --check, sizes "
    "of local\n"
    "                     memory, in the order of arguments\n"
    "  --width N          work-items per pack (default: WEIR_WIDTH, or compiler's choice)\n"
    "  --effort N         2: as fast as possible, unoptimized; 1: little optimization; 0: all (default)\n"
    "  --cpu NAME         native (default, or WEIR_CPU), x86-64, x86-64-v2, x86-64-v3 or x86-64-v4\n"
    "  --options TEXT     build options of OpenCL, as for clBuildProgram\n"
    "  --check            a kernel that looks at its accesses and barriers, as WEIR_CHECK=1 asks for\n"
    "  --may-overlap      code for buffers that may share memory (default: they don't)\n"
    "  --report KIND      text, json: instead of code, what becomes of the kernel (default: of all kernels)\n"
    "  --emit KIND        so (default), obj, asm, ll: the kernel; ir: the program before all passes; spv: "
    "the "
    "program as\n"
    "                     SPIR-V; spv-text: the module FILE.spv as text\n"
    "  -o FILE            where to write (default: standard output)\n"
    "  --print-after ROW  print the IR after this row of the pass table to standard error\n"
    "  --stop-after ROW   stop there and print the IR\n"
    "  --print-analysis   instead of code, the IR before regions are formed, and beside it which values are "
    "uniform or\n"
    "                     affine, where lanes part, what lives where, and where the context has it\n"
    "  --as NAME          what messages begin with (default: weirc)\n"
    "  --time             say on standard error how much of a processor's time each phase and each row took\n"
    "  --version, --help\n"
    "\n"
    "FILE.ll and FILE.bc hold program IR: the front end is skipped. FILE may be '-'.\n";

static struct buf analysis; /* --print-analysis */

enum { EMIT_IR = 100, EMIT_SPV, EMIT_SPV_TEXT }; /* beside enum emit_kind */

struct arguments {
    const char *file, *output;
    struct request code; /* options, kernel, local_size, width, emit, report */
    bool server, may_overlap;
};

static const char *program_name = "weirc"; /* --as */

/* A line of the program's. */
static void __attribute__((format(printf, 1, 2))) say(const char *format, ...) {
    va_list args;
    va_start(args, format);
    fprintf(stderr, "%s: ", program_name);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
}

static _Noreturn void complain(const char *format, const char *what) {
    fprintf(stderr, "%s: ", program_name);
    fprintf(stderr, format, what);
    fprintf(stderr, "\nTry 'weirc --help'.\n");
    exit(2);
}

/* ---- options: what each does with its argument ----------------------------------------------------------------- */

static void be_server(struct arguments *a, const char *text) {
    a->server = true;
}

static _Noreturn void tell_sandbox(struct arguments *a, const char *text) {
    bool is_whole;
    puts(sandbox_enter(&(struct sandbox){.writable = -1, .is_quiet = true}, &is_whole));
    exit(!is_whole);
}

static void read_kernel(struct arguments *a, const char *text) {
    a->code.kernel = text;
}

static void read_globals(struct arguments *a, const char *text) {
    a->code.kind = REQUEST_GLOBALS;
}

static void read_local(struct arguments *a, const char *text) {
    uint32_t *size = a->code.local_size;
    size[0] = size[1] = size[2] = 1;
    for (int d = 0; d < 3; d++) {
        char *end;
        unsigned long n = strtoul(text, &end, 10);
        if (!n || n > 4096 || (*end && (*end != ',' || d == 2)))
            complain("'%s' is not a work-group size", text);
        size[d] = (uint32_t)n;
        if (!*end)
            return;
        text = end + 1;
    }
}

static void read_constants(struct arguments *a, const char *text) {
    struct constants *known = &a->code.constants;
    for (char *end; known->n < MAX_CONSTANTS; text = end + 1) {
        known->at[known->n++] = strtoull(text, &end, 0);
        if (end == text || (*end && *end != ','))
            complain("'%s' is not a number", text);
        if (!*end)
            return;
    }
    complain("%s after the last constant that is looked at", text);
}

static void read_width(struct arguments *a, const char *text) {
    a->code.width = (uint32_t)strtoul(text, NULL, 10);
}

static void read_effort(struct arguments *a, const char *text) {
    a->code.effort = (uint32_t)strtoul(text, NULL, 10);
    if (a->code.effort > EFFORT_LEAST)
        complain("--effort can't be '%s'", text);
}

static void read_cpu(struct arguments *a, const char *text) {
    if (strcmp(text, "native") && !env_is_cpu(text))
        complain("--cpu can't be '%s'", text);
    a->code.cpu = env_is_cpu(text) ? text : NULL;
}

static void read_options(struct arguments *a, const char *text) {
    a->code.options = text;
}

static void read_emit(struct arguments *a, const char *text) {
    static const struct {
        const char *name;
        uint32_t kind;
    } kinds[] = {{"so", EMIT_SO}, {"ll", EMIT_LL},   {"asm", EMIT_ASM},          {"obj", EMIT_OBJ},
                 {"ir", EMIT_IR}, {"spv", EMIT_SPV}, {"spv-text", EMIT_SPV_TEXT}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (!strcmp(text, kinds[i].name)) {
            a->code.emit = kinds[i].kind;
            return;
        }
    complain("--emit can't be '%s'", text);
}

static void read_report(struct arguments *a, const char *text) {
    if (strcmp(text, "text") && strcmp(text, "json"))
        complain("--report can't be '%s'", text);
    a->code.report = strcmp(text, "text") ? REPORT_JSON : REPORT_TEXT;
}

static const char *known_row(const char *name) {
    struct buf names = {0};
    if (pipeline_has(name))
        return name;
    pipeline_names(&names);
    say("the table of passes has no row '%s'; its rows: %s", name, buf_cstr(&names));
    exit(2);
}

static void read_print_after(struct arguments *a, const char *text) {
    pipeline_print_after = known_row(text);
}

static void read_stop_after(struct arguments *a, const char *text) {
    pipeline_stop_after = known_row(text);
}

static void print_analysis(struct arguments *a, const char *text) {
    pipeline_analysis = &analysis;
}

static void read_check(struct arguments *a, const char *text) {
    a->code.check = 1;
}

static void read_may_overlap(struct arguments *a, const char *text) {
    a->may_overlap = true;
}

static void read_name(struct arguments *a, const char *text) {
    program_name = text;
}

static void show_times(struct arguments *a, const char *text) {
    job_shows_times = true;
}

static void read_output(struct arguments *a, const char *text) {
    a->output = text;
}

static _Noreturn void print_version(struct arguments *a, const char *text) {
    printf("weirc %s, LLVM %s\n", WEIR_VERSION, LLVM_VERSION_STRING);
    exit(0);
}

static _Noreturn void print_help(struct arguments *a, const char *text) {
    fputs(usage, stdout);
    exit(0);
}

static const struct {
    const char *name;
    int has_argument;
    void (*read)(struct arguments *, const char *text);
} command_options[] = {
    {"server", no_argument, be_server},
    {"sandbox", no_argument, tell_sandbox},
    {"kernel", required_argument, read_kernel},
    {"globals", no_argument, read_globals},
    {"local", required_argument, read_local},
    {"constants", required_argument, read_constants},
    {"width", required_argument, read_width},
    {"effort", required_argument, read_effort},
    {"cpu", required_argument, read_cpu},
    {"options", required_argument, read_options},
    {"emit", required_argument, read_emit},
    {"report", required_argument, read_report},
    {"print-after", required_argument, read_print_after},
    {"stop-after", required_argument, read_stop_after},
    {"print-analysis", no_argument, print_analysis},
    {"check", no_argument, read_check},
    {"may-overlap", no_argument, read_may_overlap},
    {"as", required_argument, read_name},
    {"time", no_argument, show_times},
    {"version", no_argument, print_version},
    {"help", no_argument, print_help},
};
enum { OPTIONS = sizeof command_options / sizeof *command_options };

/* Checks options that belong together, and takes the file's name. */
static void finish(struct arguments *a, int argc, char **argv) {
    if (pipeline_analysis && (a->code.emit || a->code.report || a->code.kind != REQUEST_KERNEL)) {
        complain("--print-analysis goes without %s", "--emit, --report and --globals");
    }
    if (pipeline_analysis && !pipeline_stop_after) {
        pipeline_stop_after = "regions"; /* all is known then */
    }
    if (pipeline_stop_after && !a->code.emit && !a->code.report)
        a->code.emit = EMIT_LL; /* what isn't finished is no object yet */
    if (a->code.report && (a->code.kind != REQUEST_KERNEL || a->code.emit))
        complain("--report goes without %s", a->code.emit ? "--emit" : "--globals");
    if (a->server ? optind != argc : optind + 1 != argc)
        complain("%s", a->server ? "--server takes no file" : "one file is needed");
    a->file = argv[optind];
}

static struct arguments parse(int argc, char **argv) {
    if (argc > 1 && !strcmp(argv[1], "--server")) /* libweir.so has said what is wrong with the environment */
        env_quiet();
    struct arguments a = {
        .code = {.kind = REQUEST_KERNEL, .options = "", .cpu = env_get()->cpu, .width = env_get()->width}};
    struct option longs[OPTIONS + 1] = {0};
    for (int i = 0; i < OPTIONS; i++)
        longs[i] = (struct option){command_options[i].name, command_options[i].has_argument, NULL, i};
    for (int option; (option = getopt_long(argc, argv, "o:h", longs, NULL)) != -1;) {
        if (option == '?')
            complain("%s", "wrong usage");
        if (option == 'o')
            read_output(&a, optarg);
        else if (option == 'h')
            print_help(&a, NULL);
        else
            command_options[option].read(&a, optarg);
    }
    finish(&a, argc, argv);
    a.code.width |= a.may_overlap ? 0 : REQUEST_APART;
    return a;
}

static void read_file(const char *path, struct buf *out) {
    FILE *file = strcmp(path, "-") ? fopen(path, "rbe") : stdin;
    char chunk[65536];
    for (size_t n; file && (n = fread(chunk, 1, sizeof chunk, file));)
        buf_bytes(out, chunk, n);
    if (!file || ferror(file) || out->failed) {
        say("cannot read %s: %s", path, strerror(errno));
        exit(3);
    }
    if (file != stdin)
        fclose(file);
}

static void write_output(const char *path, const void *bytes, size_t n) {
    bool is_file = path && strcmp(path, "-");
    if (!is_file && memchr(bytes, 0, n) && isatty(STDOUT_FILENO)) {
        say("this is no text, and standard output is a terminal: name a file with -o");
        exit(2);
    }
    if (is_file ? !replace_file(path, bytes, n) : fwrite(bytes, 1, n, stdout) != n || fflush(stdout)) {
        say("cannot write %s: %s", is_file ? path : "standard output", strerror(errno));
        exit(3);
    }
}

static bool is_ir(const struct buf *text, const char *path) {
    const char *dot = strrchr(path, '.');
    return (dot && (!strcmp(dot, ".ll") || !strcmp(dot, ".bc"))) ||
           (text->size > 10 &&
            (!memcmp(text->data, "BC\xc0\xde", 4) || !memcmp(text->data, "; ModuleID", 10)));
}

/* Runs one request; prints its log, and leaves the process if it failed. */
static struct answer serve(LLVMContextRef llvm, const struct request *request) {
    struct job *job = job_alloc(sizeof *job);
    job->request = request;
    job->llvm = llvm;
    job_run(job);
    fputs(job->answer.log, stderr);
    if (job->answer.status != ANSWER_OK)
        exit(job->answer.status == ANSWER_COMPILER_FAILED ? 3 : 1);
    return job->answer;
}

/* Reports of the kernel that is asked for, or of all: of those that have one, for the size that they require. */
static void write_reports(LLVMContextRef llvm, struct arguments *a, const struct program_meta *meta) {
    struct buf all = {0};
    if (!pipeline_stop_after && !pipeline_print_after) {
        pipeline_stop_after = "regions"; /* all is known then */
    }
    a->code.emit = EMIT_LL;
    for (uint32_t i = 0; i < meta->nkernels; i++) {
        const struct kernel_meta *kernel = &meta->kernels[i];
        struct request request = a->code;
        if (a->code.kernel && strcmp(a->code.kernel, kernel->name)) {
            continue;
        }
        request.kernel = kernel->name;
        if (!request.local_size[0]) {
            memcpy(request.local_size, kernel->reqd_local, sizeof request.local_size);
        }
        const char *report = serve(llvm, &request).report;
        buf_printf(&all, "%s", all.size && request.report == REPORT_TEXT ? "\n" : "");
        buf_bytes(&all, report, strlen(report));
    }
    write_output(a->output, all.data, all.size);
    buf_free(&all);
}

/* The source as SPIR-V, if what clang's back end makes of it can be read again. */
static int write_spirv(LLVMContextRef llvm, const struct arguments *a, const struct request *program) {
    static struct buf out;
    struct job *job = job_alloc(sizeof *job);
    *job = (struct job){.request = program, .llvm = llvm};
    bool failed = setjmp(job->failed);
    if (!failed) {
        const struct options *options = options_parse(job, program->options, false);
        frontend_to_spirv(job, program->source, options, &out);
        spirv_read(job, (struct blob){out.data, out.size, NULL}, options);
    }
    fputs(job->log.size ? buf_cstr(&job->log) : "", stderr);
    if (failed && out.size)
        say("so clang's back end has no right SPIR-V for this program");
    if (failed)
        return job->answer.status == ANSWER_COMPILER_FAILED ? 3 : 1;
    write_output(a->output, out.data, out.size);
    return 0;
}

/* The kernel that is asked for, which the program must have, or its first one; of reports all are shown. */
static void choose_kernel(struct arguments *a, const struct program_meta *meta) {
    bool found = !a->code.kernel;
    if (!meta->nkernels) {
        say("%s has no kernel", a->file);
        exit(2);
    }
    if (!a->code.kernel && !a->code.report)
        a->code.kernel = meta->kernels[0].name;
    for (uint32_t i = 0; !found && i < meta->nkernels; i++)
        found = !strcmp(meta->kernels[i].name, a->code.kernel);
    if (found)
        return;
    struct buf names = {0};
    for (uint32_t i = 0; i < meta->nkernels; i++)
        buf_printf(&names, " %s", meta->kernels[i].name);
    say("%s has no kernel '%s'; its kernels:%s", a->file, a->code.kernel, buf_cstr(&names));
    exit(2);
}

static int compile_file(struct arguments *a) {
    LLVMContextRef llvm = LLVMContextCreate();
    char cwd[PATH_MAX];
    worker_limit_stack();
    pipeline_verify = !job_shows_times;
    library_open();
    struct buf text = {0};
    read_file(a->file, &text);
    struct buf named = {0};
    if (source_is_spirv(text.data, text.size))
        named = text;
    else
        buf_source(&named, strcmp(a->file, "-") ? a->file : "<stdin>", text.data, text.size);
    struct blob file = {.data = text.data, .size = text.size};
    struct request program = {.kind = REQUEST_BUILD,
                              .options = a->code.options,
                              .source = {.data = named.data, .size = named.size},
                              .cpu = a->code.cpu,
                              .cwd = getcwd(cwd, sizeof cwd)};
    if (a->code.emit == EMIT_SPV && !is_ir(&text, a->file) && !source_is_spirv(text.data, text.size))
        return write_spirv(llvm, a, &program);
    if (a->code.emit == EMIT_SPV_TEXT) {
        struct buf listing = {0};
        if (!source_is_spirv(text.data, text.size))
            complain("--emit spv-text wants a SPIR-V module, not %s", a->file);
        spirv_text(file, &listing);
        write_output(a->output, listing.data, listing.size);
        return 0;
    }
    if (a->code.emit == EMIT_SPV)
        complain("--emit spv wants OpenCL C, not %s", a->file);
    if (is_ir(&text, a->file))
        program = (struct request){
            .kind = REQUEST_LINK, .options = "", .inputs = &file, .ninputs = 1, .cpu = a->code.cpu};
    struct answer built = serve(llvm, &program);
    struct blob ir = {.data = built.output, .size = built.output_size};
    if (a->code.emit == EMIT_IR) {
        struct job job = {.llvm = llvm};
        char *listing = LLVMPrintModuleToString(ir_read(&job, ir));
        write_output(a->output, listing, strlen(listing));
        return 0;
    }
    if (a->code.kind == REQUEST_KERNEL)
        choose_kernel(a, &built.meta);
    a->code.inputs = &ir;
    a->code.ninputs = 1;
    if (a->code.report) {
        write_reports(llvm, a, &built.meta);
        return 0;
    }
    struct answer object = serve(llvm, &a->code);
    if (pipeline_analysis) {
        write_output(a->output, analysis.data, analysis.size);
        return 0;
    }
    write_output(a->output, object.output, object.output_size);
    return 0;
}

#ifdef __SANITIZE_ADDRESS__
/* What one request leaves goes with the process. */
__attribute__((visibility("default"))) const char *__asan_default_options(void);
const char *__asan_default_options(void) {
    return "detect_leaks=0";
}
#endif

/* weirc that stands alone is clang, too: -cc1 and arguments is one run, -cc1 alone a server of runs (clang.c). */
static int be_clang(int argc, char **argv) {
    return argc > 2 ? front_end_main(argc, argv, environ)
                    : fork_server_main(front_end_main, argc, argv, environ);
}

int main(int argc, char **argv) {
    if (front_end_main && argc > 1 && !strcmp(argv[1], "-cc1"))
        return be_clang(argc, argv);
    struct arguments arguments = parse(argc, argv);
    LLVMInitializeNativeTarget();
    LLVMInitializeNativeAsmPrinter();
    LLVMInitializeNativeAsmParser();
    static const char *const of_llvm[] = {
        "weirc",
        "-pragma-unroll-threshold=2048", /* for unroll.c */
        /* There are line tables alone: what the other way to follow variables prepares for them takes long. */
        "-experimental-debug-variable-locations=false",
        /* Whether rows overlap LLVM's vectorizer asks of one work-item's, not of all that the loop over work-items goes through:
         * of those one is the row that all read. */
        "-hoist-runtime-checks=false",
    };
    LLVMParseCommandLineOptions(sizeof of_llvm / sizeof *of_llvm, of_llvm, NULL);
    return arguments.server ? server_run(0) : compile_file(&arguments);
}
