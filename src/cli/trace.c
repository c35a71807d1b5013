/* trace.c: `weir trace`: runs a program with WEIR_TRACE, and tells where its time went.
 *
 * In: a program, whose processes each write a trace. Out: a table of kernels, one of copies, builds and waits, and what to do
 * first; with -o the trace itself, of the process that had the most to tell.
 */
#include "cli.h"

#include <dirent.h>
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct kind { /* of commands: those of one name */
    const char *name;
    bool is_kernel;
    double *us, total, bytes, waited;
    size_t n, cap;
};
struct summary {
    struct kind *kinds;
    size_t nkinds;
    double span, built, builds, cached, calls_us, waits_us, busy_us, first, last, group_us;
    size_t nwaits, nlaunches, ngroups, nfailed;
    double dropped;
};

static double number(const struct json *object, const char *name) {
    const struct json *field = json_field(object, name);
    return field && !field->text ? field->number : 0;
}

static struct kind *kind_of(struct summary *s, const char *name, bool is_kernel) {
    for (size_t i = 0; i < s->nkinds; i++)
        if (s->kinds[i].is_kernel == is_kernel && !strcmp(s->kinds[i].name, name))
            return &s->kinds[i];
    s->kinds = realloc(s->kinds, (s->nkinds + 1) * sizeof *s->kinds);
    if (!s->kinds)
        die(EXIT_FAULT, "out of memory");
    s->kinds[s->nkinds] = (struct kind){.name = name, .is_kernel = is_kernel};
    return &s->kinds[s->nkinds++];
}

static void add_command(struct summary *s, const struct json *slice) {
    const struct json *args = json_field(slice, "args");
    bool is_kernel =
        !strcmp(json_text(args, "command"), "NDRANGE_KERNEL") || !strcmp(json_text(args, "command"), "TASK");
    struct kind *k = kind_of(s, json_text(slice, "name"), is_kernel);
    if (k->n == k->cap) {
        k->cap = k->cap ? 2 * k->cap : 64;
        k->us = realloc(k->us, k->cap * sizeof *k->us);
        if (!k->us)
            die(EXIT_FAULT, "out of memory");
    }
    double us = number(slice, "dur"), begin = number(slice, "ts");
    k->us[k->n++] = us;
    k->total += us;
    k->bytes += number(args, "bytes");
    k->waited += begin - number(args, "submitted_us");
    s->busy_us += us;
    s->nlaunches += is_kernel;
    s->nfailed += number(args, "status") < 0;
    s->first = !s->last || begin < s->first ? begin : s->first;
    s->last = begin + us > s->last ? begin + us : s->last;
}

static void add_slice(struct summary *s, const struct json *slice) {
    const char *category = json_text(slice, "cat"), *name = json_text(slice, "name");
    double us = number(slice, "dur"), end = number(slice, "ts") + us;
    s->span = end > s->span ? end : s->span;
    if (!strcmp(category, "command")) {
        add_command(s, slice);
    } else if (!strcmp(category, "build")) {
        s->builds++;
        s->built += us;
        s->cached += strstr(name, "(cached)") != NULL;
    } else if (!strcmp(category, "groups")) {
        s->ngroups++;
        s->group_us += us;
    } else if (!strcmp(category, "api")) {
        s->calls_us += us;
        if (!strcmp(name, "clFinish") || !strcmp(name, "clWaitForEvents")) {
            s->waits_us += us;
            s->nwaits++;
        }
    }
}

static void read_trace(struct summary *s, const struct json *trace) {
    const struct json *events = json_field(trace, "traceEvents");
    for (const struct json *e = events ? events->first : NULL; e; e = e->next)
        if (!strcmp(json_text(e, "ph"), "X"))
            add_slice(s, e);
    s->dropped = number(json_field(trace, "otherData"), "dropped");
}

/* ---- what it tells ---- */

static int by_total(const void *a, const void *b) {
    const struct kind *x = a, *y = b;
    return (x->total < y->total) - (x->total > y->total);
}

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(const struct kind *k) {
    qsort(k->us, k->n, sizeof *k->us, by_value);
    return k->n % 2 ? k->us[k->n / 2] : (k->us[k->n / 2 - 1] + k->us[k->n / 2]) / 2;
}

