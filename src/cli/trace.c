/* trace.c: `weir trace`: runs a program with WEIR_TRACE, and tells where its time went.
 *
 * In: a program, whose processes each write a trace. Out: a table of kernels, one of copies, builds and waits, and what to do
 * first; with -o the trace itself, with --html a page (page.c), of the process that had the most to tell.
 */
#include "trace.h"

#include <dirent.h>
#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static double number(const struct json *object, const char *name) {
    const struct json *field = json_field(object, name);
    return field && !field->text ? field->number : 0;
}

static void *must_grow(void *p, size_t n) {
    p = realloc(p, n);
    if (!p)
        die(EXIT_FAULT, "out of memory (%zu bytes)", n);
    return p;
}

static struct kind *kind_of(struct summary *s, const char *name, bool is_kernel) {
    for (size_t i = 0; i < s->nkinds; i++)
        if (s->kinds[i].is_kernel == is_kernel && !strcmp(s->kinds[i].name, name))
            return &s->kinds[i];
    s->kinds = must_grow(s->kinds, (s->nkinds + 1) * sizeof *s->kinds);
    s->kinds[s->nkinds] = (struct kind){.name = must_printf("%s", name), .is_kernel = is_kernel};
    return &s->kinds[s->nkinds++];
}

/* The oldest one of a queue: how long it takes is not known, and not what it was asked to wait for either. */
static void add_unended(struct summary *s, const struct json *slice) {
    double us = number(slice, "dur");
    if (us <= s->oldest_us)
        return;
    free(s->oldest);
    s->oldest = must_printf("%s", json_text(slice, "name"));
    s->oldest_us = us;
}

static void add_command(struct summary *s, const struct json *slice) {
    const struct json *args = json_field(slice, "args");
    if (json_field(args, "unended")) {
        add_unended(s, slice);
        return;
    }
    bool is_kernel =
        !strcmp(json_text(args, "command"), "NDRANGE_KERNEL") || !strcmp(json_text(args, "command"), "TASK");
    struct kind *k = kind_of(s, json_text(slice, "name"), is_kernel);
    if (k->n == k->cap) {
        k->cap = k->cap ? 2 * k->cap : 64;
        k->us = must_grow(k->us, k->cap * sizeof *k->us);
    }
    double us = number(slice, "dur"), begin = number(slice, "ts");
    k->us[k->n++] = us;
    k->total += us;
    k->bytes += number(args, "bytes");
    k->items += number(args, "work_items");
    k->waited += begin - number(args, "submitted_us");
    s->busy_us += us;
    s->nlaunches += is_kernel;
    s->nfailed += number(args, "status") < 0;
    s->first = !s->last || begin < s->first ? begin : s->first;
    s->last = begin + us > s->last ? begin + us : s->last;
}

/* Requests for reports are the page's own. */
static void add_build(struct summary *s, const struct json *slice) {
    const char *name = json_text(slice, "name");
    s->builds = must_grow(s->builds, (s->nbuilds + 1) * sizeof *s->builds);
    struct build *b = &s->builds[s->nbuilds++];
    *b = (struct build){.name = must_printf("%s", name),
                        .phases = must_printf("%s", ""),
                        .begin = number(slice, "ts"),
                        .us = number(slice, "dur"),
                        .thread = number(slice, "tid"),
                        .is_cached = number(json_field(slice, "args"), "cached") != 0,
                        .is_report = !strncmp(name, "report", 6)};
    if (b->is_report)
        return;
    s->fresh += !b->is_cached;
    s->cached += b->is_cached;
    s->built += b->us;
}

/* Of the last build of its thread, which stands before it. */
static void add_phase(struct summary *s, const struct json *slice) {
    struct buf text = {0};
    size_t i = s->nbuilds;
    while (i && s->builds[i - 1].thread != number(slice, "tid"))
        i--;
    if (!i)
        return;
    struct build *b = &s->builds[i - 1];
    buf_printf(&text, "%s%s", b->phases, *b->phases ? "," : "");
    buf_json(&text, json_text(slice, "name"));
    buf_printf(&text, ":%.3f", number(slice, "dur") / 1e3);
    free(b->phases);
    b->phases = must_printf("%s", buf_cstr(&text) ? buf_cstr(&text) : "");
    buf_free(&text);
}

