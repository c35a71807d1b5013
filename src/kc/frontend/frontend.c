/* frontend.c: OpenCL C to IR, by clang as a child process.
 *
 * In: source, embedded headers, options. Out: a module retargeted to the host, with clang's diagnostics in the
 * job's log. clang (clang.c) gets the source on its standard input and embedded headers as memory files behind a virtual
 * file system overlay: nothing of a request touches the disk, but for a copy of the source in the cache
 * directory, where debuggers find it through the line tables.
 */
#include "emit.h"
#include "front_end.h"
#include "frontend.h"

#include "extension.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define SOURCE_NAME "<source>"      /* in diagnostics */
#define HEADER_DIR  "/weir-headers" /* where embedded headers appear to be */
#define MAX_OUTPUT  ((size_t)1 << 30)
#define LONG_LINE   20000 /* without line tables beyond that */

/* Without the clang driver: it costs a process and time, and cc1 takes no configuration files. nvptx64 serves
 * as a neutral ABI (docs/compiler.md), so that its own macros go. */
#define ENABLE(name, major, minor, patch, side) ENABLE_##side(name)
#define ENABLE_KERNEL(name)                     ",+" #name
#define ENABLE_HOST(name)
#define ENABLE_FEATURE(name)                    ",+" #name
#define DEFINE(name, major, minor, patch, side) DEFINE_##side(name)
#define DEFINE_KERNEL(name)                     "-D" #name "=1",
#define DEFINE_HOST(name)
static const char *const fixed_arguments[] = {
    "-triple", "nvptx64", "-U__NVPTX__", "-U__PTX__", "-x", "cl", "-o", "-", "-O2", "-disable-llvm-passes",
    "-disable-llvm-verifier", "-finclude-default-header", "-fdeclare-opencl-builtins", "-cl-kernel-arg-info",
    "-fno-builtin", "-fno-threadsafe-statics", "-fno-rtti", "-no-enable-noundef-analysis",
    "-fgnuc-version=4.2.1", "-ferror-limit", "20", "-fmessage-length=0", "-mframe-pointer=none",
    "-dwarf-version=4", "-debugger-tuning=gdb", "-D__WEIR__=1", "-D__OPENCL_VERSION__=310",
    "-DCL_VERSION_3_1=310",
    "-DCLK_IMAGE_MEM_FENCE=0x04", /* clang's header, which repeats it, has it from OpenCL C 2.0 on */
    "-D__IMAGE_SUPPORT__=1",      /* clang has it for SPIR alone */
    /* clang's own: static and extern in functions of OpenCL C 1.2, bit-fields */
    "-cl-ext=-all,+cl_clang_storage_class_specifiers,+__cl_clang_bitfields" EXTENSIONS(ENABLE)
        FEATURES(ENABLE_FEATURE),
    EXTENSIONS(DEFINE) /* clang defines some in the later versions only, and declares functions by them */
};

/* Whether a relative path names something below where it starts. */
static bool stays_below(const char *path) {
    if (strlen(path) > 1024)
        return false;
    for (const char *s = path;; s++) {
        size_t n = strcspn(s, "/");
        if (n == 0 || (n == 1 && *s == '.') || (n == 2 && !strncmp(s, "..", 2)))
            return false;
        s += n;
        if (!*s)
            return true;
    }
}

/* The header's path below HEADER_DIR; fails the job on one that would leave it. */
static const char *header_path(struct job *job, const char *name) {
    name = name ? name : "";
    while (!strncmp(name, "./", 2))
        name += 2;
    if (!stays_below(name))
        job_fail(job, ANSWER_BUILD_FAILED, "'%.200s' can't be the name of an embedded header", name);
    return job_printf(HEADER_DIR "/%s", name);
}

