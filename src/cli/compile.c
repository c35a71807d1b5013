/* compile.c: `weir compile`: a program binary through OpenCL, or one kernel's code or a report from the compiler.
 * In: a source file. Out: FILE.weir, or LLVM IR, assembly, an object file, or text. */
#include "cli.h"

#include <errno.h>
#include <getopt.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- the compiler's process --------------------------------------------------------------------------------- */

static int find_libweir(struct dl_phdr_info *info, size_t size, void *directory) {
    const char *slash = strrchr(info->dlpi_name, '/');
    if (!slash || strcmp(slash, "/libweir.so"))
        return 0;
    *(char **)directory = must_printf("%.*s", (int)(slash - info->dlpi_name), info->dlpi_name);
    return 1;
}

char *compiler_path(void) {
    static const char *const places[] = {"weirc", "../lib/weir/weirc"};
    if (env_get()->compiler)
        return access(env_get()->compiler, X_OK) ? NULL : must_printf("%s", env_get()->compiler);
    char *directory = NULL, *path = NULL;
    if (!dl_iterate_phdr(find_libweir, &directory))
        directory = self_directory();
    for (size_t i = 0; i < sizeof places / sizeof *places && !path; i++) {
        char *candidate = must_printf("%s/%s", directory, places[i]);
        path = access(candidate, X_OK) ? NULL : realpath(candidate, NULL);
        free(candidate);
    }
    free(directory);
    return path;
}

/* The first line of what it prints when called with the option, malloc'd; "" if it doesn't answer. Its exit code is *code, of
 * those up to `most`. */
static char *compiler_says(const char *path, const char *option, int most, int *code) {
    struct buf out = {0};
    char *argv[] = {(char *)path, (char *)option, NULL}, *text = NULL;
    int status = path ? spawn_run(argv, NULL, 0, &out, NULL, 10000, 65536) : -1;
    *code = status >= 0 && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    if (*code >= 0 && *code <= most && (text = buf_cstr(&out)) != NULL)
        text[strcspn(text, "\n")] = 0;
    char *line = must_printf("%s", text ? text : "");
    buf_free(&out);
    return line;
}

char *compiler_version(const char *path) {
    int code;
    return compiler_says(path, "--version", 0, &code);
}

char *compiler_sandbox(const char *path, bool *is_whole) {
    int code;
    char *says = compiler_says(path, "--sandbox", 1, &code);
    *is_whole = !code;
    return says;
}

/* ---- the command ------------------------------------------------------------------------------------------------ */

struct compile {
    const char *file, *output, *options, *kernel, *platform;
    const char *emit, *report; /* both NULL: a program binary */
    bool annotates;            /* the report as a listing */
    size_t local[3];
    unsigned dim;
};

/* As any compiler, this replaces what is there, but not what it reads. */
static void write_code(const struct compile *c, const char *path, const void *bytes, size_t n) {
    struct stat in, out;
    if (strcmp(path, "-") == 0) {
        if (fwrite(bytes, 1, n, stdout) != n || fflush(stdout))
            die(EXIT_FAULT, "cannot write to standard output: %s", strerror(errno));
        return;
    }
    if (!stat(c->file, &in) && !stat(path, &out) && in.st_dev == out.st_dev && in.st_ino == out.st_ino)
        die(EXIT_USAGE, "compile: %s would be replaced by its own output: name another file with -o", path);
    if (!replace_file(path, bytes, n))
        die(EXIT_FAULT, "cannot write %s: %s", path, strerror(errno));
}

/* FILE's name without folder and extension, with another extension. */
static char *output_name(const char *file, const char *extension) {
    const char *slash = strrchr(file, '/'), *base = slash ? slash + 1 : file, *dot = strrchr(base, '.');
    return must_printf("%.*s.%s", dot && dot != base ? (int)(dot - base) : (int)strlen(base), base,
                       extension);
}

static void compile_binary(const struct compile *c) {
    struct target target = target_open(c->platform);
    target_context(&target);
    cl_program program = target_build(&target, c->file, c->options);
    size_t size = 0;
    cl_must(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL),
            "asking for the binary's size");
    unsigned char *bytes = must_alloc(size);
    cl_must(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof bytes, &bytes, NULL),
            "asking for the binary");
    char *name = c->output ? must_printf("%s", c->output) : output_name(c->file, "weir");
    write_code(c, name, bytes, size);
    free(name);
    free(bytes);
    clReleaseProgram(program);
    clReleaseContext(target.context);
}