static void add_slice(struct summary *s, const struct json *slice) {
    const char *category = json_text(slice, "cat"), *name = json_text(slice, "name");
    double us = number(slice, "dur"), end = number(slice, "ts") + us;
    s->span = end > s->span ? end : s->span;
    s->nevents++;
    if (!strcmp(category, "command")) {
        add_command(s, slice);
    } else if (!strcmp(category, "build")) {
        add_build(s, slice);
    } else if (!strcmp(category, "phase")) {
        add_phase(s, slice);
    } else if (!strcmp(category, "api")) {
        s->calls_us += us;
        if (!strcmp(name, "clFinish") || !strcmp(name, "clWaitForEvents")) {
            s->waits_us += us;
            s->nwaits++;
        }
    }
}

/* The trace has an event on each line, so that it need not be held as a whole. False: it is no trace of ours. */
static bool read_trace(struct summary *s, struct page *page, char *text, size_t size) {
    char *line = strchr(text, '\n'), *mark = strstr(text, "\"otherData\":{\"weir\":");
    if (!line || !mark || mark > line)
        return false;
    struct progress p = progress_begin("reading the trace, KB");
    for (char *end; (end = strchr(++line, '\n')); line = end) {
        size_t n = (size_t)(end - line);
        if (!strncmp(line, "],\"dropped\":", 12)) {
            char *rest;
            s->dropped = strtod(line + 12, &rest);
            s->unended = strncmp(rest, ",\"unended\":", 11) ? 0 : strtod(rest + 11, NULL);
        }
        n -= n && line[n - 1] == ',';
        line[n] = 0;
        struct json *e = *line == '{' ? json_read(line, n) : NULL;
        if (e && !strcmp(json_text(e, "ph"), "X"))
            add_slice(s, e);
        if (e && page)
            page_add(page, e);
        json_free(e);
        progress_show(&p, (uint64_t)(end - text) / 1000, size / 1000);
    }
    progress_end(&p);
    return true;
}

/* ---- what it tells ---- */

static int by_total(const void *a, const void *b) {
    const struct kind *x = a, *y = b;
    return (x->total < y->total) - (x->total > y->total);
}

enum { LEAST_NAME = 32, MOST_NAME = 64 }; /* columns of a name; of longer ones both ends are shown */

static void show_name(const char *name, size_t width) {
    size_t n = strlen(name), end = (width - 3) / 2;
    if (n <= width)
        printf("%-*s", (int)width, name);
    else
        printf("%.*s...%s", (int)(width - 3 - end), name, name + n - end);
}

static size_t widest(const struct summary *s, bool kernels) {
    size_t widest = LEAST_NAME;
    for (size_t i = 0; i < s->nkinds; i++) {
        size_t n = strlen(s->kinds[i].name);
        if (s->kinds[i].is_kernel == kernels && n > widest)
            widest = n;
    }
    return widest < MOST_NAME ? widest : MOST_NAME;
}

static void show_kinds(const struct summary *s, bool kernels) {
    bool any = false;
    size_t width = widest(s, kernels);
    for (size_t i = 0; i < s->nkinds; i++) {
        const struct kind *k = &s->kinds[i];
        if (k->is_kernel != kernels)
            continue;
        if (!any)
            printf("\n%-*s %8s %12s %12s %8s\n", (int)width, kernels ? "kernel" : "other command", "count",
                   "total, ms", "median, us", "GB/s");
        any = true;
        show_name(k->name, width);
        printf(" %8zu %12.3f %12.2f ", k->n, k->total / 1e3, median(k->us, k->n));
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

/* The three that promise most; what is a hundredth of the run is not worth a line. */
static void advise(struct summary *s) {
    struct advice all[8];
    size_t n = 0;
    double idle = s->last - s->first - s->busy_us, fresh = s->fresh;
    const struct kind *top = NULL, *copies = NULL;
    for (size_t i = 0; i < s->nbuilds; i++)
        if (!s->builds[i].is_report && s->builds[i].begin > s->first && s->builds[i].begin < s->last)
            idle -= s->builds[i].us; /* kernels that were compiled when they were first launched */
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
                                                    "compile FILE.cl --annotate --kernel %s` or a page "
                                                    "(--html) says how its lines run",
                                                    top->name, 100 * top->total / s->busy_us, top->name)};
    if (fresh > 0 && s->built > 0)
        all[n++] = (struct advice){s->built,
                                   must_printf("%.0f build%s %.1f ms: the next run has %s from the cache; a "
                                               "program that must start fast can keep CL_PROGRAM_BINARIES",
                                               fresh, fresh == 1 ? " takes" : "s take", s->built / 1e3,
                                               fresh == 1 ? "it" : "them")};
    if (copies && copies->total > s->busy_us / 20)
        all[n++] = (struct advice){
            copies->total,
            must_printf("%s takes %.1f ms: this device's memory is the host's, so that mapping "
                        "(clEnqueueMapBuffer, CL_MEM_USE_HOST_PTR, SVM) copies nothing",
                        copies->name, copies->total / 1e3)};
    if (s->nlaunches && top && median(top->us, top->n) < 5)
        all[n++] = (struct advice){top->total / 2,
                                   must_printf("kernel %s runs for %.1f us at a time: larger launches, or a "
                                               "command buffer (cl_khr_command_buffer), cost less",
                                               top->name, median(top->us, top->n))};
    if (idle > (s->last - s->first) / 5)
        all[n++] = (struct advice){
            idle,
            must_printf(
                "between the first command and the last one nothing runs or is built for %.1f of %.1f ms: "
                "the host is at work then, or waits (clFinish and clWaitForEvents: %zu times, "
                "%.1f ms); enqueue ahead, and wait once",
                idle / 1e3, (s->last - s->first) / 1e3, s->nwaits, s->waits_us / 1e3)};
    if (s->nfailed)
        all[n++] =
            (struct advice){1e12, must_printf("%zu commands failed: WEIR_LOG=error says why", s->nfailed)};
    qsort(all, n, sizeof *all, by_gain);
    for (size_t i = 0; i < n; i++) {
        if (s->nadvice < 3 && (!i || all[i].us > s->span / 100))
            s->advice[s->nadvice++] = all[i].text;
        else
            free(all[i].text);
    }
}