/* Path of an overlay file with all headers; NULL if there are none. */
static const char *header_overlay(struct job *job, const struct blob *headers, uint32_t n) {
    if (!n)
        return NULL;
    struct rlimit files;
    if (!getrlimit(RLIMIT_NOFILE, &files)) { /* each header is an open file */
        files.rlim_cur = files.rlim_max;
        setrlimit(RLIMIT_NOFILE, &files);
    }
    struct buf text = {0};
    buf_printf(&text,
               "{\"version\":0,\"case-sensitive\":\"true\",\"use-external-names\":\"false\",\"roots\":[");
    for (uint32_t i = 0; i < n; i++) {
        const char *path;
        clang_file(job, headers[i].data, headers[i].size, &path);
        buf_printf(&text, "%s{\"type\":\"file\",\"name\":", i ? "," : "");
        buf_json(&text, header_path(job, headers[i].name));
        buf_printf(&text, ",\"external-contents\":\"%s\"}", path);
    }
    buf_printf(&text, "]}");
    const char *path;
    clang_file(job, text.data, text.size, &path);
    buf_free(&text);
    return path;
}

bool frontend_is_cached_source(const char *path) {
    const char *cache = env_get()->cache_dir;
    size_t n = strlen(cache);
    return n && !strncmp(path, cache, n) && !strncmp(path + n, "/source/", 8);
}

const char *frontend_file_name(LLVMMetadataRef file) {
    unsigned name_length = 0, length = 0;
    const char *name = LLVMDIFileGetFilename(file, &name_length);
    const char *directory = LLVMDIFileGetDirectory(file, &length);
    const char *whole = job_printf("%.*s/%.*s", (int)length, directory, (int)name_length, name);
    return frontend_is_cached_source(whole) ? whole : job_printf("%.*s", (int)name_length, name);
}

int frontend_sources(void) {
    static int folder = -2;
    const char *path = env_get()->cache_dir;
    if (folder != -2)
        return folder;
    int cache = *path == '/' && folder_make(path) ? folder_open(AT_FDCWD, path) : -1;
    folder = -1;
    if (cache < 0)
        return -1;
    if (mkdirat(cache, "source", 0700) && errno != EEXIST)
        log_write(LOG_DEBUG, "no sources are kept: %s/source: %s", path, strerror(errno));
    else if ((folder = folder_open(cache, "source")) < 0)
        log_write(LOG_WARN, "no sources are kept: %s/source: %s", path, strerror(errno));
    close(cache);
    return folder;
}

/* Keeps the source for debuggers, as FOLDER/source/KEY.cl in the cache directory. Returns that path; without a
 * cache, the name that diagnostics use. A debugger that finds nothing there is no error. */