static void show_kinds(const struct summary *s, bool kernels) {
    bool any = false;
    for (size_t i = 0; i < s->nkinds; i++) {
        const struct kind *k = &s->kinds[i];
        if (k->is_kernel != kernels)
            continue;
        if (!any)
            printf("\n%-32s %8s %12s %12s %8s\n", kernels ? "kernel" : "other command", "count", "total, ms",
                   "median, us", "GB/s");
        any = true;
        printf("%-32.32s %8zu %12.3f %12.2f ", k->name, k->n, k->total / 1e3, median(k));
        if (k->bytes > 0 && k->total > 0)
            printf("%8.2f\n", k->bytes / k->total / 1e3);
        else
            printf("%8s\n", "");
    }
    if (any && kernels)
        puts("(GB/s: all buffers that a kernel was given, once for each launch, by its time)");
}

struct advice {
    double us; /* that may be won */
    char *text;
};

static int by_gain(const void *a, const void *b) {
    const struct advice *x = a, *y = b;
    return (x->us < y->us) - (x->us > y->us);
}

/* The three that promise most. */
static void show_advice(const struct summary *s) {
    struct advice all[8];
    size_t n = 0;
    double idle = s->last - s->first - s->busy_us, fresh = s->builds - s->cached;
    const struct kind *top = NULL, *copies = NULL;
    for (size_t i = 0; i < s->nkinds; i++) {
        const struct kind *k = &s->kinds[i];
        if (k->is_kernel && (!top || k->total > top->total))
            top = k;
        if (!k->is_kernel && (!copies || k->total > copies->total))
            copies = k;
    }
    if (top)
        all[n++] =
            (struct advice){top->total, must_printf("kernel %s takes %.0f%% of the commands' time: `weir "
                                                    "compile --report --kernel %s` or WEIR_REPORT=1 "
                                                    "says how its lines run",
                                                    top->name, 100 * top->total / s->busy_us, top->name)};
    if (fresh > 0 && s->built > 0)
        all[n++] = (struct advice){
            s->built, must_printf("%.0f builds take %.1f ms: the next run has them from the cache; a "
                                  "program that must start fast can keep CL_PROGRAM_BINARIES",
                                  fresh, s->built / 1e3)};
    if (copies && copies->total > s->busy_us / 20)
        all[n++] = (struct advice){
            copies->total,
            must_printf("%s takes %.1f ms: this device's memory is the host's, so that mapping "
                        "(clEnqueueMapBuffer, CL_MEM_USE_HOST_PTR, SVM) copies nothing",
                        copies->name, copies->total / 1e3)};
    if (s->nlaunches && top && median(top) < 5)
        all[n++] = (struct advice){top->total / 2,
                                   must_printf("kernel %s runs for %.1f us at a time: larger launches, or a "
                                               "command buffer (cl_khr_command_buffer), cost less",
                                               top->name, median(top))};
    if (idle > (s->last - s->first) / 5)
        all[n++] = (struct advice){
            idle, must_printf("between the first command and the last one nothing runs for %.1f of %.1f ms: "
                              "the host is at work then, or waits (clFinish and clWaitForEvents: %zu times, "
                              "%.1f ms); enqueue ahead, and wait once",
                              idle / 1e3, (s->last - s->first) / 1e3, s->nwaits, s->waits_us / 1e3)};
    if (s->nfailed)
        all[n++] =
            (struct advice){1e12, must_printf("%zu commands failed: WEIR_LOG=error says why", s->nfailed)};
    qsort(all, n, sizeof *all, by_gain);
    if (n)
        puts("\nfirst:");
    for (size_t i = 0; i < n; i++) {
        if (i < 3)
            printf("%zu. %s\n", i + 1, all[i].text);
        free(all[i].text);
    }
}

static void show(struct summary *s) {
    if (s->nkinds)
        qsort(s->kinds, s->nkinds, sizeof *s->kinds, by_total);
    printf("%.1f ms from the library's start to the last call; commands ran for %.1f ms", s->span / 1e3,
           s->busy_us / 1e3);
    printf(", the host waited for %.1f ms (%zu calls of clFinish and clWaitForEvents)\n", s->waits_us / 1e3,
           s->nwaits);
    printf("builds: %.0f, %.0f of them from the cache, %.1f ms\n", s->builds, s->cached, s->built / 1e3);
    if (s->dropped > 0)
        printf("the trace is full: %.0f things more are not in it\n", s->dropped);
    show_kinds(s, true);
    show_kinds(s, false);
    show_advice(s);
}

