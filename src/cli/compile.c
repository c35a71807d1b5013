/* compile.c: `weir compile`: a program binary through OpenCL, or one kernel's code from the compiler.
 * In: a source file. Out: FILE.weir, or LLVM IR, assembly or an object file. */
#include "cli.h"

#include <errno.h>
#include <getopt.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
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

char *compiler_version(const char *path) {
    struct buf out = {0};
    char *argv[] = {(char *)path, "--version", NULL}, *text = NULL;
    if (path && spawn_run(argv, NULL, 0, &out, NULL, 10000, 65536) == 0 && (text = buf_cstr(&out)) != NULL)
        text[strcspn(text, "\n")] = 0;
    char *version = must_printf("%s", text ? text : "");
    buf_free(&out);
    return version;
}

struct server {
    pid_t pid;
    int control; /* each request is a socket sent over it; closing it ends the server */
};

static struct server server_start(void) {
    char *path = compiler_path();
    int ends[2];
    if (!path)
        die(EXIT_FAULT, "the compiler weirc is not installed beside libweir.so; WEIR_COMPILER may name it");
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
        die(EXIT_FAULT, "no socket to ask the compiler: %s", strerror(errno));
    pid_t pid = fork();
    if (pid == 0) {
        dup2(ends[1], 0);
        execl(path, path, "--server", NULL);
        _exit(127);
    }
    if (pid < 0)
        die(EXIT_FAULT, "cannot start %s: %s", path, strerror(errno));
    close(ends[1]);
    free(path);
    return (struct server){pid, ends[0]};
}

static void server_stop(struct server *server) {
    close(server->control);
    waitpid(server->pid, NULL, 0);
}

/* Exits with the log unless the answer is ANSWER_OK. */
static void ask(struct server *server, const struct request *request, const char *file,
                struct answer *answer) {
    struct buf bytes = {0}, reply = {0};
    size_t key_size;
    int ends[2];
    unsigned patience = request->timeout_ms + 5000;
    protocol_write_request(&bytes, request, &key_size);
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) || !frame_send_fd(server->control, ends[1]))
        die(EXIT_FAULT, "the compiler takes no request: %s", strerror(errno));
    close(ends[1]);
    if (bytes.failed || !frame_send(ends[0], bytes.data, bytes.size, patience) ||
        !frame_receive(ends[0], &reply, (size_t)1 << 30, patience) ||
        !protocol_read_answer(reply.data, reply.size, answer))
        die(EXIT_FAULT, "the compiler failed on %s without an answer", file);
    close(ends[0]);
    buf_free(&bytes);
    buf_free(&reply);
    fputs(answer->log, stderr);
    if (answer->status != ANSWER_OK)
        die(EXIT_FAULT, "%s does not build", file);
}

/* ---- the command ------------------------------------------------------------------------------------------------ */

struct compile {
    const char *file, *output, *options, *kernel, *platform;
    int emit; /* enum emit_kind; -1: a program binary */
    size_t local[3];
    unsigned dim;
};

static void write_output(const struct compile *c, const char *path, const void *bytes, size_t n) {
    if (strcmp(path, "-") == 0) {
        fwrite(bytes, 1, n, stdout);
        return;
    }
    if (!write_file(path, bytes, n))
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
    write_output(c, name, bytes, size);
    free(name);
    free(bytes);
    clReleaseProgram(program);
    clReleaseContext(target.context);
}

static const char *pick_kernel(const struct compile *c, const struct program_meta *meta) {
    struct buf names = {0};
    for (uint32_t i = 0; i < meta->nkernels; i++) {
        if (c->kernel && !strcmp(c->kernel, meta->kernels[i].name))
            return c->kernel;
        buf_printf(&names, " %s", meta->kernels[i].name);
    }
    if (!meta->nkernels)
        die(EXIT_FAULT, "%s has no kernel", c->file);
    if (c->kernel)
        die(EXIT_FAULT, "%s has no kernel '%s'; its kernels:%s", c->file, c->kernel, buf_cstr(&names));
    if (meta->nkernels > 1)
        die(EXIT_USAGE, "%s has several kernels: say --kernel, one of%s", c->file, buf_cstr(&names));
    return meta->kernels[0].name;
}