static const char *keep_source(struct blob source) {
    char key[33];
    struct hash hash;
    int folder = frontend_sources();
    if (folder < 0)
        return SOURCE_NAME;
    hash_init(&hash);
    hash_bytes(&hash, source.data, source.size);
    hash_hex(&hash, key);
    const char *name = job_printf("%s.cl", key), *temporary = job_printf("%s.%d", key, (int)getpid());
    const char *path = job_printf("%s/source/%s", env_get()->cache_dir, name);
    if (!faccessat(folder, name, R_OK, 0))
        return path;
    int fd = openat(folder, temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    FILE *file = fd < 0 ? NULL : fdopen(fd, "w");
    if (!file) {
        if (fd >= 0)
            close(fd);
        return path;
    }
    bool written = fwrite(source.data, 1, source.size, file) == source.size;
    if (fclose(file) || !written || renameat(folder, temporary, folder, name))
        unlinkat(folder, temporary, 0);
    return path;
}

/* What a crashing clang says about itself helps nobody who reads a build log. */
static void cut_crash_report(struct buf *log) {
    static const char begin[] = "PLEASE submit a bug report";
    char *report = log->size ? memmem(log->data, log->size, begin, sizeof begin - 1) : NULL;
    if (!report)
        return;
    log_write(LOG_DEBUG, "weirc: %.*s", (int)((char *)log->data + log->size - report), report);
    log->size = (size_t)(report - (char *)log->data);
}

/* A file that this user may read, and the compiler may not (worker.c): says what can be done. */
static void explain_refused(struct job *job) {
    static const char begin[] = "cannot open file '", end[] = "': Permission denied";
    const char *log = buf_cstr(&job->log), *name = log ? strstr(log, begin) : NULL;
    const char *name_end = name ? strstr(name, end) : NULL, *cwd = job->request->cwd;
    if (!name_end)
        return;
    name += sizeof begin - 1;
    const char *path = job_printf("%s%s%.*s", *name == '/' || !cwd ? "" : cwd, *name == '/' ? "" : "/",
                                  (int)(name_end - name), name);
    char *real = access(path, R_OK) ? NULL : realpath(path, NULL), *slash = real ? strrchr(real, '/') : NULL;
    if (slash)
        buf_printf(&job->log,
                   "note: %s lies neither in the current directory nor in a folder that '-I' names, and the "
                   "compiler reads no other files: '-I %.*s' lets it\n",
                   real, slash == real ? 1 : (int)(slash - real), real);
    free(real);
}

/* After some errors, as of a header that isn't found, clang 22 goes on to read what it has, and may crash over that. */
static bool has_error(struct job *job) {
    const char *log = buf_cstr(&job->log);
    return log && (strstr(log, ": error: ") || strstr(log, ": fatal error: "));
}

/* clang's exit becomes the job's failure, where it is one. */
static void judge(struct job *job, int status, int error) {
    if (status == 0)
        return;
    if (status < 0 && error == ETIMEDOUT)
        job_fail(job, ANSWER_COMPILER_FAILED, "compile time limit of %u s exceeded",
                 (job->request->timeout_ms + 999) / 1000);
    if (status < 0 && error == EFBIG)
        job_fail(job, ANSWER_BUILD_FAILED, "the front end's output is too large");
    if (status < 0)
        job_fail(job, ANSWER_COMPILER_FAILED, "cannot run the front end: %s", strerror(error));
    cut_crash_report(&job->log);
    explain_refused(job);
    hints_add(&job->log, 0);
    job->killed = WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
    if (WIFSIGNALED(status) && (job->killed || !has_error(job)))
        job_fail(job, ANSWER_COMPILER_FAILED, "the front end crashed (signal %d, %s)%s", WTERMSIG(status),
                 strsignal(WTERMSIG(status)),
                 WTERMSIG(status) == SIGSEGV ? ", perhaps as an expression or a statement nests too deeply"
                                             : "");
    if (WIFEXITED(status) && WEXITSTATUS(status) != 1)
        job_fail(job, ANSWER_COMPILER_FAILED, "the front end failed (exit status %d)", WEXITSTATUS(status));
    job->answer.status = ANSWER_BUILD_FAILED;
    longjmp(job->failed, 1);
}

/* clang counts the column of every location from the line's begin: on generated lines that is most of its time. */
static bool has_long_line(struct blob source) {
    const char *s = source.data, *end = s + source.size;
    while (end - s > LONG_LINE) {
        const char *newline = memchr(s, '\n', LONG_LINE);
        if (!newline)
            return true;
        s = newline + 1;
    }
    return false;
}

/* In a response file's quotes a backslash takes the next character as it is. */
static void add_arguments(struct buf *text, const char *const *arguments, size_t n) {
    for (size_t i = 0; i < n; i++) {
        buf_bytes(text, "\"", 1);
        for (const char *s = arguments[i]; *s; s++) {
            if (*s == '"' || *s == '\\')
                buf_bytes(text, "\\", 1);
            buf_bytes(text, s, 1);
        }
        buf_bytes(text, "\"\n", 2);
    }
}

/* What stays the same however often a program is compiled. */
struct invocation {
    struct blob source;
    bool has_files;        /* it may include some */
    const char *kept;      /* where debuggers find the source */
    const char *overlay;   /* of embedded headers; NULL: none */
    const char *deps_path; /* what clang writes the files into that it read, and its descriptor */
    int deps;
    const struct options *options;
    bool is_rehearsal;
    bool has_names; /* of blocks (ways_back.c) */
};

/* How a program is compiled. */
struct mode {
    bool newer; /* a program in an older language may name what came with OpenCL C 2.0 and 3.0 */
    bool world; /* the macros that tell the time or ask for files are there */
    bool inner; /* local variables may be declared in inner blocks */
};

/* The program's options. Embedded headers come before all others (clCompileProgram), also before those beside the source,
 * which clang would take first: so it is told that the source lies in their folder, and folders that `-I` names by a
 * relative path get the request's directory put before them. */
static const char *const *options_for(struct job *job, const struct invocation *in, const char *cwd) {
    size_t n = in->options->nclang;
    const char **absolute = job_alloc((n + 1) * sizeof *absolute);
    for (size_t i = 0; i < n; i++) {
        const char *o = in->options->clang[i];
        bool relative = in->overlay && !strncmp(o, "-I", 2) && o[2] != '/';
        absolute[i] = relative ? job_printf("-I%s/%s", cwd, o + 2) : o;
    }
    return absolute;
}

/* For the checker's reports. */
static bool wants_types(const struct job *job, const struct options *options) {
    return job->request->check || options->check;
}

/* For debuggers. */
static bool wants_variables(const struct options *options) {
    return options->debug && options->optimize_none;
}

/* clang's arguments as a response file. Relative paths begin at the request's directory, which clang has not been
 * started in. */
static struct buf arguments(struct job *job, const struct invocation *in, bool newer, bool expands) {
    const char *base = strrchr(in->kept, '/') ? strrchr(in->kept, '/') + 1 : in->kept;
    const char *const debug[] = {wants_types(job, in->options) || wants_variables(in->options)
                                     ? "-debug-info-kind=limited"
                                     : "-debug-info-kind=line-tables-only"};
    const char *const files[] = {"-dependency-file",
                                 in->deps_path,
                                 "-MT",
                                 "weir",
                                 "-sys-header-deps",
                                 "-main-file-name",
                                 base,
                                 job_printf("-fdebug-prefix-map=" SOURCE_NAME "=%s", in->kept)};
    const char *cwd = job->request->cwd && *job->request->cwd ? job->request->cwd : "/";
    const char *const folder[] = {"-working-directory", in->overlay ? HEADER_DIR : cwd,
                                  job_printf("-fdebug-compilation-dir=%s", cwd)};
    const char *const overlays[] = {"-ivfsoverlay", in->overlay, "-I" HEADER_DIR, "-iquote", cwd};
    const char *const resources[] = {"-resource-dir", clang_resources()};
    /* clang's own: pointers to functions; without a generic address space it crashes on them */
    const char *const pointers[] = {"-cl-ext=+__cl_clang_function_pointers"};
    const char *const classes[] = {"-fwhole-program-vtables", "-flto-unit"}; /* notes on them */
    const char *const nameless[] = {"-discard-value-names"};
    const char *const action[] = {expands ? "-E" : "-emit-llvm-bc"};
    const char *const last[] = {"-cl-std=CL3.0", "-"};
    struct buf text = {0};
#define ADD(list, count) add_arguments(&text, list, count)
    ADD(fixed_arguments, sizeof fixed_arguments / sizeof *fixed_arguments);
    ADD(action, 1);
    ADD(nameless, in->has_names ? 0 : 1);
    ADD(resources, front_end_main ? 2 : 0);
    ADD(debug, has_long_line(in->source) ? 0 : 1);
    ADD(overlays, in->overlay ? sizeof overlays / sizeof *overlays : 0);
    ADD(files, sizeof files / sizeof *files);
    ADD(folder, sizeof folder / sizeof *folder);
    ADD(options_for(job, in, cwd), in->options->nclang);
    ADD(pointers, newer || in->options->cl_version >= 200 ? 1 : 0);
    ADD(classes, in->options->cxx ? 2 : 0);
    ADD(last + !newer, newer ? 2 : 1);
#undef ADD
    return text;
}

void frontend_mark(LLVMModuleRef module, const char *name) {
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f))
            LLVMAddTargetDependentFunctionAttr(f, name, "true");
}