/* Reports as JSON, a line for each kernel, become listings. */
static void annotate(struct buf *reports, const char *file) {
    struct buf text = {0};
    bool colour = wants_colour(STDOUT_FILENO);
    for (char *line = buf_cstr(reports), *end; line && (end = strchr(line, '\n')); line = end + 1) {
        *end = 0;
        struct json *report = json_read(line, (size_t)(end - line));
        if (!report)
            die(EXIT_FAULT, "the compiler's report can't be read; are weirc and weir of one version?");
        struct listing *listing = listing_new(report, NULL, file);
        buf_printf(&text, text.size ? "\n" : "");
        listing_text(&text, listing, colour);
        listing_free(listing);
        json_free(report);
    }
    buf_free(reports);
    *reports = text;
}

/* Whether it can be read, and is of the kind that SPIR-V is made of, or shown of. */
static void check_file(const struct compile *c) {
    struct buf file = {0};
    if (access(c->file, R_OK))
        die(EXIT_FAULT, "cannot read %s: %s", c->file, strerror(errno));
    if (!c->emit || strncmp(c->emit, "spv", 3))
        return;
    bool shows = !strcmp(c->emit, "spv-text");
    if (!read_file(c->file, &file))
        die(EXIT_FAULT, "cannot read %s: %s", c->file, strerror(errno));
    if (source_is_spirv(file.data, file.size) != shows)
        die(EXIT_FAULT, "compile: --emit %s wants %s, not %s", c->emit,
            shows ? "a SPIR-V module" : "OpenCL C", c->file);
    buf_free(&file);
}

static void compile_kernel(const struct compile *c) {
    char *path = compiler_path(), local[64];
    if (!path)
        die(EXIT_FAULT, "the compiler weirc is not installed beside libweir.so; WEIR_COMPILER may name it");
    check_file(c);
    char *argv[14] = {path, "--as", "weir", (char *)c->file, "--options", (char *)c->options};
    int n = 6;
    argv[n++] = c->emit ? "--emit" : "--report";
    argv[n++] = (char *)(c->emit ? c->emit : c->report);
    if (c->kernel)
        argv[n++] = "--kernel", argv[n++] = (char *)c->kernel;
    if (c->dim) {
        snprintf(local, sizeof local, "%zu,%zu,%zu", c->local[0], c->local[1], c->local[2]);
        argv[n++] = "--local", argv[n++] = local;
    }
    struct buf out = {0}, log = {0};
    int status = spawn_run(argv, NULL, 0, &out, &log, env_get()->build_timeout * 1000, 0);
    if (log.size)
        fwrite(log.data, 1, log.size, stderr);
    if (status < 0)
        die(EXIT_FAULT, "%s: %s", path, strerror(errno));
    if (WIFEXITED(status) && WEXITSTATUS(status) == EXIT_USAGE) /* and said what it wants */
        exit(EXIT_FAULT);
    if (status)
        die(EXIT_FAULT, "%s does not compile", c->file);
    bool is_object = c->emit && !strcmp(c->emit, "obj"), is_module = c->emit && !strcmp(c->emit, "spv");
    if (c->annotates)
        annotate(&out, c->file);
    char *name = c->output                ? must_printf("%s", c->output)
                 : is_object || is_module ? output_name(c->file, is_object ? "o" : "spv")
                                          : must_printf("-");
    write_code(c, name, out.data, out.size);
    free(name);
    free(path);
    buf_free(&out);
    buf_free(&log);
}

enum { LOCAL_MOST = 4096 };

static bool is_local(const size_t local[3]) {
    size_t items = 1;
    for (unsigned d = 0; d < 3; d++)
        if (!local[d] || local[d] > LOCAL_MOST || (items *= local[d]) > LOCAL_MOST)
            return false;
    return true;
}

static void read_option(struct compile *c, int option) {
    switch (option) {
    case 'o':
        c->output = optarg;
        break;
    case 'b':
        c->options = optarg;
        break;
    case 'k':
        c->kernel = optarg;
        break;
    case 'p':
        c->platform = optarg;
        break;
    case 'l':
        if (!parse_sizes(optarg, c->local, &c->dim) || !is_local(c->local))
            die(EXIT_USAGE,
                "--local wants 1 to 3 sizes with commas between, 1 to %d work-items in all, not '%s'",
                LOCAL_MOST, optarg);
        break;
    case 'e':
        c->emit = optarg;
        if (strcmp(optarg, "ll") && strcmp(optarg, "asm") && strcmp(optarg, "obj") && strcmp(optarg, "spv") &&
            strcmp(optarg, "spv-text"))
            die(EXIT_USAGE, "--emit wants ll, asm, obj, spv or spv-text, not '%s'", optarg);
        break;
    case 'a':
        c->annotates = true;
        break;
    case 'r':
        c->report = optarg ? optarg : "text";
        if (strcmp(c->report, "text") && strcmp(c->report, "json"))
            die(EXIT_USAGE, "--report wants text or json, not '%s'", optarg);
        break;
    }
}