static void show(struct summary *s) {
    printf("%.1f ms from the library's start to the last call; commands ran for %.1f ms", s->span / 1e3,
           s->busy_us / 1e3);
    printf(", the host waited for %.1f ms (%zu call%s of clFinish and clWaitForEvents)\n", s->waits_us / 1e3,
           s->nwaits, s->nwaits == 1 ? "" : "s");
    printf("builds: %.0f, %.0f of them from the cache, %.1f ms\n", s->fresh + s->cached, s->cached,
           s->built / 1e3);
    if (s->dropped > 0)
        printf("the trace had no room for %.0f things more\n", s->dropped);
    if (s->unended > 0)
        printf("%.0f command%s had not ended; the oldest is %s, enqueued %.1f ms before: `weir check` finds "
               "%s\n",
               s->unended, s->unended == 1 ? "" : "s", s->oldest ? s->oldest : "unknown", s->oldest_us / 1e3,
               s->crashed ? "accesses beyond buffers" : "loops and barriers without an end");
    show_kinds(s, true);
    show_kinds(s, false);
    if (!s->nkinds && !s->oldest) {
        char *why = target_unused();
        printf("the program ran nothing on Weir%s\n", why);
        free(why);
    }
    for (unsigned i = 0; i < s->nadvice; i++)
        printf("%s%u. %s\n", i ? "" : "\nimprove first:\n", i + 1, s->advice[i]);
}

/* ---- the program ---- */