void frontend_mark_options(LLVMModuleRef module, const struct options *options) {
    if (options->optimize_none)
        frontend_mark(module, MARK_OPT_DISABLE);
    if (options->no_progress)
        frontend_mark(module, MARK_NO_PROGRESS);
    if (options->debug)
        frontend_mark(module, MARK_DEBUG);
    if (options->check)
        frontend_mark(module, MARK_CHECK);
}

/* Starts clang on the text, which it frees; `expands`: it only expands macros. */
static struct clang_run start(struct job *job, const struct invocation *in, struct mode mode, bool expands,
                              struct buf input) {
    struct buf text = arguments(job, in, mode.newer, expands);
    if (text.failed || input.failed)
        job_fail(job, ANSWER_COMPILER_FAILED, "out of memory");
    struct clang_run run = {.arguments = {.data = text.data, .size = text.size},
                            .input = {.data = input.data, .size = input.size},
                            .is_rehearsal = in->is_rehearsal};
    clang_begin(job, &run);
    return run;
}

/* Waits for it. */
static int finish(struct job *job, const struct clang_run *run, struct buf *output) {
    int status = clang_end(job, run, output, &job->log, MAX_OUTPUT), error = errno;
    free((void *)run->arguments.data);
    free((void *)run->input.data);
    errno = error;
    return status;
}