static void compile_kernel(const struct compile *c) {
    static const char *const extensions[] = {[EMIT_LL] = "ll", [EMIT_ASM] = "s", [EMIT_OBJ] = "o"};
    struct buf source = {0};
    struct answer program, code;
    char *cwd = getcwd(NULL, 0);
    unsigned timeout = env_get()->build_timeout * 1000;
    if (!read_file(c->file, &source))
        die(EXIT_FAULT, "cannot read %s: %s", c->file, strerror(errno));
    struct server server = server_start();
    struct request build = {.kind = REQUEST_BUILD,
                            .options = c->options,
                            .cwd = cwd,
                            .source = {source.data, source.size, NULL},
                            .timeout_ms = timeout};
    ask(&server, &build, c->file, &program);
    struct blob ir = {program.output, program.output_size, NULL};
    struct request kernel = {.kind = REQUEST_KERNEL,
                             .options = c->options,
                             .cwd = cwd,
                             .inputs = &ir,
                             .ninputs = 1,
                             .kernel = pick_kernel(c, &program.meta),
                             .width = env_get()->width,
                             .emit = (uint32_t)c->emit,
                             .timeout_ms = timeout};
    for (unsigned d = 0; c->dim && d < 3; d++)
        kernel.local_size[d] = d < c->dim ? (uint32_t)c->local[d] : 1;
    ask(&server, &kernel, c->file, &code);
    server_stop(&server);
    char *name = c->output             ? must_printf("%s", c->output)
                 : c->emit == EMIT_OBJ ? output_name(c->file, extensions[c->emit])
                                       : must_printf("-");
    write_output(c, name, code.output, code.output_size);
    free(name);
    free(cwd);
    buf_free(&source);
    answer_free(&program);
    answer_free(&code);
}

static void read_option(struct compile *c, int option) {
    static const char *const emits[] = {
        [EMIT_SO] = "so", [EMIT_LL] = "ll", [EMIT_ASM] = "asm", [EMIT_OBJ] = "obj"};
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
        if (!parse_sizes(optarg, c->local, &c->dim) || c->local[0] > 4096 || c->local[1] > 4096 ||
            c->local[2] > 4096)
            die(EXIT_USAGE, "--local wants 1 to 3 sizes of up to 4096 with commas between, not '%s'", optarg);
        break;
    case 'e':
        for (c->emit = EMIT_LL; c->emit <= EMIT_OBJ && strcmp(optarg, emits[c->emit]); c->emit++)
            continue;
        if (c->emit > EMIT_OBJ)
            die(EXIT_USAGE, "--emit wants ll, asm or obj, not '%s'", optarg);
        break;
    }
}

static int compile_main(int argc, char **argv) {
    static const struct option options[] = {
        {"help", no_argument, NULL, 'h'},           {"output", required_argument, NULL, 'o'},
        {"options", required_argument, NULL, 'b'},  {"kernel", required_argument, NULL, 'k'},
        {"local", required_argument, NULL, 'l'},    {"emit", required_argument, NULL, 'e'},
        {"platform", required_argument, NULL, 'p'}, {0},
    };
    struct compile c = {.emit = -1, .options = ""};
    int option;
    while ((option = next_option(&command_compile, argc, argv, options)) >= 0)
        read_option(&c, option);
    if (argc - optind != 1)
        die(EXIT_USAGE, "compile wants one FILE");
    c.file = argv[optind];
    if (c.emit < 0 && (c.kernel || c.dim))
        die(EXIT_USAGE, "--kernel and --local go with --emit: a program binary holds all kernels");
    if (c.emit >= 0 && c.platform)
        die(EXIT_USAGE, "--emit shows Weir's own code: it takes no --platform");
    if (c.emit < 0)
        compile_binary(&c);
    else
        compile_kernel(&c);
    return EXIT_DONE;
}

static const char help[] =
    "Usage: weir compile FILE.cl [-o FILE.weir] [OPTION]...\n"
    "       weir compile FILE.cl --emit ll|asm|obj [--kernel NAME] [--local N[,N[,N]]] [OPTION]...\n\n"
    "Builds FILE and writes the program's binary, which `weir run` and clCreateProgramWithBinary take, or "
    "the\n"
    "code of one kernel.\n\n"
    "  -o, --output FILE    where to; - is the standard output. Default: the name of FILE with .weir or .o,\n"
    "                       in the current directory; for ll and asm the standard output\n"
    "  --emit KIND          ll: LLVM IR, asm: assembly, obj: an object file\n"
    "  --kernel NAME        which kernel, if there are several\n"
    "  --local N[,N[,N]]    specializes it for this work-group size; left out, it takes any\n"
    "  --options TEXT       build options, as in '-cl-fast-relaxed-math -DN=4'\n"
    "  --platform NAME      a platform whose name contains NAME (Weir)\n";
const struct command command_compile = {"compile", "writes a program's binary or a kernel's code",
                                        compile_main, help, NULL};