static int compile_main(int argc, char **argv) {
    static const struct option options[] = {
        {"help", no_argument, NULL, 'h'},           {"output", required_argument, NULL, 'o'},
        {"options", required_argument, NULL, 'b'},  {"kernel", required_argument, NULL, 'k'},
        {"local", required_argument, NULL, 'l'},    {"emit", required_argument, NULL, 'e'},
        {"platform", required_argument, NULL, 'p'}, {"report", optional_argument, NULL, 'r'},
        {"annotate", no_argument, NULL, 'a'},       {0},
    };
    struct compile c = {.options = "", .local = {1, 1, 1}};
    int option;
    while ((option = next_option(&command_compile, argc, argv, options)) >= 0)
        read_option(&c, option);
    if (argc - optind != 1)
        die(EXIT_USAGE, "compile wants one FILE");
    c.file = argv[optind];
    if (c.annotates && (c.emit || c.report))
        die(EXIT_USAGE, "--annotate and --%s are two commands", c.emit ? "emit" : "report");
    if (c.annotates)
        c.report = "json";
    bool shows = c.emit || c.report;
    if (!shows && (c.kernel || c.dim))
        die(EXIT_USAGE, "--kernel and --local go with --emit, --report or --annotate: a program binary holds "
                        "all kernels");
    if (c.emit && c.report)
        die(EXIT_USAGE, "--emit and --report are two commands");
    if (shows && c.platform)
        die(EXIT_USAGE, "--%s shows Weir's own code: it takes no --platform",
            c.emit        ? "emit"
            : c.annotates ? "annotate"
                          : "report");
    if (!shows)
        compile_binary(&c);
    else
        compile_kernel(&c);
    return EXIT_DONE;
}

static const char help[] =
    "Usage: weir compile FILE.cl [-o FILE.weir] [OPTION]...\n"
    "       weir compile FILE.cl --emit ll|asm|obj [--kernel NAME] [--local N[,N[,N]]] [OPTION]...\n"
    "       weir compile FILE.cl --emit spv [-o FILE.spv] [OPTION]...\n"
    "       weir compile FILE.spv --emit spv-text [-o FILE]\n"
    "       weir compile FILE.cl --report[=json] [--kernel NAME] [--local N[,N[,N]]] [OPTION]...\n"
    "       weir compile FILE.cl --annotate [--kernel NAME] [--local N[,N[,N]]] [OPTION]...\n\n"
    "Builds FILE (OpenCL C or SPIR-V) and writes the program's binary for `weir run` and\n"
    "clCreateProgramWithBinary, the code of one kernel, or a report of what the compiler made of the "
    "kernels.\n\n"
    "  -o, --output FILE    where to write; - is standard output. Default: the name of FILE with .weir, .o "
    "or\n"
    "                       .spv in the current directory; standard output for ll, asm and reports\n"
    "  --emit KIND          ll: LLVM IR; asm: assembly; obj: an object file; spv: the program as SPIR-V, "
    "made\n"
    "                       by clang, without the functions that only Weir has; spv-text: a module as text\n"
    "                       for spirv-as --preserve-numeric-ids, with the positions that messages name\n"
    "  --report[=KIND]      text or json (a line per kernel): packs, values kept across barriers, loops, "
    "how\n"
    "                       each line accesses memory, and what runs lane by lane\n"
    "  --annotate           the report next to the source. The margin shows how each line runs: for all "
    "lanes\n"
    "                       at once (x16), once for the pack, or one work-item after another (1 by 1), with "
    "*\n"
    "                       if under masks; and how it accesses memory. NO_COLOR turns colours off\n"
    "  --kernel NAME        which kernel. Default: the first; for reports, all\n"
    "  --local N[,N[,N]]    specializes the code for this work-group size. Default: code for any size; for\n"
    "                       reports, the size that the kernel requires, if any\n"
    "  --options TEXT       build options, as in '-cl-fast-relaxed-math -DN=4'\n"
    "  --platform NAME      a platform whose name contains NAME (Weir)\n";
const struct command command_compile = {"compile", "writes a program's binary, a kernel's code, or a report",
                                        compile_main, help, NULL};