/* The program with what comes before it. */
static struct buf whole_text(const struct invocation *in, struct mode mode) {
    struct buf input = {0};
    buf_printf(&input, "#pragma OPENCL EXTENSION cl_clang_storage_class_specifiers : enable\n");
    if (!mode.world)
        dependence_hide_world(&input);
    declare_functions(&input, in->source, in->has_files);
    if (mode.newer || in->options->cl_version > 300) /* what clang and its header take for another one */
        buf_printf(&input, "#undef __OPENCL_C_VERSION__\n#define __OPENCL_C_VERSION__ %u\n",
                   in->options->cl_version);
    buf_printf(&input, "#line 1 \"" SOURCE_NAME "\"\n");
    buf_bytes(&input, in->source.data, in->source.size);
    return input;
}

/* The same, macros expanded, with local variables of inner blocks where clang takes them. */
static struct buf moved_text(struct job *job, const struct invocation *in, struct mode mode) {
    struct buf expanded = {0}, input = {0};
    size_t log = job->log.size;
    mode.inner = false;
    struct clang_run run = start(job, in, mode, true, whole_text(in, mode));
    if (finish(job, &run, &expanded)) /* then the next run fails as well */
        input = whole_text(in, mode);
    else
        inner_locals_move(&input, (struct blob){.data = expanded.data, .size = expanded.size});
    job->log.size = log; /* the next run says it again */
    buf_free(&expanded);
    return input;
}

/* Starts clang on the program as `mode` has it. */
static struct clang_run give(struct job *job, const struct invocation *in, struct mode mode) {
    return start(job, in, mode, false, mode.inner ? moved_text(job, in, mode) : whole_text(in, mode));
}

static bool logged(const struct job *job, size_t begin, const char *text) {
    return job->log.size > begin && memmem(job->log.data + begin, job->log.size - begin, text, strlen(text));
}

/* Whether clang read files that are neither of the request nor its own. */
static bool read_files(struct job *job, const struct invocation *in) {
    struct stat info = {0};
    fstat(in->deps, &info);
    char *rule = job_alloc((size_t)info.st_size + 1);
    const char *const folders[] = {HEADER_DIR, clang_resources(), NULL};
    return pread(in->deps, rule, (size_t)info.st_size, 0) != info.st_size ||
           dependence_on_files(rule, folders);
}

/* Chooses another way to compile a program that failed with the messages after `begin`. A program that compiles means
 * what it meant: names that its language doesn't have are there only for one that fails without them. */