/* The largest trace, which is that of the process that did the work; malloc'd, NULL: there is none. */
static char *largest(size_t *count) {
    DIR *d = opendir(temporary_folder());
    char *best = NULL;
    size_t most = 0;
    *count = 0;
    for (struct dirent *e; d && (e = readdir(d));) {
        struct buf text = {0};
        char *path = temporary_path(e->d_name);
        bool is_trace = strstr(e->d_name, ".json") && read_file(path, &text);
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

/* The profile that lies beside the trace. */
static bool read_profile(struct profile *p, const char *trace) {
    char *path = must_printf("%.*s.profile", (int)(strlen(trace) - strlen(".json")), trace);
    bool found = profile_read(p, path);
    free(path);
    return found;
}

static char *joined(char **words) {
    struct buf text = {0};
    for (size_t i = 0; words[i]; i++)
        buf_printf(&text, "%s%s", i ? " " : "", words[i]);
    char *all = must_printf("%s", text.size ? buf_cstr(&text) : "");
    buf_free(&text);
    return all;
}

/* Of a process that was killed, the file ends where the last part of it did: it is given an end. */
static void mend(struct buf *text) {
    static const char event[] = ",\n{", end[] = "}\n";
    const char *bytes = buf_cstr(text), *last = NULL;
    if (!bytes || (text->size >= 2 && !memcmp(bytes + text->size - 2, end, 2)))
        return;
    for (const char *at = bytes; (at = strstr(at, event)) != NULL; at++)
        last = at;
    text->size = last ? (size_t)(last - bytes) : text->size;
    buf_printf(text, "\n],\"dropped\":0}\n");
}

struct wishes {
    const char *output, *html;
    char **program;
};

static void read_command_line(struct wishes *w, int argc, char **argv) {
    static const struct option options[] = {{"help", no_argument, NULL, 'h'},
                                            {"output", required_argument, NULL, 'o'},
                                            {"html", required_argument, NULL, 'H'},
                                            {0}};
    setenv("POSIXLY_CORRECT", "1", 1); /* options after the program's name are the program's */
    int option;
    while ((option = next_option(&command_trace, argc, argv, options)) >= 0)
        if (option == 'o')
            w->output = optarg;
        else
            w->html = optarg;
    unsetenv("POSIXLY_CORRECT");
    if (optind == argc)
        die(EXIT_USAGE, "trace wants a program to run");
    w->program = argv + optind;
}

static bool is_crash(int number) {
    static const int crashes[] = {CRASH_SIGNALS};
    bool is = false;
    for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++)
        is |= crashes[i] == number;
    return is;
}

/* Runs the program. Its trace in `text` and, with a page, its profile. */
static void run(const struct wishes *w, struct buf *text, struct profile *profile, int *code, bool *crashed) {
    char *traces = temporary_path("%p.json"), *profiles = temporary_path("%p.profile");
    setenv("WEIR_TRACE", traces, 1);
    if (w->html)
        setenv("WEIR_PROFILE", profiles, 1);
    target_point_loader();
    int signaled = 0, error = program_run(w->program, false, code, &signaled);
    size_t count = 0;
    char *path = error ? NULL : largest(&count);
    bool is_there = path && read_file(path, text) && buf_cstr(text);
    if (is_there)
        mend(text);
    if (is_there && w->html)
        read_profile(profile, path);
    if (error)
        die(EXIT_FAULT, "cannot start %s: %s", w->program[0], strerror(error));
    *crashed = is_crash(signaled);
    if (signaled)
        fprintf(stderr, "weir trace: %s was ended by signal %d (%s)\n", w->program[0], signaled,
                strsignal(signaled));
    else if (*code)
        fprintf(stderr, "weir trace: %s ended with %d\n", w->program[0], *code);
    if (!is_there && signaled)
        die(EXIT_FAULT, "it leaves no trace: it ended within two seconds, by a signal that can't be or isn't "
                        "left to Weir");
    if (!is_there)
        die(EXIT_FAULT, "the program didn't use Weir, or ended by _exit within two seconds%s",
            target_unused());
    if (count > 1)
        printf("(%zu processes used Weir; this is the one with the most to tell)\n", count);
    free(traces);
    free(profiles);
    free(path);
}

static int trace_main(int argc, char **argv) {
    struct wishes w = {0};
    struct buf text = {0};
    struct profile profile = {0};
    struct summary s = {0};
    int code = 0;
    read_command_line(&w, argc, argv);
    if (w.output)
        check_output(w.output, OUTPUT_TRACE);
    if (w.html)
        check_output(w.html, OUTPUT_PAGE);
    run(&w, &text, &profile, &code, &s.crashed);
    if (w.output)
        write_output(w.output, OUTPUT_TRACE, &text);
    struct page *page = w.html ? page_new() : NULL;
    if (!read_trace(&s, page, (char *)text.data, text.size))
        die(EXIT_FAULT, "the trace can't be read; are libweir.so and weir of one version?");
    buf_free(&text);
    if (s.nkinds)
        qsort(s.kinds, s.nkinds, sizeof *s.kinds, by_total);
    advise(&s);
    show(&s);
    if (page) {
        char *program = joined(w.program);
        page_write(page, w.html, program, &s, &profile);
        free(program);
    }
    if (w.html)
        printf("\n%s opens in a browser\n", w.html);
    if (w.output)
        printf("\n%s opens in ui.perfetto.dev\n", w.output);
    return code;
}

static const char help[] =
    "Usage: weir trace [-o FILE] [--html FILE] PROGRAM [ARGUMENT]...\n\n"
    "Runs the program and shows where its time went: each kernel, copies, builds and waits. It ends with\n"
    "what to improve first.\n\n"
    "  -o, --output FILE    keeps the trace for ui.perfetto.dev or chrome://tracing: API calls on each "
    "thread,\n"
    "                       builds with their phases, commands on each queue with arrows along events,\n"
    "                       work-groups on each worker\n"
    "  --html FILE          writes a page for a browser: the timeline, tables, a roofline with this "
    "machine's\n"
    "                       limits (measured then), and the source of each kernel with how its lines run "
    "and\n"
    "                       what they cost. Kernels are sampled for this, and compiled once more\n\n"
    "WEIR_TRACE=FILE makes any program write such a trace. The exit code is the program's.\n\n"
    "Example:\n"
    "  weir trace --html run.html ./program --size 1000\n";
const struct command command_trace = {"trace", "runs a program and shows where its time went", trace_main,
                                      help, NULL};