/* ---- the program ---- */

static char *folder;

static void remove_folder(void) {
    DIR *d = opendir(folder);
    for (struct dirent *e; d && (e = readdir(d));)
        unlinkat(dirfd(d), e->d_name, 0);
    if (d)
        closedir(d);
    rmdir(folder);
}

/* The largest trace, which is that of the process that did the work; malloc'd, NULL: there is none. */
static char *largest(size_t *count) {
    DIR *d = opendir(folder);
    char *best = NULL;
    size_t most = 0;
    *count = 0;
    for (struct dirent *e; d && (e = readdir(d));) {
        struct buf text = {0};
        char *path = must_printf("%s/%s", folder, e->d_name);
        bool is_trace = *e->d_name != '.' && read_file(path, &text);
        *count += is_trace;
        if (is_trace && text.size > most) {
            most = text.size;
            free(best);
            best = must_printf("%s", path);
        }
        buf_free(&text);
        free(path);
    }
    if (d)
        closedir(d);
    return best;
}

static int trace_main(int argc, char **argv) {
    static const struct option options[] = {
        {"help", no_argument, NULL, 'h'}, {"output", required_argument, NULL, 'o'}, {0}};
    const char *output = NULL, *temporary = getenv("TMPDIR");
    setenv("POSIXLY_CORRECT", "1", 1); /* options after the program's name are the program's */
    int option;
    while ((option = next_option(&command_trace, argc, argv, options)) >= 0)
        if (option == 'o')
            output = optarg;
    unsetenv("POSIXLY_CORRECT");
    if (optind == argc)
        die(EXIT_USAGE, "trace wants a program to run");
    folder = must_printf("%s/weir-trace.XXXXXX", temporary && *temporary ? temporary : "/tmp");
    if (!mkdtemp(folder))
        die(EXIT_FAULT, "cannot make %s: %s", folder, strerror(errno));
    char *pattern = must_printf("%s/%%p", folder);
    setenv("WEIR_TRACE", pattern, 1);
    target_point_loader();
    int code = 0, signaled = 0, error = program_run(argv + optind, false, &code, &signaled);
    size_t count = 0;
    char *path = error ? NULL : largest(&count);
    struct buf text = {0};
    struct json *trace =
        path && read_file(path, &text) && buf_cstr(&text) ? json_read(buf_cstr(&text), text.size) : NULL;
    remove_folder();
    if (error)
        die(EXIT_FAULT, "cannot start %s: %s", argv[optind], strerror(error));
    if (signaled)
        fprintf(stderr, "weir trace: %s was killed by signal %d (%s): it leaves no trace\n", argv[optind],
                signaled, strsignal(signaled));
    else if (code)
        fprintf(stderr, "weir trace: %s ended with %d\n", argv[optind], code);
    if (!trace)
        die(EXIT_FAULT, "%s",
            signaled ? "nothing to tell" : "the program didn't use Weir, or ended by _exit: see weir doctor");
    if (output && !write_file(output, text.data, text.size))
        die(EXIT_FAULT, "cannot write %s: %s", output, strerror(errno));
    if (count > 1)
        printf("(%zu processes used Weir; this is the one with the most to tell)\n", count);
    struct summary summary = {0};
    read_trace(&summary, trace);
    show(&summary);
    if (output)
        printf("\n%s opens in ui.perfetto.dev\n", output);
    return code;
}

static const char help[] =
    "Usage: weir trace [-o FILE] PROGRAM [ARGUMENT]...\n\n"
    "Runs the program, and tells where its time went: each kernel's, copies, builds, waits, and\n"
    "what to do first.\n\n"
    "  -o, --output FILE    keeps the trace, which ui.perfetto.dev and chrome://tracing open: calls of\n"
    "                       the API on each thread, builds with their phases, commands on each queue\n"
    "                       with arrows along events, work-groups on each worker\n\n"
    "WEIR_TRACE=FILE has any program write such a trace. The exit code is the program's.\n\n"
    "Example:\n"
    "  weir trace -o run.json ./program --size 1000\n";
const struct command command_trace = {"trace", "runs a program, and tells where its time went", trace_main,
                                      help, NULL};