static bool next_mode(struct job *job, const struct invocation *in, size_t begin, struct mode *mode) {
    struct blob messages = {.data = (char *)job->log.data + begin, .size = job->log.size - begin};
    if (!mode->world && dependence_names_world(messages))
        return mode->world = true;
    if (!mode->newer && in->options->cl_version < 200 &&
        (logged(job, begin, "use of undeclared identifier") || logged(job, begin, "unknown type name") ||
         logged(job, begin, "OpenCL extension '__cl_clang_function_pointers'")))
        return mode->newer = true;
    if (!mode->inner && !in->options->cxx &&
        logged(job, begin, "variables in the local address space can only be declared in the outermost")) {
        mode->world |= read_files(job, in); /* the next run reads none */
        return mode->inner = true;
    }
    return false;
}

/* Runs clang until the program compiles, or fails the job. Returns the way in which it compiled. */
static struct mode compile(struct job *job, const struct invocation *in, struct mode mode,
                           struct buf *output) {
    struct buf first = {0}; /* what clang says of the program as it was given */
    for (size_t begin = job->log.size;; job->log.size = begin) {
        struct clang_run run = give(job, in, mode);
        if (!job->only_compiles)
            emit_warm(); /* while clang works */
        int status = finish(job, &run, output);
        int error = errno;
        bool changed = mode.newer || mode.inner;
        if (status == 0 && (mode.world || !read_files(job, in))) {
            hints_add(&job->log, begin); /* after warnings */
            break;
        }
        if (status == 0) { /* the files may have the macros that were taken away */
            mode.world = true;
            output->size = 0;
            continue;
        }
        if (WIFEXITED(status) && WEXITSTATUS(status) == 1 && next_mode(job, in, begin, &mode)) {
            if (!changed && (mode.newer || mode.inner))
                buf_bytes(&first, job->log.data + begin, job->log.size - begin);
            output->size = 0;
            continue;
        }
        if (changed) {
            job->log.size = begin;
            buf_bytes(&job->log, first.data, first.size);
        }
        buf_free(&first);
        judge(job, status, error);
    }
    buf_free(&first);
    return mode;
}

/* Whether one of the texts that come with the request spells what tells of the world. */
static bool names_world(struct blob source, const struct blob *headers, uint32_t n, const char *options) {
    struct blob text = {.data = options ? options : "", .size = options ? strlen(options) : 0};
    bool found = dependence_names_world(source) || dependence_names_world(text);
    for (uint32_t i = 0; i < n && !found; i++)
        found = dependence_names_world(headers[i]);
    return found;
}

/* Whether the program may have functions of sub-groups, or of others, that may call such ones. */
static bool may_use_subgroups(struct job *job, const struct invocation *in) {
    static const char word[] = "sub_group";
    return in->has_files || job->request->kind == REQUEST_COMPILE || strstr(job->request->options, word) ||
           memmem(in->source.data, in->source.size, word, sizeof word - 1);
}

/* Editors of some systems begin a file with a byte order mark, and a program may be several files one after the other:
 * marks at the beginning of lines become blanks. In headers clang skips them. */
static struct blob without_marks(struct blob source) {
    static const char mark[] = "\xef\xbb\xbf";
    char *copy = NULL;
    for (size_t at = 0, end_of_last = 0; at < source.size;) {
        const char *text = source.data, *found = memmem(text + at, source.size - at, mark, 3);
        if (!found)
            break;
        at = (size_t)(found - text);
        if (at == end_of_last || text[at - 1] == '\n' || text[at - 1] == '\r') {
            if (!copy)
                source.data = copy = memcpy(job_alloc(source.size), text, source.size);
            memset(copy + at, ' ', 3);
            end_of_last = at + 3;
        }
        at += 3;
    }
    return source;
}

void frontend_prepare(void) {
    clang_start(); /* if it can't, frontend_compile tries again and says why */
}

/* What programs usually have. */
static const char rehearsal[] =
    "kernel void rehearsal(global float *a, global const int4 *b, local float *s, const uint n) {\n"
    "    size_t i = get_global_id(0), l = get_local_id(0);\n"
    "    float4 sum = (float4)(0.0f);\n"
    "    for (uint k = 0; k < n; k++)\n"
    "        sum += convert_float4(b[k]) * fmax(a[i], 1.0f);\n"
    "    s[l] = i < n ? dot(sum, sum) : sum.x;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    if (l == 0)\n"
    "        a[i] = sqrt(s[0]) + vload4(0, (global float *)b).y;\n"
    "}\n";

void frontend_rehearse(void) {
    enum { LIMIT_MS = 10000 };
    struct request request = {.options = ""};
    struct job job = {.request = &request, .limit_ns = job_used_ns() + LIMIT_MS * 1000000ull};
    struct buf output = {0};
    if (!setjmp(job.failed)) {
        struct invocation in = {.source = {.data = rehearsal, .size = sizeof rehearsal - 1},
                                .kept = SOURCE_NAME,
                                .options = options_parse(&job, "", false),
                                .is_rehearsal = true};
        in.deps = clang_file(&job, NULL, 0, &in.deps_path);
        struct clang_run run = give(&job, &in, (struct mode){0});
        finish(&job, &run, &output);
    }
    buf_free(&output);
    buf_free(&job.log);
}

/* clang wants destructors of program-scope objects to be called at the program's end. They never run: no moment is after
 * all kernels. */
static void drop_destructors(LLVMModuleRef module) {
    LLVMValueRef f = LLVMGetNamedFunction(module, "__cxa_atexit"),
                 handle = LLVMGetNamedGlobal(module, "__dso_handle");
    for (LLVMUseRef u; f && LLVMIsDeclaration(f) && (u = LLVMGetFirstUse(f));) {
        LLVMValueRef call = LLVMGetUser(u);
        LLVMReplaceAllUsesWith(call, LLVMConstNull(LLVMTypeOf(call)));
        LLVMInstructionEraseFromParent(call);
    }
    if (handle && !LLVMGetFirstUse(handle)) {
        LLVMDeleteGlobal(handle);
    }
}

LLVMModuleRef frontend_compile(struct job *job, struct blob source, const struct blob *headers,
                               uint32_t nheaders, const struct options *options, bool *cacheable) {
    clang_require(job);
    struct invocation in = {.source = without_marks(source),
                            .has_files = nheaders || options->has_includes,
                            .kept = keep_source(source),
                            .overlay = header_overlay(job, headers, nheaders),
                            .options = options};
    in.deps = clang_file(job, NULL, 0, &in.deps_path);
    in.has_names = may_use_subgroups(job, &in);
    if (clang_wants_rehearsal(false))
        frontend_rehearse();
    struct mode mode = {.world = names_world(source, headers, nheaders, job->request->options) ||
                                 (!nheaders && source_reads_files(source.data, source.size))};
    struct buf output = {0};
    mode = compile(job, &in, mode, &output);
    job_phase(job, "front end");
    if (mode.newer)
        buf_printf(
            &job->log,
            "note: this program names what OpenCL C %u.%u doesn't have, and is built with the functions "
            "and types of OpenCL C 3.0 (-cl-std=CL3.0)\n",
            options->cl_version / 100, options->cl_version / 10 % 10);
    if (mode.inner)
        buf_printf(&job->log, "note: local variables that inner blocks declare are taken for variables of "
                              "the kernel's outermost "
                              "block, where OpenCL C has them\n");
    *cacheable = !mode.world;
    LLVMModuleRef module = ir_read(job, (struct blob){.data = output.data, .size = output.size});
    buf_free(&output);
    if (LLVMGetModuleInlineAsm(module, &(size_t){0})[0])
        job_fail(job, ANSWER_BUILD_FAILED, "assembly at file scope is not supported");
    if (wants_types(job, options))
        types_keep(job, module);
    target_retarget(job, module);
    if (options->cxx)
        drop_destructors(module);
    if (in.has_names)
        ways_back_in_source(module);
    return module;
}
